/* Experiment `guard`: a condition in the kernel stops the threads that are past the edge of an
 * image. */
#include "app/bench/experiments/lab.h"

/* The parameters of a case are the width `a` and the height `b` of an image with one byte per
 * pixel. */
static const LabCase cases[] = {
    {.name = "76 x 62", .a = 76, .b = 62},
    {.name = "200 x 150", .a = 200, .b = 150},
    {.name = "1000 x 1000", .a = 1000, .b = 1000},
    {.name = NULL},
};

/* The value of a variant is the width of a block in threads. All blocks have 256 threads. */
static const LabVariant variants[] = {
    {"16 x 16 blocks", "a warp is two rows of 16 pixels", 16},
    {"32 x 8 blocks", "a warp is one row of 32 pixels", 32},
    {.name = NULL},
};

static size_t pixels(const LabCase *which)
{
    return (size_t)which->a * (size_t)which->b;
}

static LabSize size(const LabCase *which)
{
    return (LabSize){.in = pixels(which), .out = pixels(which), .traffic = 2 * pixels(which)};
}

static void fill(const LabCase *which, void *in)
{
    for (size_t i = 0; i < pixels(which); i++)
        ((uint8_t *)in)[i] = (uint8_t)(i * 7 % 251);
}

static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    (void)variant;
    for (size_t i = 0; i < pixels(which); i++)
        ((uint8_t *)out)[i] = (uint8_t)(2 * ((const uint8_t *)in)[i]);
}

const LabExperiment lab_guard = {
    .name = "guard",
    .title = "Guards at the edges of an image, blocks of 256 threads",
    .help = "Every thread doubles one pixel, if its position is inside the picture: x < "
            "width && y < height. Only a warp that crosses an edge splits and runs twice. A "
            "warp that is wholly inside or wholly outside does not. With blocks of 16 x 16, "
            "31 of 160 warps split at 76 x 62. At 200 x 150, 75 of 1040 warps split: 80 "
            "warps lie in the right column of blocks, but five of them contain no row of "
            "the picture. At 1000 x 1000 less than 2 % split: the larger the picture, the "
            "less a guard costs. Look at the split warps. Source: Hwu, Kirk, El Hajj, "
            "\"Programming Massively Parallel Processors\", chapters 3 and 4.",
    .sources = "app/bench/experiments/cuda/guard.cu",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_SPLIT_WARPS},
    .size = size,
    .fill = fill,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_guard),
};
