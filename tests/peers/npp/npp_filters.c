/* Times the filters of NPP.
 *     npp_filters [WIDTH HEIGHT]
 * CMake builds it with the tests if it finds NPP. By hand:
 *     nvcc -O2 -I. -o npp_filters tests/peers/npp/npp_filters.c tests/peers/npp/npp_timing.c \
 *          app/bench/timing/plain_read.cu kernels/core/status.c -lnppif -lnppim -lnppidei -lnppc
 * NPP has no Sobel or Laplacian for unsigned 16 bits, so its filters for signed 16 bits are
 * timed. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/peers/npp/npp_timing.h"

enum { TAPS = 15 };

/* A picture, its result, and memory for gradients, medians and weights, all on the device. */
typedef struct Pictures {
    NppiSize size;
    void *src, *dst;
    int step; /* bytes per row of both pictures */
    size_t bytes;
    void *extra; /* memory of four bytes per sample, for gradients and medians */
    uint8_t *mask;
    int32_t *kernel;
    float *gauss;
    NppStreamContext context;
} Pictures;

#define PICTURES(TYPE)                                                                             \
    (const TYPE *)p->src, p->step, p->size, (NppiPoint){0, 0}, (TYPE *)p->dst, p->step, p->size
#define AROUND NPP_BORDER_REPLICATE, p->context
#define SQUARE(side)                                                                               \
    (NppiSize){(side), (side)}, (NppiPoint)                                                        \
    {                                                                                              \
        (side) / 2, (side) / 2                                                                     \
    }

/* Defines an NppCall that filters the pictures of `p`. */
#define FILTER(name, call)                                                                         \
    static NppStatus name(const void *task)                                                        \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        return call;                                                                               \
    }

#define DEFINE_FILTERS(SUFFIX, TYPE)                                                               \
    FILTER(erode3_##SUFFIX, nppiErode3x3Border_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))             \
    FILTER(dilate3_##SUFFIX, nppiDilate3x3Border_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))           \
    FILTER(erode31_##SUFFIX,                                                                       \
           nppiErodeBorder_##SUFFIX##_Ctx(PICTURES(TYPE), p->mask, SQUARE(31), AROUND))            \
    FILTER(convolve3_##SUFFIX,                                                                     \
           nppiFilterBorder_##SUFFIX##_Ctx(PICTURES(TYPE), p->kernel, SQUARE(3), 16, AROUND))      \
    FILTER(box21_##SUFFIX, nppiFilterBoxBorder_##SUFFIX##_Ctx(PICTURES(TYPE), SQUARE(21), AROUND)) \
    FILTER(gauss3_##SUFFIX,                                                                        \
           nppiFilterGaussBorder_##SUFFIX##_Ctx(PICTURES(TYPE), NPP_MASK_SIZE_3_X_3, AROUND))      \
    FILTER(gauss15_##SUFFIX,                                                                       \
           nppiFilterGaussAdvancedBorder_##SUFFIX##_Ctx(PICTURES(TYPE), TAPS, p->gauss, AROUND))   \
    FILTER(bilateral4_##SUFFIX, nppiFilterBilateralGaussBorder_##SUFFIX##_Ctx(                     \
                                    PICTURES(TYPE), 4, 1, 25.0F * 25.0F, 2.0F * 2.0F, AROUND))     \
    static NppStatus median_##SUFFIX(const Pictures *p, int side)                                  \
    {                                                                                              \
        Npp32u bytes = 0;                                                                          \
        const NppiSize mask = {side, side};                                                        \
        NppStatus status = nppiFilterMedianBorderGetBufferSize_##SUFFIX##_Ctx(                     \
            p->size, mask, &bytes, NPP_BORDER_REPLICATE, p->context);                              \
        if (status != NPP_SUCCESS || bytes > 4 * p->bytes)                                         \
            return NPP_ERROR;                                                                      \
        return nppiFilterMedianBorder_##SUFFIX##_Ctx(PICTURES(TYPE), SQUARE(side),                 \
                                                     (Npp8u *)p->extra, AROUND);                   \
    }                                                                                              \
    FILTER(median3_##SUFFIX, median_##SUFFIX(p, 3))                                                \
    FILTER(median7_##SUFFIX, median_##SUFFIX(p, 7))

DEFINE_FILTERS(8u_C1R, Npp8u)
DEFINE_FILTERS(8u_C3R, Npp8u)
DEFINE_FILTERS(16u_C1R, Npp16u)

#define DEFINE_EDGES(SUFFIX, TYPE)                                                                 \
    FILTER(across_##SUFFIX, nppiFilterSobelHorizBorder_##SUFFIX##_Ctx(PICTURES(TYPE), AROUND))     \
    FILTER(laplace_##SUFFIX,                                                                       \
           nppiFilterLaplaceBorder_##SUFFIX##_Ctx(PICTURES(TYPE), NPP_MASK_SIZE_3_X_3, AROUND))

DEFINE_EDGES(8u_C1R, Npp8u)
DEFINE_EDGES(8u_C3R, Npp8u)
DEFINE_EDGES(16s_C1R, Npp16s)

/* Defines the NppCall for the magnitude of Sobel. NPP has this magnitude only for gray pictures. */
#define DEFINE_MAGNITUDE(SUFFIX, TYPE, RESULT)                                                     \
    FILTER(magnitude_##SUFFIX,                                                                     \
           nppiGradientVectorSobelBorder_##SUFFIX##_Ctx(                                           \
               (const TYPE *)p->src, p->step, p->size, (NppiPoint){0, 0}, NULL, 0, NULL, 0,        \
               (RESULT *)p->extra, p->step / (int)sizeof(TYPE) * (int)sizeof(RESULT), NULL, 0,     \
               p->size, NPP_MASK_SIZE_3_X_3, nppiNormL2, AROUND))

DEFINE_MAGNITUDE(8u16s_C1R, Npp8u, Npp16s)
DEFINE_MAGNITUDE(16u32f_C1R, Npp16u, Npp32f)

static const char *const names[] = {
    "sobel, magnitude", "sobel x",      "laplacian",         "erode 3x3", "dilate 3x3",
    "erode 31x31",      "convolve 3x3", "box radius 10",     "gauss 3x3", "gauss 15 taps",
    "median 3x3",       "median 7x7",   "bilateral radius 4"};
enum { FILTERS = sizeof names / sizeof names[0] };

#define FILTERS_OF(SUFFIX, EDGES, MAGNITUDE)                                                       \
    {                                                                                              \
        MAGNITUDE, across_##EDGES, laplace_##EDGES, erode3_##SUFFIX, dilate3_##SUFFIX,             \
            erode31_##SUFFIX, convolve3_##SUFFIX, box21_##SUFFIX, gauss3_##SUFFIX,                 \
            gauss15_##SUFFIX, median3_##SUFFIX, median7_##SUFFIX, bilateral4_##SUFFIX              \
    }

static const struct {
    const char *name;
    size_t pixel;
    NppCall *filters[FILTERS];
} formats[] = {
    {"gray8", 1, FILTERS_OF(8u_C1R, 8u_C1R, magnitude_8u16s_C1R)},
    {"rgb8", 3, FILTERS_OF(8u_C3R, 8u_C3R, NULL)},
    {"gray16", 2, FILTERS_OF(16u_C1R, 16s_C1R, magnitude_16u32f_C1R)},
};

static void time_format(size_t format, NppiSize size)
{
    const size_t row = (size_t)size.width * formats[format].pixel;
    Pictures p = {.size = size, .context = npp_stream()};
    uint8_t mask[31 * 31];
    const int32_t kernel[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    float gauss[TAPS];
    memset(mask, 1, sizeof mask);
    for (int i = 0; i < TAPS; i++)
        gauss[i] = 1.0F / TAPS;
    p.step = npp_step(row);
    p.bytes = row * (size_t)size.height;
    const size_t memory = (size_t)p.step * (size_t)size.height;
    p.src = npp_memory(memory);
    p.dst = npp_memory(memory);
    p.extra = npp_memory(4 * memory);
    p.mask = npp_memory_of(mask, sizeof mask);
    p.kernel = npp_memory_of(kernel, sizeof kernel);
    p.gauss = npp_memory_of(gauss, sizeof gauss);
    npp_fill_with_noise(p.src, memory);
    const float copy = npp_time_copy((NppCopy){p.dst, p.src, p.bytes});
    npp_print("(device copy)", formats[format].name, copy, copy);
    for (int i = 0; i < FILTERS; i++) {
        NppCall *filter = formats[format].filters[i];
        npp_print(names[i], formats[format].name, filter != NULL ? npp_time(filter, &p) : -1, copy);
    }
    void *const all[] = {p.src, p.dst, p.extra, p.mask, p.kernel, p.gauss};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        npp_free(all[i]);
}

int main(int argc, char **argv)
{
    const NppiSize size = npp_size(argc, argv, "npp_filters [WIDTH HEIGHT]");
    printf("NPP, %d x %d pixels\n", size.width, size.height);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        time_format(f, size);
    return 0;
}
