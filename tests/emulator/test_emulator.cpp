/* Does the emulator find what it is for, let sound code pass, and count as hardware does? */
#include <criterion/criterion.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string.h>

#include "kernels/core/cuda_self_test.h"
#include "kernels/core/cuda_util.h"
#include "kernels/emulator/device.h"
#include "kernels/emulator/model_run.h"
#include "kernels/lab/lab.h"
#include "tests/emulator/faults.h"
#include "tests/emulator/intrinsics.h"

using namespace emulator;

/* Device memory for a test, returned at its end. */
struct DeviceWords {
    void *memory = nullptr;
    explicit DeviceWords(size_t words)
    {
        cr_assert(cudaMalloc(&memory, words * sizeof(uint32_t)) == cudaSuccess);
    }
    ~DeviceWords()
    {
        cudaFree(memory);
    }
    uint32_t *words() const
    {
        return (uint32_t *)memory;
    }
};

/* --- Faults ---------------------------------------------------------------------------------- */

/* Of faults.cu: the one that ends in the fault's name. */
static int line_of(const PlantedFault &planted)
{
    std::ifstream source(FAULTS_SOURCE);
    std::string line, mark = std::string("/* ") + planted.what + " */";
    for (int number = 1; std::getline(source, line); number++)
        if (line.size() >= mark.size() &&
            line.compare(line.size() - mark.size(), mark.size(), mark) == 0)
            return number;
    cr_assert(false, "no line of %s ends in %s", FAULTS_SOURCE, mark.c_str());
    return 0;
}

static void expect_found(const PlantedFault &planted, Order order)
{
    int line = line_of(planted);
    for (const Fault &fault : faults()) {
        bool same = fault.kind == planted.kind && fault.line == line &&
                    fault.kernel == planted.kernel &&
                    fault.file.find("faults.cu") != std::string::npos &&
                    fault.text.find("thread (") != std::string::npos;
        if (same)
            return;
    }
    cr_assert(false, "%s (order %d) was not found on line %d", planted.what, (int)order, line);
}

Test(emulator, finds_every_planted_fault_on_its_line)
{
    DeviceWords in(64), out(64);
    for (Order order : {FORWARD, REVERSE, RANDOM}) {
        options().order = order;
        for (int i = 0; i < planted_fault_count; i++) {
            clear_faults();
            run_planted(i, false, in.words(), out.words());
            expect_found(planted_faults[i], order);
            cr_assert(cudaGetLastError() == cudaErrorLaunchFailure);
        }
    }
}

Test(emulator, lets_sound_kernels_pass)
{
    DeviceWords in(64), out(64);
    for (Order order : {FORWARD, REVERSE, RANDOM}) {
        options().order = order;
        for (int i = 0; i < planted_fault_count; i++) {
            run_planted(i, true, in.words(), out.words());
            cr_assert(faults().empty(), "%s: %s", planted_faults[i].what,
                      faults().empty() ? "" : faults()[0].text.c_str());
            cr_assert(cudaGetLastError() == cudaSuccess);
        }
    }
}

/* As the model does, with a launcher that looks at no error. */
Test(emulator, makes_every_planted_fault_an_error)
{
    DeviceWords in(64), out(64);
    for (int i = 0; i < planted_fault_count; i++) {
        for (bool sound : {false, true}) {
            ImgLaunchCounts counts = {};
            ImgError err = {};
            auto launch = [&] {
                run_planted(i, sound, in.words(), out.words());
                return IMG_OK;
            };
            ImgStatus status = count_launches(launch, &counts, &err);
            cr_assert(status == (sound ? IMG_OK : IMG_E_DEVICE), "%s", planted_faults[i].what);
            cr_assert(counts.launches == (sound ? 1u : 0u));
            cr_assert(sound || strstr(err.message, fault_name(planted_faults[i].kind)) != nullptr,
                      "%s", err.message);
        }
    }
}

Test(emulator, refuses_launches_that_no_gpu_takes)
{
    for (unsigned threads : {0u, 1025u}) {
        launch(nullptr, dim3(1), dim3(threads), 0, [] {});
        cr_assert(cudaGetLastError() == cudaErrorInvalidConfiguration);
        cr_assert(cudaGetLastError() == cudaSuccess);
    }
}

/* The one kernel that neither checkkernels nor the lab runs. */
Test(emulator, runs_the_self_test)
{
    DeviceWords out(64);
    auto *bytes = (unsigned char *)out.memory;
    cr_assert(img_cuda_self_test(bytes, nullptr, nullptr) == IMG_OK);
    for (int i = 0; i < IMG_SELF_TEST_BYTES; i++)
        cr_assert(bytes[i] == (unsigned char)(i * 7 + 3));
    cr_assert(faults().empty());
}

static bool in_order(const uint32_t *words)
{
    for (uint32_t i = 0; i < 8; i++)
        if (words[i] != i)
            return false;
    return true;
}

Test(emulator, shows_blocks_that_depend_on_each_other)
{
    DeviceWords out(8);
    for (Order order : {FORWARD, REVERSE, RANDOM}) {
        options().order = order;
        run_order(false, out.words());
        cr_assert(in_order(out.words()));
        cudaMemsetAsync(out.memory, 0xff, 8 * sizeof(uint32_t), nullptr);
        run_order(true, out.words());
        cr_assert(in_order(out.words()) == (order == FORWARD));
    }
}

/* --- Intrinsics ------------------------------------------------------------------------------ */

Test(emulator, knows_the_intrinsics)
{
    DeviceWords out(32 * INTRINSICS);
    for (Order order : {FORWARD, REVERSE, RANDOM}) {
        options().order = order;
        run_intrinsics(out.words());
        cr_assert(faults().empty());
        for (uint32_t lane = 0; lane < 32; lane++) {
            const uint32_t expected[INTRINSICS] = {
                15,
                lane / 8 * 8 + 1,
                lane == 0 ? 0 : lane - 1,
                lane < 30 ? lane + 2 : lane,
                lane ^ 7,
                0x49249249,
                1 + 2,
                496 + 2000 + 310000,
                0x77553311,
                0x80808080,
                0x44aabbcc,
                5 + 4 * 2 + 3 + 2 + 1,
                7 + 2 * 65535 + 5 * 3,
                8 + 1500 + 80000,
                496 + 31000 + 700000 + 1000000000,
            };
            for (int k = 0; k < INTRINSICS; k++)
                cr_assert(out.words()[k * 32 + (int)lane] == expected[k],
                          "number %d, lane %u: %#x, not %#x", k, lane,
                          out.words()[k * 32 + (int)lane], expected[k]);
        }
    }
}

/* --- Counts ---------------------------------------------------------------------------------- */

static Counts count(const std::function<ImgStatus()> &run, KernelCounts *kernel = nullptr)
{
    options().counting = true;
    clear_counts();
    cr_assert(run() == IMG_OK);
    std::vector<KernelCounts> all = counts();
    cr_assert(all.size() == 1);
    if (kernel != nullptr)
        *kernel = all[0];
    return all[0].all;
}

/* Word i of what a tile `width` wide and `height` high gives back: i, or of the transposed tile. */
static void expect_tile(const void *memory, int width, int height, bool transposed)
{
    const int32_t *out = (const int32_t *)memory;
    for (int i = 0; i < width * height; i++)
        cr_assert(out[i] == (transposed ? i % height * width + i / height : i), "word %d is %d", i,
                  (int)out[i]);
}

/* A warp a row: 32 requests; 32 lanes in one bank: 32 wavefronts each. */
Test(emulator, counts_the_square_tile)
{
    static const struct {
        LabTile variant;
        uint64_t written, read;
    } expected[] = {
        {LAB_ROW_ROW, 32, 32},           {LAB_COLUMN_COLUMN, 1024, 1024},
        {LAB_ROW_COLUMN, 32, 1024},      {LAB_ROW_COLUMN_DYNAMIC, 32, 1024},
        {LAB_ROW_COLUMN_PADDED, 32, 32}, {LAB_ROW_COLUMN_PADDED_DYNAMIC, 32, 32},
    };
    DeviceWords out(1024);
    for (const auto &e : expected) {
        Counts c =
            count([&] { return lab_square(e.variant, (int32_t *)out.memory, nullptr, nullptr); });
        cr_assert(c.requests[0] == 32 && c.requests[1] == 32);
        cr_assert(c.wavefronts[1] == e.written && c.wavefronts[0] == e.read, "%s: %d and %d",
                  lab_tile_names[e.variant], (int)c.wavefronts[1], (int)c.wavefronts[0]);
        cr_assert(c.global_requests[1] == 32 && c.global_sectors[1] == 128);
        expect_tile(out.memory, 32, 32, e.variant >= LAB_ROW_COLUMN);
    }
}

/* 16 warps. In rows of 16 words, 32 lanes one below the other meet 2 banks, 16 deep. Read back
 * transposed from rows of 32, a warp takes two columns of 16 words: 16 deep. With rows of 34 the
 * two columns fall into even and odd banks. */
Test(emulator, counts_the_rectangular_tile)
{
    static const struct {
        LabTile variant;
        uint64_t written, read;
    } expected[] = {
        {LAB_ROW_ROW, 16, 16},           {LAB_COLUMN_COLUMN, 256, 256},
        {LAB_ROW_COLUMN, 16, 256},       {LAB_ROW_COLUMN_DYNAMIC, 16, 256},
        {LAB_ROW_COLUMN_PADDED, 16, 16}, {LAB_ROW_COLUMN_PADDED_DYNAMIC, 16, 16},
    };
    DeviceWords out(512);
    for (const auto &e : expected) {
        Counts c = count(
            [&] { return lab_rectangle(e.variant, (int32_t *)out.memory, nullptr, nullptr); });
        cr_assert(c.wavefronts[1] == e.written && c.wavefronts[0] == e.read, "%s: %d and %d",
                  lab_tile_names[e.variant], (int)c.wavefronts[1], (int)c.wavefronts[0]);
        expect_tile(out.memory, 32, 16, e.variant >= LAB_ROW_COLUMN);
    }
}

/* A warp is two rows of a block of 16 x 16. 76 x 62: 5 x 4 blocks of 8 warps; the right column of
 * blocks is 12 of 16 wide, so its warps with a row of the image split: 31, for 62 rows; the last of
 * its 32 warps lies wholly below. The bottom blocks end between warps. So too 200 x 150: 150 rows
 * are 75 warps of the right column that split; the 5 below them do nothing, all 32 lanes alike. */
Test(emulator, counts_warps_that_a_guard_splits)
{
    static const struct {
        int width, height;
        uint64_t warps, divergent;
    } expected[] = {{76, 62, 160, 31}, {200, 150, 1040, 75}, {1000, 1000, 31752, 500}};
    DeviceWords in(250000), out(250000);
    memset(in.memory, 21, 1000000);
    for (const auto &e : expected) {
        memset(out.memory, 0, 1000000);
        KernelCounts kernel;
        count(
            [&] {
                return lab_guard((uint8_t *)in.memory, (uint8_t *)out.memory, e.width, e.height,
                                 nullptr, nullptr);
            },
            &kernel);
        cr_assert(kernel.warps == e.warps && kernel.divergent_warps == e.divergent,
                  "%d x %d: %d warps, %d divergent", e.width, e.height, (int)kernel.warps,
                  (int)kernel.divergent_warps);
        const uint8_t *pixels = (const uint8_t *)out.memory;
        cr_assert(std::count(pixels, pixels + 1000000, 42) == (ptrdiff_t)e.width * e.height);
    }
}

/* Words of a stride meet in gcd(stride, 32) banks' depth. */
Test(emulator, counts_every_stride)
{
    DeviceWords out(32);
    for (int stride = 1; stride <= 33; stride++) {
        int expected = 1;
        while (stride % (expected * 2) == 0 && expected < 32)
            expected *= 2;
        Counts c = count([&] { return lab_stride(4, stride, out.words(), nullptr, nullptr); });
        cr_assert(c.requests[0] == 1 && c.wavefronts[0] == (uint64_t)expected,
                  "stride %d: %d wavefronts, not %d", stride, (int)c.wavefronts[0], expected);
    }
}

/* Several bytes of one word, and one word for all, are one wavefront; 8 and 16 bytes a lane need
 * two and four at the least. */
Test(emulator, counts_other_widths)
{
    static const struct {
        int bytes, stride;
        uint64_t wavefronts;
    } expected[] = {{1, 1, 1}, {1, 4, 1}, {1, 8, 2},  {2, 1, 1},  {2, 4, 2},
                    {8, 1, 2}, {8, 2, 4}, {16, 1, 4}, {16, 2, 8}, {4, 0, 1}};
    DeviceWords out(32);
    for (const auto &e : expected) {
        Counts c =
            count([&] { return lab_stride(e.bytes, e.stride, out.words(), nullptr, nullptr); });
        cr_assert(c.wavefronts[0] == e.wavefronts, "%d bytes, stride %d: %d", e.bytes, e.stride,
                  (int)c.wavefronts[0]);
    }
}

/* 16 warps a block. Of neighbouring pairs all of them split in the first five rounds, as one lane
 * in 2, 4 .. 32 works; then those that have a working lane at all, 8, 4, 2, 1. Sequential
 * addressing splits none until less than a warp is left: one in each of the last five rounds. */
Test(emulator, counts_warps_that_each_round_of_a_sum_splits)
{
    static const uint64_t neighbours[LAB_SUM_ROUNDS] = {16, 16, 16, 16, 16, 8, 4, 2, 1};
    static const uint64_t sequential[LAB_SUM_ROUNDS] = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    enum { COUNT = 3 * LAB_SUM_THREADS };
    DeviceWords in(COUNT), out(3);
    for (LabSum variant : {LAB_SUM_NEIGHBOURS, LAB_SUM_SEQUENTIAL}) {
        uint64_t before = 0;
        for (int rounds = 0; rounds <= LAB_SUM_ROUNDS; rounds++) {
            Counts c = count([&] {
                return lab_sum(variant, (float *)in.memory, COUNT, rounds, (float *)out.memory,
                               nullptr, nullptr);
            });
            uint64_t expected = rounds == 0                     ? 0
                                : variant == LAB_SUM_NEIGHBOURS ? neighbours[rounds - 1]
                                                                : sequential[rounds - 1];
            uint64_t splits = c.divergent_branches - before;
            before = c.divergent_branches;
            if (rounds > 0)
                cr_assert(splits == 3 * expected, "%s, round %d: %d of %d", lab_sum_names[variant],
                          rounds, (int)splits, 3 * (int)expected);
        }
    }
}

/* Whole numbers: every order of additions gives the same. The last block is not full. */
Test(emulator, sums_floats_in_every_variant)
{
    for (size_t length : {(size_t)1, (size_t)511, (size_t)513, (size_t)8191, (size_t)8195}) {
        DeviceWords in(length), out(32);
        double expected = 0;
        for (size_t i = 0; i < length; i++) {
            ((float *)in.memory)[i] = (float)(i % 17);
            expected += (double)(i % 17);
        }
        for (int v = 0; v < LAB_SUMS; v++) {
            cr_assert(lab_sum((LabSum)v, (float *)in.memory, length, LAB_SUM_ROUNDS,
                              (float *)out.memory, nullptr, nullptr) == IMG_OK);
            double sum = 0;
            for (size_t b = 0; b < lab_sum_blocks((LabSum)v, length); b++)
                sum += ((float *)out.memory)[b];
            cr_assert(sum == expected, "%s of %d: %f, not %f", lab_sum_names[v], (int)length, sum,
                      expected);
        }
    }
}
