/* Experiment `coalescing`: access to elements of three components, such as RGB pixels. No single
 * load of a GPU (1, 2, 4, 8 or 16 bytes) has the size of one element. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"

/* Small cases for LabCase.counted, because counting is slow. The parameters of each case are the
 * bytes per component `a` (1 for integers, 4 for floats) and the number of elements `b`. Some
 * numbers of elements are odd, so that they are not multiples of the number that a thread or block
 * processes. */
static const LabCase few[] = {
    {.name = "12,288 RGB", .a = 1, .b = 12288},
    {.name = "12,295 RGB", .a = 1, .b = 12295},
    {.name = "4,096 float3", .a = 4, .b = 4096},
    {.name = "4,099 float3", .a = 4, .b = 4099},
};

static const LabCase cases[] = {
    {.name = "12,000,000 RGB", .a = 1, .b = 12000000, .counted = &few[0]},
    {.name = "12,000,007 RGB", .a = 1, .b = 12000007, .counted = &few[1]},
    {.name = "4,000,000 float3", .a = 4, .b = 4000000, .counted = &few[2]},
    {.name = "4,000,003 float3", .a = 4, .b = 4000003, .counted = &few[3]},
    {.name = NULL},
};

static const LabVariant variants[] = {
    {"one thread per element", "three accesses, each spread over three times the necessary bytes",
     LAB_ELEMENTS},
    {"staged", "loaded and stored as contiguous vectors, split into elements in shared memory",
     LAB_STAGED},
    {"packed", "contiguous vectors of 16 bytes, split in registers, with shuffles", LAB_PACKED},
    {"planes", "each component in its own contiguous plane", LAB_PLANES},
    {.name = NULL},
};

static LabSize size(const LabCase *which)
{
    size_t bytes = 3 * (size_t)which->a * (size_t)which->b;
    return (LabSize){.in = bytes, .out = bytes, .traffic = 2 * bytes};
}

/* Fills the input. Floats are multiples of 1/256, so that the arithmetic is exact. */
static void fill(const LabCase *which, void *in)
{
    size_t count = 3 * (size_t)which->b;
    for (size_t i = 0; i < count; i++) {
        uint8_t value = (uint8_t)(i * 37 % 253);
        if (which->a == 1)
            ((uint8_t *)in)[i] = value;
        else
            ((float *)in)[i] = (float)value / 256;
    }
}

/* Computes the expected output: red and blue are swapped, and all three components are inverted. */
static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    size_t count = (size_t)which->b;
    bool planes = variant->value == LAB_PLANES;
    size_t element = planes ? 1 : 3, component = planes ? count : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) {
            size_t to = i * element + k * component, from = i * element + (2 - k) * component;
            if (which->a == 1)
                ((uint8_t *)out)[to] = (uint8_t)(255 - ((const uint8_t *)in)[from]);
            else
                ((float *)out)[to] = 1 - ((const float *)in)[from];
        }
}

const LabExperiment lab_coalescing = {
    .name = "coalescing",
    .title = "Elements of three components: red and blue swapped, all inverted",
    .help = "A thread cannot load three bytes or three floats at once. With one thread per "
            "element, it makes three accesses, and each of them touches all sectors of its "
            "warp. That is three times the necessary number of sectors, with few bytes in "
            "flight. The variant 'staged' goes through shared memory, so that global "
            "accesses are contiguous vectors. In 'packed' they are contiguous too, and "
            "lanes exchange the components of an element by shuffles. In 'planes' the "
            "components of one kind are contiguous in memory. Look at the global sectors, "
            "at least one per 32 bytes, and at the rate as a part of a device copy, which "
            "'staged' and 'packed' should reach. Source: CUDA C++ Best Practices Guide, "
            "\"Coalesced Access to Global Memory\".",
    .sources = "app/bench/experiments/cuda/coalescing.cu",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_GLOBAL_SECTORS},
    .size = size,
    .fill = fill,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_coalescing),
};
