/* Experiments `square` and `rectangle`: the threads of a block write their indices to an array in
 * shared memory, and read them back in another order. The array has 32 x 32 or 32 x 16 words. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"

enum { WIDTH = 32 };

/* The parameters of a case are the number of blocks (`a`) and the height of the array (`b`). One
 * block runs too briefly for a clock to distinguish the variants, so there is also a case with many
 * blocks. */
static const LabCase square_cases[] = {
    {.name = "32 x 32, one block", .a = 1, .b = 32},
    {.name = "32 x 32, 16,384 blocks", .a = 16384, .b = 32, .counted = &square_cases[0]},
    {.name = NULL},
};

static const LabCase rectangle_cases[] = {
    {.name = "32 x 16, one block", .a = 1, .b = 16},
    {.name = "32 x 16, 32,768 blocks", .a = 32768, .b = 16, .counted = &rectangle_cases[0]},
    {.name = NULL},
};

static const LabVariant square_variants[] = {
    {"row/row", "written and read by rows: a warp accesses 32 banks", LAB_ROW_ROW},
    {"column/column", "written and read by columns: a warp accesses one bank", LAB_COLUMN_COLUMN},
    {"row/column", "written by rows, read by columns: a transpose", LAB_ROW_COLUMN},
    {"row/column dynamic", "the same, with a size set by the launch", LAB_ROW_COLUMN_DYNAMIC},
    {"row/column padded", "rows of 33 words: a column uses 32 banks", LAB_ROW_COLUMN_PADDED},
    {"row/column padded dynamic", "rows of 33 words, with a size set by the launch",
     LAB_ROW_COLUMN_PADDED_DYNAMIC},
    {.name = NULL},
};

static const LabVariant rectangle_variants[] = {
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
    size_t bytes = (size_t)which->a * WIDTH * (size_t)which->b * sizeof(int32_t);
    return (LabSize){.out = bytes, .traffic = bytes};
}

static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    (void)in;
    int32_t *words = out;
    const int32_t height = which->b;
    for (int32_t block = 0; block < which->a; block++)
        for (int32_t i = 0; i < WIDTH * height; i++)
            *words++ = variant->value < LAB_ROW_COLUMN ? i : i % height * WIDTH + i / height;
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
    .cases = square_cases,
    .variants = square_variants,
    .counters = {LAB_SHARED_WAVEFRONTS},
    .size = size,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_square),
};

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
    .cases = rectangle_cases,
    .variants = rectangle_variants,
    .counters = {LAB_SHARED_WAVEFRONTS},
    .size = size,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_rectangle),
};
