/* Experiment `square`: the threads of a block write their indices to a square of shared memory, and
 * read them back in another order. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"

enum { SIDE = 32, WORDS = SIDE * SIDE };

/* The parameter `a` of a case is the number of blocks. One block runs too briefly for a clock to
 * distinguish the variants, so there is also a case with many blocks. */
static const LabCase cases[] = {
    {.name = "32 x 32, one block", .a = 1},
    {.name = "32 x 32, 16,384 blocks", .a = 16384, .counted = &cases[0]},
    {.name = NULL},
};

static const LabVariant variants[] = {
    {"row/row", "written and read by rows: a warp accesses 32 banks", LAB_ROW_ROW},
    {"column/column", "written and read by columns: a warp accesses one bank", LAB_COLUMN_COLUMN},
    {"row/column", "written by rows, read by columns: a transpose", LAB_ROW_COLUMN},
    {"row/column dynamic", "the same, with a size set by the launch", LAB_ROW_COLUMN_DYNAMIC},
    {"row/column padded", "rows of 33 words: a column uses 32 banks", LAB_ROW_COLUMN_PADDED},
    {"row/column padded dynamic", "rows of 33 words, with a size set by the launch",
     LAB_ROW_COLUMN_PADDED_DYNAMIC},
    {.name = NULL},
};

static LabSize size(const LabCase *which)
{
    size_t bytes = (size_t)which->a * WORDS * sizeof(int32_t);
    return (LabSize){.out = bytes, .traffic = bytes};
}

static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    (void)in;
    int32_t *words = out;
    for (int32_t block = 0; block < which->a; block++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                *words++ = variant->value < LAB_ROW_COLUMN ? y * SIDE + x : x * SIDE + y;
}

const LabExperiment lab_square = {
    .name = "square",
    .title = "Square shared memory, 32 x 32 ints per block",
    .help = "Each thread of a block of 32 x 32 writes its number into a square of shared "
            "memory, by rows or by columns. Then it reads a number back, by rows or by "
            "columns. By rows, the 32 threads of a warp access 32 different banks: 32 "
            "wavefronts for the 32 warps. By columns, they all access the same bank, which "
            "serves them one after another: 1024 wavefronts. One word of padding after each "
            "row distributes the columns over all banks: 32 wavefronts again. Whether the "
            "kernel or the launch sets the size of the memory makes no difference. Source: "
            "Cheng, Grossman, McKercher, \"Professional CUDA C Programming\", chapter 5.",
    .sources = "app/bench/experiments/cuda/square.cu",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_SHARED_WAVEFRONTS},
    .size = size,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_square),
};
