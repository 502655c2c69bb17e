/* Experiment `rectangle`: same as the experiment `square`, but the array in shared memory has 32 x
 * 16 words. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"

enum { WIDTH = 32, HEIGHT = 16, WORDS = WIDTH * HEIGHT };

/* The parameter `a` of a case is the number of blocks. */
static const LabCase cases[] = {
    {.name = "32 x 16, one block", .a = 1},
    {.name = "32 x 16, 32,768 blocks", .a = 32768, .counted = &cases[0]},
    {.name = NULL},
};

static const LabVariant variants[] = {
    {"row/row", "written and read by rows: a warp accesses 32 banks", LAB_ROW_ROW},
    {"column/column", "written and read by columns of 16 words: a warp accesses two banks",
     LAB_COLUMN_COLUMN},
    {"row/column", "written by rows, read by the transposed index", LAB_ROW_COLUMN},
    {"row/column dynamic", "the same, with a size set by the launch", LAB_ROW_COLUMN_DYNAMIC},
    {"row/column padded", "rows of 34 words: two columns use 32 banks", LAB_ROW_COLUMN_PADDED},
    {"row/column padded dynamic", "rows of 34 words, with a size set by the launch",
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
        for (int i = 0; i < WORDS; i++)
            *words++ = variant->value < LAB_ROW_COLUMN ? i : i % HEIGHT * WIDTH + i / HEIGHT;
}

const LabExperiment lab_rectangle = {
    .name = "rectangle",
    .title = "Rectangular shared memory, 32 x 16 ints per block",
    .help = "The same experiment as 'square', with a block 32 wide and 16 high. To read a "
            "rectangle back transposed, threads need the transposed index: thread i reads "
            "row i % 16 and column i / 16. A warp then reads two whole columns of 16 words, "
            "and each column lies in one bank: 256 wavefronts for 16 warps. Two words of "
            "padding after each row send one column to the even banks and the other to the "
            "odd banks: 16 wavefronts, as many as by rows. Source: Cheng, Grossman, "
            "McKercher, \"Professional CUDA C Programming\", chapter 5.",
    .sources = "app/bench/experiments/cuda/rectangle.cu",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_SHARED_WAVEFRONTS},
    .size = size,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_rectangle),
};
