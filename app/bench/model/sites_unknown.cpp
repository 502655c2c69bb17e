/* Source positions for programs without debug information, such as imgtool itself: all of them are
 * unknown. Messages contain the fault and the thread, and the caller adds the name of the
 * implementation or variant. */
#include "app/bench/model/emulator/state.h"

namespace emulator
{

const Place &place_of(const void *)
{
    static const Place unknown = {"", "", 0};
    return unknown;
}

std::string kernel_name(const void *)
{
    return "";
}

} // namespace emulator
