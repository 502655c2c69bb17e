/* Vectors of 16 bytes, for the inner loops of turns. They use the compiler's vector extensions,
 * from which it makes SSE2, NEON or ordinary integer instructions. A lane is a section of 16 bytes
 * of a vector. Here a vector has one lane; with AVX2 it has two, and with AVX-512 four. */
#ifndef IMGTOOL_KERNELS_TURN_SIMD_PORTABLE_H
#define IMGTOOL_KERNELS_TURN_SIMD_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 1 }; /* number of lanes of a vector */

typedef uint8_t Vector __attribute__((vector_size(16)));
typedef uint16_t Vector16 __attribute__((vector_size(16)));
typedef uint32_t Vector32 __attribute__((vector_size(16)));
typedef uint64_t Vector64 __attribute__((vector_size(16)));

/* Loads a vector of LANES lanes. Each lane has 16 bytes, and lanes are `step` bytes apart in
 * memory. */
static inline Vector load_lanes(const uint8_t *p, ptrdiff_t step)
{
    Vector v;
    (void)step;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_vector(uint8_t *p, Vector v)
{
    memcpy(p, &v, sizeof v);
}

/* These macros interleave the elements of a and b, from the low or from the high half of each
 * lane. */
#define ZIP_LOW8(a, b)                                                                             \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH8(a, b)                                                                            \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define ZIP_LOW16(a, b)                                                                            \
    (Vector) __builtin_shufflevector((Vector16)(a), (Vector16)(b), 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH16(a, b)                                                                           \
    (Vector) __builtin_shufflevector((Vector16)(a), (Vector16)(b), 4, 12, 5, 13, 6, 14, 7, 15)
#define ZIP_LOW32(a, b)  (Vector) __builtin_shufflevector((Vector32)(a), (Vector32)(b), 0, 4, 1, 5)
#define ZIP_HIGH32(a, b) (Vector) __builtin_shufflevector((Vector32)(a), (Vector32)(b), 2, 6, 3, 7)
#define ZIP_LOW64(a, b)  (Vector) __builtin_shufflevector((Vector64)(a), (Vector64)(b), 0, 2)
#define ZIP_HIGH64(a, b) (Vector) __builtin_shufflevector((Vector64)(a), (Vector64)(b), 1, 3)

/* SSE2 has no instruction that shuffles arbitrary bytes. So pixels of 3 and 6 bytes are processed
 * one by one. */
#ifndef HAVE_BYTE_SHUFFLE
#define HAVE_BYTE_SHUFFLE 0
#endif

/* Stores a vector, with a non-temporal store if the processor has one. `p` must be aligned to the
 * size of a vector. */
#if defined(__SSE2__)
#include <emmintrin.h>
static inline void stream_vector(uint8_t *p, Vector v)
{
    _mm_stream_si128((__m128i *)p, (__m128i)v);
}

/* Completes non-temporal stores. It must be called after the last one, before another thread reads
 * the data. */
static inline void stream_end(void)
{
    _mm_sfence();
}
#else
static inline void stream_vector(uint8_t *p, Vector v)
{
    store_vector(p, v);
}

static inline void stream_end(void)
{
}
#endif

#endif
