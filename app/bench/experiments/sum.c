/* Experiments `sum` and `sum-rounds`: blocks of threads add floats. `sum` compares whole sums,
 * `sum-rounds` the single rounds of a sum. */
#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/lab.h"

enum { FLOATS = 4000000, FEW = 16384 };

/* A small case for LabCase.counted, because counting is slow. The parameters of each case are the
 * number of floats (`a`) and the number of rounds (`b`). */
static const LabCase few = {.name = "16,384 floats", .a = FEW, .b = LAB_SUM_ROUNDS};

static const LabCase sum_cases[] = {
    {.name = "4,000,000 floats", .a = FLOATS, .b = LAB_SUM_ROUNDS, .counted = &few},
    {.name = NULL},
};

static const LabVariant sum_variants[] = {
    {"neighbouring pairs", "every second, fourth, .. thread adds: all warps split",
     LAB_SUM_NEIGHBOURS},
    {"sequential addressing", "the first half, quarter, .. of the threads adds: whole warps",
     LAB_SUM_SEQUENTIAL},
    {"first add on load", "the same, but each thread first adds two floats", LAB_SUM_FIRST_ADD},
    {"warp shuffles", "two floats per thread; each warp adds with shuffles", LAB_SUM_SHUFFLE},
    {"vectorised", "16 floats per thread, loaded 16 bytes at a time; shuffles", LAB_SUM_VECTOR},
    {.name = NULL},
};

/* BLOCK defines a case of one block that stops after `rounds` rounds. ROUND defines a case of
 * FLOATS floats that stops after `rounds` rounds. Its counts are the counts of one block after
 * `rounds` rounds, minus the counts after `rounds` - 1 rounds, which leaves the last round. */
#define BLOCK(rounds)                                                                              \
    {                                                                                              \
        .name = "one block, " #rounds " rounds", .a = LAB_SUM_THREADS, .b = (rounds)               \
    }
#define ROUND(rounds)                                                                              \
    {                                                                                              \
        .name = "round " #rounds, .a = FLOATS, .b = (rounds), .counted = &blocks[rounds],          \
        .less = &blocks[(rounds)-1]                                                                \
    }

static const LabCase blocks[LAB_SUM_ROUNDS + 1] = {
    BLOCK(0), BLOCK(1), BLOCK(2), BLOCK(3), BLOCK(4),
    BLOCK(5), BLOCK(6), BLOCK(7), BLOCK(8), BLOCK(9),
};

static const LabCase round_cases[] = {
    ROUND(1), ROUND(2), ROUND(3), ROUND(4), ROUND(5),
    ROUND(6), ROUND(7), ROUND(8), ROUND(9), {.name = NULL},
};

static const LabVariant round_variants[] = {
    {"neighbouring pairs", "every second, fourth, .. thread adds", LAB_SUM_NEIGHBOURS},
    {"sequential addressing", "the first half, quarter, .. of the threads adds",
     LAB_SUM_SEQUENTIAL},
    {.name = NULL},
};

static LabSize size(const LabCase *which)
{
    size_t count = (size_t)which->a, places = (count + LAB_SUM_THREADS - 1) / LAB_SUM_THREADS;
    LabSize size = {.in = count * sizeof(float), .out = places * sizeof(float)};
    size.traffic = size.in + size.out;
    return size;
}

/* Fills the input with whole numbers from 0 to 16. Every order of additions then gives the same
 * result. */
static void fill(const LabCase *which, void *in)
{
    for (int32_t i = 0; i < which->a; i++)
        ((float *)in)[i] = (float)(i % 17);
}

/* Returns the sum that thread 0 of a block has after which->b rounds. The inputs of the block start
 * at index `first`. The sum contains 2^rounds inputs, which are adjacent for LAB_SUM_NEIGHBOURS and
 * evenly spaced otherwise. */
static float gathered(const LabVariant *variant, const LabCase *which, const float *in,
                      size_t first)
{
    size_t taken = (size_t)1 << which->b;
    size_t step = variant->value == LAB_SUM_NEIGHBOURS ? 1 : LAB_SUM_THREADS >> which->b;
    float sum = 0;
    for (size_t i = 0; i < taken && first + i * step < (size_t)which->a; i++)
        sum += in[first + i * step];
    return sum;
}

/* Computes the expected output. `out` has one element per LAB_SUM_THREADS inputs. A block that adds
 * several times as many inputs owns several elements: the first one is the sum, the others are
 * zeros. */
static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    size_t parts = LAB_SUM_PARTS(variant->value), places = size(which).out / sizeof(float);
    float *sums = out;
    for (size_t i = 0; i < places; i++) {
        sums[i] = 0;
        sums[i - i % parts] += gathered(variant, which, in, i * LAB_SUM_THREADS);
    }
}

const LabExperiment lab_sum = {
    .name = "sum",
    .title = "Sum of floats, by blocks of 512 threads",
    .help = "Five steps from the textbook's first parallel sum to one that is limited by "
            "memory. Every block writes its own sum. When neighbouring pairs are added, the "
            "working threads are spread over all warps, and each warp splits. Sequential "
            "addressing keeps them together. In the next steps each thread adds two floats "
            "when it loads them, warps use shuffles instead of shared memory, and loads "
            "take 16 bytes. Look at the split branches of the first two steps, and at the "
            "speed-up over the first. (The lane that stores its warp's sum counts as a "
            "split too, although a GPU uses a predicate for it.) Published rates for a "
            "small GPU are 18.6 GB/s for the first step and 25.8 GB/s for the second. "
            "Sources: Hwu, Kirk, El Hajj, \"Programming Massively Parallel Processors\", "
            "chapter 10; Harris, \"Optimizing parallel reduction in CUDA\".",
    .sources = "app/bench/experiments/cuda/sum.cu",
    .cases = sum_cases,
    .variants = sum_variants,
    .counters = {LAB_SPLIT_BRANCHES},
    .size = size,
    .fill = fill,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_sum),
};

const LabExperiment lab_sum_rounds = {
    .name = "sum-rounds",
    .title = "The nine rounds of a sum, one by one",
    .help = "The sum by blocks of 512 threads stops after each of its nine rounds. The "
            "counts are those of one round, in one block of 16 warps. The times are those "
            "of all rounds up to that one, for 4,000,000 floats. Look at the split "
            "branches: they show how many warps split in the round. With neighbouring pairs "
            "they are 16 16 16 16 16 8 4 2 1, and with sequential addressing 0 0 0 0 1 1 1 "
            "1 1. The column of split warps does not show this, because a warp that splits "
            "in several rounds counts once. Source: Hwu, Kirk, El Hajj, \"Programming "
            "Massively Parallel Processors\", chapter 10.",
    .sources = "app/bench/experiments/cuda/sum.cu",
    .cases = round_cases,
    .variants = round_variants,
    .counters = {LAB_SPLIT_BRANCHES},
    .size = size,
    .fill = fill,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_sum_rounds),
};
