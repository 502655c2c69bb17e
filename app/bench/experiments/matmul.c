/* Experiment `matmul`: the product of two matrices of any size. */
#include "app/bench/experiments/cuda/variants.h"

#include <string.h>

#include "app/bench/experiments/lab.h"

/* Small cases for LabCase.counted, because counting is slow. The parameters of each case are sizes
 * of the matrices of the product A x B. `a` is the number of rows of A. `b` is the number of
 * columns of A and of rows of B. `c` is the number of columns of B. */
static const LabCase few[] = {
    {.name = "128 x 128 by 128 x 128", .a = 128, .b = 128, .c = 128},
    {.name = "130 x 67 by 67 x 71", .a = 130, .b = 67, .c = 71},
};

static const LabCase cases[] = {
    {.name = "1024 x 1024 by 1024 x 1024", .a = 1024, .b = 1024, .c = 1024, .counted = &few[0]},
    {.name = "1000 x 999 by 999 x 1001", .a = 1000, .b = 999, .c = 1001, .counted = &few[1]},
    {.name = NULL},
};

static const LabVariant variants[] = {
    {"global memory only", "one thread per element reads a row and a column", LAB_MATMUL_GLOBAL},
    {"tiles of 16", "blocks share tiles of 16 x 16 in shared memory", LAB_MATMUL_TILES_16},
    {"tiles of 32", "blocks share tiles of 32 x 32 in shared memory", LAB_MATMUL_TILES_32},
    {"register blocking",
     "8 x 8 elements per thread, padded and double-buffered tiles for 128 x 64 per block",
     LAB_MATMUL_REGISTERS},
    {.name = NULL},
};

static size_t product(int32_t rows, int32_t columns)
{
    return (size_t)rows * (size_t)columns;
}

static LabSize size(const LabCase *which)
{
    size_t in = lab_matmul_second(which) + product(which->b, which->c);
    size_t out = product(which->a, which->c);
    return (LabSize){
        .in = in * sizeof(float),
        .out = out * sizeof(float),
        .traffic =
            (product(which->a, which->b) + product(which->b, which->c) + out) * sizeof(float),
        .operations = 2 * (uint64_t)out * (uint64_t)which->b,
    };
}

/* Fills both matrices with whole numbers from -5 to 5. Every order of additions then gives the same
 * result. */
static void fill(const LabCase *which, void *in)
{
    float *floats = in;
    size_t count = size(which).in / sizeof(float);
    for (size_t i = 0; i < count; i++)
        floats[i] = (float)(i * 5 % 9 + i / 128 % 3) - 5;
}

static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    (void)variant;
    const float *a = in, *b = a + lab_matmul_second(which);
    float *restrict c = out;
    size_t inner = (size_t)which->b, columns = (size_t)which->c;
    memset(out, 0, size(which).out);
    for (size_t y = 0; y < (size_t)which->a; y++)
        for (size_t k = 0; k < inner; k++)
            for (size_t x = 0; x < columns; x++)
                c[y * columns + x] += a[y * inner + k] * b[k * columns + x];
}

const LabExperiment lab_matmul = {
    .name = "matmul",
    .title = "Product of two matrices of floats",
    .help = "With global memory only, every element of the product reads a row and a "
            "column. A block reads a tile once into shared memory for all its threads. The "
            "requests of global reads then fall by the width of the tile. The sectors fall "
            "by less, because the threads of a warp shared sectors before. When a thread "
            "computes 8 x 8 elements, it uses each number that it reads from shared memory "
            "eight times. Padding lets the transposed tile of A be written without "
            "conflicts. Look at the wavefronts of shared reads and at GFLOP/s. Matrix sides "
            "that are not multiples of a tile need guards, and those that are not multiples "
            "of four exclude vector loads. Sources: CUDA C++ Programming Guide, \"Shared "
            "Memory\"; Hwu, Kirk, El Hajj, \"Programming Massively Parallel Processors\", "
            "chapters 5 and 6.",
    .sources = "app/bench/experiments/cuda/matmul.cu "
               "app/bench/experiments/cuda/matmul_registers.cuh",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_GLOBAL_READS, LAB_SHARED_READ_WAVEFRONTS},
    .size = size,
    .fill = fill,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_matmul),
};
