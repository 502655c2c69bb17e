/* For programs without debug information, such as imgtool itself. Messages contain the fault and
 * the thread but no source position; the caller adds the name of the kernel. */
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
