/* Experiment `stride`: the threads of a warp read elements of shared memory that are a stride
 * apart. */
#include "app/bench/experiments/lab.h"

enum { THREADS = 32, WORD = 4, READS = 1024, BLOCKS = 4096 };

/* Small cases for LabCase.counted, because counting is slow. The parameters of each case are the
 * bytes per access (`a`), the reads per thread (`b`), and the number of blocks (`c`). A block is
 * one warp. */
static const LabCase counted[] = {
    {.name = "1 byte, one read of one warp", .a = 1, .b = 1, .c = 1},
    {.name = "2 bytes, one read of one warp", .a = 2, .b = 1, .c = 1},
    {.name = "4 bytes, one read of one warp", .a = 4, .b = 1, .c = 1},
    {.name = "8 bytes, one read of one warp", .a = 8, .b = 1, .c = 1},
    {.name = "16 bytes, one read of one warp", .a = 16, .b = 1, .c = 1},
};

static const LabCase cases[] = {
    {.name = "1 byte", .a = 1, .b = READS, .c = BLOCKS, .counted = &counted[0]},
    {.name = "2 bytes", .a = 2, .b = READS, .c = BLOCKS, .counted = &counted[1]},
    {.name = "4 bytes", .a = 4, .b = READS, .c = BLOCKS, .counted = &counted[2]},
    {.name = "8 bytes", .a = 8, .b = READS, .c = BLOCKS, .counted = &counted[3]},
    {.name = "16 bytes", .a = 16, .b = READS, .c = BLOCKS, .counted = &counted[4]},
    {.name = NULL},
};

#define ODD(stride)                                                                                \
    {                                                                                              \
        "stride " #stride, "odd: words of 4 bytes use 32 banks", stride                            \
    }
#define EVEN(stride, depth)                                                                        \
    {                                                                                              \
        "stride " #stride, "even: a bank has " #depth " of the words of 4 bytes", stride           \
    }

static const LabVariant variants[] = {
    ODD(1),         EVEN(2, 2),
    ODD(3),         EVEN(4, 4),
    ODD(5),         EVEN(6, 2),
    ODD(7),         EVEN(8, 8),
    ODD(9),         EVEN(10, 2),
    ODD(11),        EVEN(12, 4),
    ODD(13),        EVEN(14, 2),
    ODD(15),        EVEN(16, 16),
    ODD(17),        EVEN(18, 2),
    ODD(19),        EVEN(20, 4),
    ODD(21),        EVEN(22, 2),
    ODD(23),        EVEN(24, 8),
    ODD(25),        EVEN(26, 2),
    ODD(27),        EVEN(28, 4),
    ODD(29),        EVEN(30, 2),
    ODD(31),        EVEN(32, 32),
    ODD(33),        {"broadcast", "all threads read the same element", 0},
    {.name = NULL},
};

static LabSize size(const LabCase *which)
{
    size_t bytes = (size_t)which->c * THREADS * sizeof(uint32_t);
    return (LabSize){.out = bytes, .traffic = bytes};
}

/* Returns the value that the kernel gets from an access of `bytes` bytes at byte `at` of shared
 * memory. Word i of the memory contains the number i. If the access covers several words, the
 * kernel combines them by exclusive or. */
static uint32_t element(size_t at, int32_t bytes)
{
    uint32_t word = (uint32_t)(at / WORD), all = 0;
    if (bytes < WORD)
        return word >> 8 * (at % WORD) & ((1U << 8 * bytes) - 1);
    for (int32_t i = 0; i < bytes / WORD; i++)
        all ^= word + (uint32_t)i;
    return all;
}

static void reference(const LabVariant *variant, const LabCase *which, const void *in, void *out)
{
    (void)in;
    uint32_t *words = out;
    for (int32_t block = 0; block < which->c; block++)
        for (int32_t i = 0; i < THREADS; i++)
            *words++ = (uint32_t)which->b *
                       element((size_t)i * (size_t)variant->value * (size_t)which->a, which->a);
}

const LabExperiment lab_stride = {
    .name = "stride",
    .title = "Reading shared memory by strides, one warp per block",
    .help = "Thread t of a warp reads element t * s of shared memory, where s is the "
            "stride. Neighbouring words lie in neighbouring banks, and a bank delivers one "
            "word per wavefront. With words of 4 bytes, an odd stride uses 32 banks and "
            "takes one wavefront. An even stride takes as many wavefronts as its greatest "
            "common divisor with 32, at most 32. Several bytes of one word, or one word for "
            "all threads, do not conflict. Reads of 8 and 16 bytes per thread take at least "
            "two and four wavefronts. Compare the wavefronts of shared reads with the "
            "times. Source: CUDA C++ Programming Guide, \"Shared Memory\".",
    .sources = "app/bench/experiments/cuda/stride.cu",
    .cases = cases,
    .variants = variants,
    .counters = {LAB_SHARED_READ_WAVEFRONTS},
    .size = size,
    .reference = reference,
    .launch = IMG_CUDA_RUN(lab_launch_stride),
};
