/* Times NPP's transpose, quarter turn and mirrors, and its copy of all columns except the first.
 *   npp_turns [WIDTH HEIGHT] */
#include <stdint.h>
#include <stdio.h>

#include "tests/peers/npp/npp_timing.h"

/* A picture and its result, in device memory. src_step and dst_step are bytes per row. */
typedef struct Pictures {
    NppiSize size;
    void *src, *dst;
    int src_step, dst_step;
    size_t pixel, bytes;
    NppStreamContext context;
} Pictures;

#define DEFINE_TURNS(SUFFIX, TYPE)                                                                 \
    static NppStatus transpose_##SUFFIX(const void *task)                                          \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        return nppiTranspose_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,     \
                                            p->dst_step, p->size, p->context);                     \
    }                                                                                              \
    static NppStatus rotate_##SUFFIX(const void *task)                                             \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        NppiRect from = {0, 0, p->size.width, p->size.height};                                     \
        NppiRect to = {0, 0, p->size.height, p->size.width};                                       \
        return nppiRotate_##SUFFIX##_Ctx((const TYPE *)p->src, p->size, p->src_step, from,         \
                                         (TYPE *)p->dst, p->dst_step, to, 90, 0,                   \
                                         p->size.width - 1, NPPI_INTER_NN, p->context);            \
    }                                                                                              \
    static NppStatus flip_##SUFFIX(const void *task)                                               \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        return nppiMirror_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,        \
                                         p->src_step, p->size, NPP_VERTICAL_AXIS, p->context);     \
    }                                                                                              \
    static NppStatus half_##SUFFIX(const void *task)                                               \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        return nppiMirror_##SUFFIX##_Ctx((const TYPE *)p->src, p->src_step, (TYPE *)p->dst,        \
                                         p->src_step, p->size, NPP_BOTH_AXIS, p->context);         \
    }                                                                                              \
    static NppStatus crop_##SUFFIX(const void *task)                                               \
    {                                                                                              \
        const Pictures *p = task;                                                                  \
        const uint8_t *from = (const uint8_t *)p->src + p->pixel;                                  \
        const NppiSize size = {p->size.width - 1, p->size.height};                                 \
        return nppiCopy_##SUFFIX##_Ctx((const TYPE *)from, p->src_step, (TYPE *)p->dst,            \
                                       p->src_step, size, p->context);                             \
    }

DEFINE_TURNS(8u_C1R, Npp8u)
DEFINE_TURNS(8u_C3R, Npp8u)
DEFINE_TURNS(8u_C4R, Npp8u)
DEFINE_TURNS(16u_C1R, Npp16u)
DEFINE_TURNS(16u_C3R, Npp16u)
DEFINE_TURNS(16u_C4R, Npp16u)

#define ALL_TURNS(SUFFIX)                                                                          \
    {                                                                                              \
        transpose_##SUFFIX, rotate_##SUFFIX, flip_##SUFFIX, half_##SUFFIX, crop_##SUFFIX           \
    }

static const char *const turn_names[] = {"transpose", "rotate 270", "flip horizontal", "rotate 180",
                                         "crop x=1"};
enum { TURNS = sizeof turn_names / sizeof turn_names[0] };
static const struct {
    const char *name;
    size_t pixel;
    NppCall *turns[TURNS];
} formats[] = {
    {"gray8", 1, ALL_TURNS(8u_C1R)},  {"gray16", 2, ALL_TURNS(16u_C1R)},
    {"rgb8", 3, ALL_TURNS(8u_C3R)},   {"rgba8", 4, ALL_TURNS(8u_C4R)},
    {"rgb16", 6, ALL_TURNS(16u_C3R)}, {"rgba16", 8, ALL_TURNS(16u_C4R)},
};

static void time_format(size_t format, NppiSize size)
{
    const size_t pixel = formats[format].pixel;
    Pictures p = {.size = size, .pixel = pixel, .context = npp_stream()};
    p.src_step = npp_step((size_t)size.width * pixel);
    p.dst_step = npp_step((size_t)size.height * pixel);
    p.bytes = (size_t)size.width * (size_t)size.height * pixel;
    const size_t tall = (size_t)p.src_step * (size_t)size.height;
    const size_t wide = (size_t)p.dst_step * (size_t)size.width;
    p.src = npp_memory(tall > wide ? tall : wide);
    p.dst = npp_memory(tall > wide ? tall : wide);
    npp_fill_with_noise(p.src, tall);
    const float copy = npp_time_copy((NppCopy){p.dst, p.src, p.bytes});
    npp_print("(device copy)", formats[format].name, copy, copy);
    for (int i = 0; i < TURNS; i++)
        npp_print(turn_names[i], formats[format].name, npp_time(formats[format].turns[i], &p),
                  copy);
    npp_free(p.src);
    npp_free(p.dst);
}

int main(int argc, char **argv)
{
    const NppiSize size = npp_size(argc, argv, "npp_turns [WIDTH HEIGHT]");
    printf("NPP, %d x %d pixels\n", size.width, size.height);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        time_format(f, size);
    return 0;
}
