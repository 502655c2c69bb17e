/* Tests of the emulator. It must find deliberate faults, accept correct code, and report the same
 * counts as hardware. */
#include <criterion/criterion.h>

#include <fstream>
#include <string.h>
#include <vector>

#include "app/bench/experiments/experiment.h"
#include "app/bench/model/cuda/cuda_runtime.h"
#include "app/bench/model/model_run.h"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/self_test.h"
#include "tests/emulator/faults.h"
#include "tests/emulator/intrinsics.h"

using namespace emulator;

/* Device memory that is freed when the test ends. */
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

/* --- Faults ----------------------------------------------------------------------------------- */

/* Returns the number of the line in faults.cu that ends with the name of the fault. */
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

Test(emulator, accepts_correct_kernels)
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

/* `launch` returns IMG_OK even after a fault, as the launchers of the GPU model do. count_launches
 * must nevertheless return the fault as an error. */
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

Test(emulator, rejects_launches_that_no_gpu_accepts)
{
    for (unsigned threads : {0u, 1025u}) {
        launch(nullptr, dim3(1), dim3(threads), 0, [] {});
        cr_assert(cudaGetLastError() == cudaErrorInvalidConfiguration);
        cr_assert(cudaGetLastError() == cudaSuccess);
    }
}

/* Runs the kernel of the self-test, because neither checkkernels nor the lab runs it. */
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

Test(emulator, reveals_blocks_that_depend_on_each_other)
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

/* --- Intrinsics ------------------------------------------------------------------------------- */

Test(emulator, computes_the_intrinsics)
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
                7 + 2 * 65535 + 5 * 3,
                1 + 255 + 1,
                0x00040001,
                0x0005fff0,
                0x4b800000 + (10 + lane) / 2,
                0x44000000 + lane * 3 / 4,
                lane < 2 ? 0 : 0x3f800000u,
                8 + 1500 + 80000 + 41000000,
                0xac300000,
                0x170,
                496 + 31000 + 700000 + 1000000000,
            };
            for (int k = 0; k < INTRINSICS; k++)
                cr_assert(out.words()[k * 32 + (int)lane] == expected[k],
                          "number %d, lane %u: %#x, not %#x", k, lane,
                          out.words()[k * 32 + (int)lane], expected[k]);
        }
    }
}

/* --- Counts ----------------------------------------------------------------------------------- */

/* Runs a variant of an experiment in app/bench/experiments, and expects the result of its reference
 * in plain C. Returns the counts of its only kernel. */
static KernelCounts count_lab(const char *experiment_name, const char *variant_name,
                              const LabCase &which)
{
    const LabExperiment *experiment = lab_find(experiment_name);
    const LabVariant *variant = lab_find_variant(experiment, variant_name);
    LabSize size = experiment->size(&which);
    DeviceWords in(size.in / 4 + 1), out(size.out / 4 + 1);
    std::vector<unsigned char> expected(size.out);
    if (experiment->fill != nullptr)
        experiment->fill(&which, in.memory);
    options().counting = true;
    clear_counts();
    cr_assert(experiment->launch(variant, &which, in.memory, out.memory, nullptr, nullptr) ==
              IMG_OK);
    experiment->reference(variant, &which, in.memory, expected.data());
    cr_assert(memcmp(out.memory, expected.data(), size.out) == 0, "%s, %s, %d %d %d: wrong result",
              experiment_name, variant_name, which.a, which.b, which.c);
    std::vector<KernelCounts> all = counts();
    cr_assert(all.size() == 1);
    return all[0];
}

static LabCase lab_case(int32_t a, int32_t b = 0, int32_t c = 0)
{
    return {"", a, b, c, nullptr, nullptr};
}

struct TileCounts {
    const char *variant;
    uint64_t written, read;
};

/* Checks the counts for one block, whose tile has as many rows as the block has warps. */
static void expect_wavefronts(const char *experiment, const TileCounts &e, uint64_t warps)
{
    Counts c = count_lab(experiment, e.variant, lab_case(1, static_cast<int32_t>(warps))).all;
    cr_assert(c.requests[0] == warps && c.requests[1] == warps);
    cr_assert(c.wavefronts[1] == e.written && c.wavefronts[0] == e.read, "%s: %d and %d", e.variant,
              (int)c.wavefronts[1], (int)c.wavefronts[0]);
    cr_assert(c.global_requests[1] == warps && c.global_sectors[1] == 4 * warps);
}

/* The tile has 32 rows. One warp writes or reads each row, or each column, with one request. If all
 * 32 lanes access the same bank, a request takes 32 wavefronts. */
Test(emulator, counts_the_square_tile)
{
    static const TileCounts expected[] = {
        {"row/row", 32, 32},           {"column/column", 1024, 1024},
        {"row/column", 32, 1024},      {"row/column dynamic", 32, 1024},
        {"row/column padded", 32, 32}, {"row/column padded dynamic", 32, 32},
    };
    for (const TileCounts &e : expected)
        expect_wavefronts("square", e, 32);
}

/* The tile has 16 warps. With rows of 16 words, the 32 lanes of a column hit 2 banks, so a request
 * takes 16 wavefronts. A transposed read of rows of 32 words takes two columns of 16 words, so it
 * takes 16 wavefronts too. With rows of 34 words one column is in even banks and the other one in
 * odd banks. */
Test(emulator, counts_the_rectangular_tile)
{
    static const TileCounts expected[] = {
        {"row/row", 16, 16},           {"column/column", 256, 256},
        {"row/column", 16, 256},       {"row/column dynamic", 16, 256},
        {"row/column padded", 16, 16}, {"row/column padded dynamic", 16, 16},
    };
    for (const TileCounts &e : expected)
        expect_wavefronts("rectangle", e, 16);
}

/* A block has 16 x 16 threads, so a warp is two rows of it.
 * 76 x 62 pixels give 5 x 4 blocks of 8 warps. The right column of blocks covers 12 columns of
 * pixels, so its warps diverge. Its rows need 31 warps; the 32nd warp is below the picture. No warp
 * of the bottom blocks is partly below it.
 * 200 x 150 pixels have 75 divergent warps in the right column. All lanes of the next 5 warps are
 * below the picture.
 * In blocks of 32 x 8 threads a warp is one row, so each of 62 rows has one divergent warp. */
Test(emulator, counts_warps_that_diverge_at_a_guard)
{
    static const struct {
        const char *variant;
        int width, height;
        uint64_t warps, divergent;
    } expected[] = {{"16 x 16 blocks", 76, 62, 160, 31},
                    {"16 x 16 blocks", 200, 150, 1040, 75},
                    {"16 x 16 blocks", 1000, 1000, 31752, 500},
                    {"32 x 8 blocks", 76, 62, 192, 62},
                    {"32 x 8 blocks", 64, 61, 128, 0}};
    for (const auto &e : expected) {
        KernelCounts kernel = count_lab("guard", e.variant, lab_case(e.width, e.height));
        cr_assert(kernel.warps == e.warps && kernel.divergent_warps == e.divergent,
                  "%s, %d x %d: %d warps, %d divergent", e.variant, e.width, e.height,
                  (int)kernel.warps, (int)kernel.divergent_warps);
    }
}

static Counts count_stride(int bytes, int stride, int reads = 1)
{
    std::string name = stride == 0 ? "broadcast" : "stride " + std::to_string(stride);
    return count_lab("stride", name.c_str(), lab_case(bytes, reads, 1)).all;
}

/* Words at a distance of `stride` words take gcd(stride, 32) wavefronts. */
Test(emulator, counts_every_stride)
{
    for (int stride = 1; stride <= 33; stride++) {
        int expected = 1;
        while (stride % (expected * 2) == 0 && expected < 32)
            expected *= 2;
        Counts c = count_stride(4, stride);
        cr_assert(c.requests[0] == 1 && c.wavefronts[0] == (uint64_t)expected,
                  "stride %d: %d wavefronts, not %d", stride, (int)c.wavefronts[0], expected);
    }
}

/* Lanes that read the same word, or different bytes of it, share one wavefront. Accesses of 8 bytes
 * per lane take at least two wavefronts, accesses of 16 bytes at least four. */
Test(emulator, counts_other_widths)
{
    static const struct {
        int bytes, stride;
        uint64_t wavefronts;
    } expected[] = {{1, 1, 1}, {1, 4, 1}, {1, 8, 2},  {2, 1, 1},  {2, 4, 2},
                    {8, 1, 2}, {8, 2, 4}, {16, 1, 4}, {16, 2, 8}, {4, 0, 1}};
    for (const auto &e : expected) {
        Counts c = count_stride(e.bytes, e.stride);
        cr_assert(c.requests[0] == 1 && c.wavefronts[0] == e.wavefronts,
                  "%d bytes, stride %d: %d in %d requests", e.bytes, e.stride, (int)c.wavefronts[0],
                  (int)c.requests[0]);
        cr_assert(count_stride(e.bytes, e.stride, 5).wavefronts[0] == 5 * e.wavefronts);
    }
}

/* A block of the sum has 16 warps. With neighbouring pairs, one lane in 2, 4, 8, 16 or 32 is active
 * in the first five rounds, so all warps diverge. In later rounds only a warp with an active lane
 * diverges: 8, 4, 2, then 1. With sequential addressing no warp diverges until less than one warp
 * is active. One warp diverges in each of the last five rounds. */
Test(emulator, counts_warps_that_diverge_in_each_round_of_a_sum)
{
    static const struct {
        const char *variant;
        uint64_t splits[9];
    } expected[] = {{"neighbouring pairs", {16, 16, 16, 16, 16, 8, 4, 2, 1}},
                    {"sequential addressing", {0, 0, 0, 0, 1, 1, 1, 1, 1}}};
    const LabCase *cases = lab_find("sum-rounds")->cases;
    for (const auto &e : expected)
        for (int round = 0; round < 9; round++) {
            const LabCase &which = cases[round];
            uint64_t with =
                count_lab("sum-rounds", e.variant, *which.counted).all.divergent_branches;
            uint64_t less = count_lab("sum-rounds", e.variant, *which.less).all.divergent_branches;
            cr_assert(with - less == e.splits[round], "%s, %s: %d", e.variant, which.name,
                      (int)(with - less));
        }
}

/* Runs every variant of the experiment on the case `which` and expects the result of its reference.
 * Tests use it for sizes that are not multiples of a block. */
static void expect_right(const char *experiment_name, const LabCase &which)
{
    const LabVariant *variant = lab_find(experiment_name)->variants;
    for (; variant->name != nullptr; variant++)
        count_lab(experiment_name, variant->name, which);
}

Test(emulator, sums_floats_of_any_number)
{
    for (int32_t floats : {1, 511, 513, 8191, 8195, 16384 + 512})
        expect_right("sum", lab_case(floats, 9));
}

/* The largest tiles, of the variant "register blocking", have 128 x 64 elements and are 16 deep.
 * The sizes test partial tiles, loads of four floats, and loads of single floats. */
Test(emulator, multiplies_matrices_of_any_size)
{
    static const int32_t sizes[][3] = {{1, 1, 1},   {2, 3, 4},    {129, 17, 65},
                                       {4, 20, 68}, {130, 4, 12}, {31, 33, 2}};
    for (const auto &size : sizes)
        expect_right("matmul", lab_case(size[0], size[1], size[2]));
}

/* Multiplies 128 x 128 by 128 x 128 elements with 512 warps. Without tiles, a warp reads one
 * element of A and 32 of B in each of 128 steps. With tiles, each thread reads two elements per
 * tile, which saves 15 of 16 or 31 of 32 requests. With 128 x 64 elements of C per block ("register
 * blocking"), the two blocks read A twice and B once, 2048 sectors each time. In each of 128 steps,
 * each of their 4 warps takes 12 wavefronts of shared memory, and each thread 64 multiplications.
 * */
Test(emulator, counts_the_savings_of_tiles)
{
    LabCase which = lab_case(128, 128, 128);
    Counts global = count_lab("matmul", "global memory only", which).all;
    Counts tiles_16 = count_lab("matmul", "tiles of 16", which).all;
    Counts tiles_32 = count_lab("matmul", "tiles of 32", which).all;
    Counts registers = count_lab("matmul", "register blocking", which).all;
    cr_assert(global.global_requests[0] == 512 * 128 * 2);
    cr_assert(global.global_sectors[0] == 512 * 128 * 5);
    cr_assert(tiles_16.global_requests[0] == global.global_requests[0] / 16);
    cr_assert(tiles_32.global_requests[0] == global.global_requests[0] / 32);
    cr_assert(tiles_32.wavefronts[0] == tiles_32.requests[0]);
    cr_assert(registers.global_sectors[0] == 3 * 2048);
    cr_assert(registers.wavefronts[0] == 2 * 4 * 128 * 12);
}

Test(emulator, handles_any_number_of_three_components)
{
    for (int32_t count : {1, 15, 17, 255, 1023, 1025, 4095, 4097, 4111})
        for (int32_t bytes : {1, 4})
            expect_right("coalescing", lab_case(bytes, count));
}

/* 4096 pixels have 12,288 bytes, which are 384 sectors. With one thread per element, a warp makes
 * three accesses, one per component. Each of them touches all sectors of the warp's pixels. */
Test(emulator, counts_sectors_of_three_components)
{
    static const struct {
        const char *variant;
        uint64_t sectors;
    } expected[] = {
        {"one thread per element", 3 * 384}, {"staged", 384}, {"packed", 384}, {"planes", 384}};
    for (const auto &e : expected) {
        Counts c = count_lab("coalescing", e.variant, lab_case(1, 4096)).all;
        cr_assert(c.global_sectors[0] == e.sectors && c.global_sectors[1] == e.sectors,
                  "%s: %d and %d", e.variant, (int)c.global_sectors[0], (int)c.global_sectors[1]);
    }
}
