/* Lets failing_calls.c decide before each launch in the emulator whether it fails. */
#include "app/bench/model/emulator/emulator.h"
#include "tests/device/failing_calls.h"

namespace
{

struct Asking {
    Asking()
    {
        emulator::options().refuse = failing_calls_launch;
    }
} asking;

} // namespace
