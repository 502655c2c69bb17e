/* Runs operations and measurements with their CUDA kernels in the emulator, on tiny pictures.
 * Otherwise this target is like fuzz_operations.
 * Every implementation must give the reference's bytes. No kernel may access memory out of bounds,
 * read uninitialised shared memory, race, or deadlock at a barrier. */
#include "tests/emulator/settings.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/pixels/op_judge.h"

/* A case within these limits takes some milliseconds, because the emulator runs the threads of a
 * block one after another. */
static const CaseLimits LIMITS = {.side = 300, .pixels = 200, .seconds = 1e-6};

static ImgDevice *device(void)
{
    static ImgDevice *opened;
    ImgError err = {IMG_OK, ""};
    if (opened == NULL)
        expect(img_device_open(0, &opened, &err) == IMG_OK, "no device: %s", err.message);
    return opened;
}

/* Returns true for most cases with large tables of counts. Clearing these tables and adding them up
 * takes seconds, even for a few pixels. */
static bool is_left_out(const Case *one)
{
    enum { EVERY = 32, BYTES_MOST = 1 << 16 };
    const bool is_table = one->result.format.color == IMG_COLOR_COUNTS;
    size_t most =
        is_table ? (size_t)one->result.width * (size_t)one->result.height * sizeof(uint64_t) : 0;
    for (const ImgImpl *impl = one->op->impls; impl->name != NULL; impl++) {
        const size_t bytes =
            impl->workspace != NULL ? impl->workspace(one->op, one->shape, one->params.bytes) : 0;
        most = bytes > most ? bytes : most;
    }
    return most > BYTES_MOST && one->seed % EVERY != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ORDERS = 3 };
    Choices choices = {data, size};
    Case one;
    if (size == 0 || !choose_case(&choices, &LIMITS, &one) || is_left_out(&one))
        return 0;
    emulator_set_order((int)(size % ORDERS), one.seed);
    judge_implementations(&one, IMG_BACKEND_CUDA, device(), IMG_DEVICE_ALIGNMENT,
                          one.seed % 2 == 0);
    expect(emulator_faults() == 0, "the emulator found %llu faults",
           (unsigned long long)emulator_faults());
    return 0;
}
