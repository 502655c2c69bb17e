/* Private to bilateral_fast.cu: tables of weights in shared memory. They are indexed by the
 * distance of a neighbour's position and by its difference in colour. Neighbours at the same
 * distance from the centre form a class. The squared distances of classes are 0, 1, 2, 4, 5, 8
 * ... */
#ifndef IMGTOOL_KERNELS_DENOISE_CUDA_BILATERAL_WEIGHTS_CUH
#define IMGTOOL_KERNELS_DENOISE_CUDA_BILATERAL_WEIGHTS_CUH

#include <math.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/denoise/bilateral.h"

constexpr int BILATERAL_RADIUS = 5, BILATERAL_CLASSES = 14, BILATERAL_LANES = 32;
constexpr unsigned BILATERAL_ALL = 0xffffffff;
/* bits of the float 512.0F, see ExponentWeights */
constexpr uint32_t BILATERAL_FLOOR_BITS = 0x44000000;

/* Returns the class of neighbours at the squared distance `square`. Classes are numbered by
 * distance, so the result is the number of nearer classes. */
IMG_HOST_DEVICE constexpr int class_of(int square)
{
    return (square > 0) + (square > 1) + (square > 2) + (square > 4) + (square > 5) + (square > 8) +
           (square > 9) + (square > 10) + (square > 13) + (square > 16) + (square > 17) +
           (square > 18) + (square > 20) + (square > 25);
}
static_assert(class_of(BILATERAL_RADIUS * BILATERAL_RADIUS + 1) == BILATERAL_CLASSES, "");

/* Parameters of the kernel that are not compile-time constants. `exponents` has the exponent of
 * each class, or IMG_DECAY_NOTHING if the class has weight 0. `places` are the byte offsets at
 * which the weights of the classes begin (ExponentWeights). `last` is the smallest colour distance
 * at which all weights are 0. */
struct BilateralClasses {
    uint32_t exponents[BILATERAL_CLASSES], places[BILATERAL_CLASSES], last;
};

inline BilateralClasses bilateral_classes(const ImgBilateral *own)
{
    BilateralClasses classes;
    for (int c = 0; c < BILATERAL_CLASSES; c++)
        classes.exponents[c] = IMG_DECAY_NOTHING;
    for (int32_t i = 0; i < own->count; i++)
        if (own->taps[i].exponent < IMG_DECAY_NOTHING)
            classes.exponents[class_of(own->taps[i].x * own->taps[i].x +
                                       own->taps[i].y * own->taps[i].y)] = own->taps[i].exponent;
    for (int c = 0; c < BILATERAL_CLASSES; c++)
        classes.places[c] = 2 * (classes.exponents[c] - BILATERAL_FLOOR_BITS);
    const uint32_t most = 255 * (uint32_t)own->weighed.colors;
    classes.last = own->farthest < most ? own->farthest : most;
    return classes;
}

/* --- 8 bits: by distance ---------------------------------------------------------------------- */

/* A table of weights with one row for each colour distance. A row has one word for every two
 * classes, stored COPIES times. With 32 copies, each lane reads from its own bank. All colour
 * distances from `last` on use the same row. */
template <int RADIUS, int COPIES> struct DistanceWeights {
    static constexpr int PAIRS = (class_of(RADIUS * RADIUS + 1) + 1) / 2;
    static constexpr int ROW = PAIRS * COPIES * (int)sizeof(uint32_t); /* number of bytes per row */
    const uint8_t *at;
    uint32_t copy, last; /* byte offsets of the lane's copy, and of the last row of this copy */
    uint32_t own;        /* weight of the pixel that is filtered */

    static size_t bytes(const BilateralClasses &classes)
    {
        return ((size_t)classes.last + 1) * ROW;
    }

    __device__ DistanceWeights(uint32_t *table, const ImgBilateral *filter,
                               const BilateralClasses &classes)
        : own(img_bilateral_weight(filter, 0, classes.exponents[0]))
    {
        const int lane = (int)threadIdx.x % BILATERAL_LANES;
        const int entries = ((int)classes.last + 1) * PAIRS;
        for (int first = (int)threadIdx.x - lane; first < entries; first += (int)blockDim.x) {
            const int pair = (first + lane) % PAIRS;
            const uint32_t distance = (uint32_t)((first + lane) / PAIRS);
            const uint32_t even =
                img_bilateral_weight(filter, distance, classes.exponents[2 * pair]);
            const uint32_t odd =
                img_bilateral_weight(filter, distance, classes.exponents[2 * pair + 1]);
            for (int k = 0; k < BILATERAL_LANES; k++) {
                const uint32_t word = __shfl_sync(BILATERAL_ALL, even | odd << 16, k);
                if (first + k < entries && lane < COPIES)
                    table[(first + k) * COPIES + lane] = word;
            }
        }
        at = reinterpret_cast<const uint8_t *>(table);
        copy = (uint32_t)(lane % COPIES) * sizeof(uint32_t);
        last = classes.last * (uint32_t)ROW + copy;
    }

    /* Returns the part of a pixel's word that is compared with the words of other pixels. */
    __device__ static uint32_t guide(uint32_t word)
    {
        return word;
    }

    __device__ uint32_t get(uint32_t a, uint32_t b, int which) const
    {
        const uint32_t row = min(__vsadu4(a, b) * (uint32_t)ROW + copy, last);
        const uint8_t *found = at + row + which / 2 * COPIES * (int)sizeof(uint32_t);
        return reinterpret_cast<const uint16_t *>(found)[which % 2];
    }
};

/* --- Gray of 16 bits: by exponent ------------------------------------------------------------- */

/* A table indexed by the exponent. Exponents are computed as in img_bilateral_weight, but as
 * floats. Adding 2^9 rounds a float down to a multiple of 2^-14. So the low bits of the sum are an
 * integer in units of 2^-14. Exponents above 1 have weight 0 and are clamped to 1. */
struct ExponentWeights {
    static constexpr float UNIT = 1.0F / 16384.0F, FLOOR = 512.0F;
    static constexpr int COUNT = 16384 + IMG_DECAY_NOTHING + 1;
    const uint8_t *at;
    const BilateralClasses *classes;
    float factor;
    uint32_t own; /* weight of the pixel that is filtered */

    static size_t bytes(const BilateralClasses &)
    {
        return (COUNT + 1) / 2 * sizeof(uint32_t);
    }

    __device__ ExponentWeights(uint32_t *table, const ImgBilateral *filter,
                               const BilateralClasses &of_taps)
        : own(img_bilateral_weight(filter, 0, of_taps.exponents[0]))
    {
        for (int e = (int)threadIdx.x; e < COUNT; e += (int)blockDim.x)
            reinterpret_cast<uint16_t *>(table)[e] = (uint16_t)img_decay((uint32_t)e);
        at = reinterpret_cast<const uint8_t *>(table);
        classes = &of_taps;
        factor = (float)(filter->factor << filter->shift) * UNIT / 65536.0F;
    }

    /* Returns the part of a pixel's word that is compared with other pixels, plus 2^23, as the bits
     * of a float. All guides have the offset 2^23, so it cancels out in differences. */
    __device__ static uint32_t guide(uint32_t word)
    {
        return img_bilateral_guide(word, 16) | 0x4b000000U;
    }

    __device__ uint32_t get(uint32_t a, uint32_t b, int which) const
    {
        const float apart = fabsf(__uint_as_float(a) - __uint_as_float(b));
        const float root = __saturatef(__fmaf_rz(apart, factor, FLOOR) - FLOOR);
        const uint32_t exponent = __float_as_uint(__fmaf_rz(root, root, FLOOR));
        return *reinterpret_cast<const uint16_t *>(
            at + (uint32_t)(exponent * 2 + classes->places[which]));
    }
};

#endif
