/* Private to boxblur on the CPU: the inner loops over rows, compiled once for each instruction
 * set. */
#ifndef IMGTOOL_KERNELS_BLUR_BOX_LOOPS_H
#define IMGTOOL_KERNELS_BLUR_BOX_LOOPS_H

#include "kernels/blur/box.h"
#include "kernels/core/fixed/quotient.h"
#include "kernels/core/sample.h"
#include "kernels/window/window_rows.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct Loops {
    void (*change_bytes)(uint32_t *sums, const uint8_t *in, const uint8_t *out, size_t count);
    void (*change_words)(uint32_t *sums, const ImgSample16 *in, const ImgSample16 *out,
                         size_t count);
    void (*means_to_bytes)(const ImgBox *box, const uint32_t *sums, uint8_t *to, size_t count);
    void (*means_to_words)(const ImgBox *box, const uint32_t *sums, ImgSample16 *to, size_t count);
    void (*wide_means)(const ImgBox *box, const uint64_t *sums, ImgSample16 *to, size_t count);
    const ImgWindowRows *rows;
} Loops;

/* Defines a function that adds the samples `in` of one row to the column sums and subtracts the
 * samples `out` of another row. */
#define CHANGE(name, Sample)                                                                       \
    INLINE void name(uint32_t *sums, const Sample *in, const Sample *out, size_t count)            \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            sums[i] += (uint32_t)in[i] - (uint32_t)out[i];                                         \
    }
#define MEANS(name, Sample)                                                                        \
    INLINE void name(const ImgBox *box, const uint32_t *sums, Sample *to, size_t count)            \
    {                                                                                              \
        const uint64_t multiplier = box->multiplier;                                               \
        const uint32_t half = box->area / 2;                                                       \
        const int shift = box->shift;                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = (Sample)((uint64_t)(sums[i] + half) * multiplier >> shift);                    \
    }

/* Computes the means of `count` squares from their sums, which may have up to 53 bits. */
INLINE void wide_means(const ImgBox *box, const uint64_t *sums, ImgSample16 *to, size_t count)
{
    const int64_t area = box->area;
    for (size_t i = 0; i < count; i++)
        to[i] = (uint16_t)img_quotient_53((int64_t)sums[i] + area / 2, area, 65535);
}

CHANGE(change_bytes, uint8_t)
CHANGE(change_words, ImgSample16)
MEANS(means_to_bytes, uint8_t)
MEANS(means_to_words, ImgSample16)

#define LOOPS(suffix, attributes)                                                                  \
    attributes static void change_bytes##suffix(uint32_t *sums, const uint8_t *in,                 \
                                                const uint8_t *out, size_t count)                  \
    {                                                                                              \
        change_bytes(sums, in, out, count);                                                        \
    }                                                                                              \
    attributes static void change_words##suffix(uint32_t *sums, const ImgSample16 *in,             \
                                                const ImgSample16 *out, size_t count)              \
    {                                                                                              \
        change_words(sums, in, out, count);                                                        \
    }                                                                                              \
    attributes static void means_to_bytes##suffix(const ImgBox *box, const uint32_t *sums,         \
                                                  uint8_t *to, size_t count)                       \
    {                                                                                              \
        means_to_bytes(box, sums, to, count);                                                      \
    }                                                                                              \
    attributes static void means_to_words##suffix(const ImgBox *box, const uint32_t *sums,         \
                                                  ImgSample16 *to, size_t count)                   \
    {                                                                                              \
        means_to_words(box, sums, to, count);                                                      \
    }                                                                                              \
    attributes static void wide_means##suffix(const ImgBox *box, const uint64_t *sums,             \
                                              ImgSample16 *to, size_t count)                       \
    {                                                                                              \
        wide_means(box, sums, to, count);                                                          \
    }                                                                                              \
    static const Loops loops##suffix = {change_bytes##suffix,   change_words##suffix,              \
                                        means_to_bytes##suffix, means_to_words##suffix,            \
                                        wide_means##suffix,     &img_window_rows##suffix};

LOOPS(_portable, )
#ifdef IMGTOOL_X86
LOOPS(_avx2, __attribute__((target("avx2"))))
LOOPS(_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))))
#endif

#endif
