/* Times the two parts of equalize that NPP has, histogram and table look-up, one after the other.
 * The time excludes the computation of the table from the histogram, for which NPP has no call.
 *     npp_tone [WIDTH HEIGHT] */
#include <stdint.h>

#include "tests/peers/npp/npp_timing.h"

enum { BINS = 256 };

/* A picture, its result, and the counts and the table of each channel, all on the device. */
typedef struct Pictures {
    NppiSize size;
    void *src, *dst;
    int step, channels;
    Npp8u *tables[3], *buffer;
    Npp32s *counts[3];
    NppStreamContext context;
} Pictures;

static NppStatus tone_gray(const void *task)
{
    const Pictures *p = task;
    NppStatus status = nppiHistogramEven_8u_C1R_Ctx(p->src, p->step, p->size, p->counts[0],
                                                    BINS + 1, 0, BINS, p->buffer, p->context);
    return status != NPP_SUCCESS ? status
                                 : nppiLUTPalette_8u_C1R_Ctx(p->src, p->step, p->dst, p->step,
                                                             p->size, p->tables[0], 8, p->context);
}

static NppStatus tone_rgb(const void *task)
{
    const Pictures *p = task;
    int levels[3] = {BINS + 1, BINS + 1, BINS + 1};
    Npp32s lower[3] = {0, 0, 0}, upper[3] = {BINS, BINS, BINS};
    Npp32s *counts[3] = {p->counts[0], p->counts[1], p->counts[2]};
    const Npp8u *tables[3] = {p->tables[0], p->tables[1], p->tables[2]};
    NppStatus status = nppiHistogramEven_8u_C3R_Ctx(p->src, p->step, p->size, counts, levels, lower,
                                                    upper, p->buffer, p->context);
    return status != NPP_SUCCESS ? status
                                 : nppiLUTPalette_8u_C3R_Ctx(p->src, p->step, p->dst, p->step,
                                                             p->size, tables, 8, p->context);
}

static size_t buffer_bytes(const Pictures *p)
{
    size_t bytes = 0;
    int levels[3] = {BINS + 1, BINS + 1, BINS + 1};
    if (p->channels == 1)
        (void)nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(p->size, BINS + 1, &bytes, p->context);
    else
        (void)nppiHistogramEvenGetBufferSize_8u_C3R_Ctx(p->size, levels, &bytes, p->context);
    return bytes;
}

static void time_format(NppiSize size, int channels)
{
    Pictures p = {.size = size, .channels = channels, .context = npp_stream()};
    Npp8u inverse[BINS];
    for (int i = 0; i < BINS; i++)
        inverse[i] = (Npp8u)(BINS - 1 - i);
    p.step = npp_step((size_t)size.width * (size_t)channels);
    const size_t bytes = (size_t)p.step * (size_t)size.height;
    p.src = npp_memory(bytes);
    p.dst = npp_memory(bytes);
    p.buffer = npp_memory(buffer_bytes(&p));
    npp_fill_with_noise(p.src, bytes);
    for (int c = 0; c < 3; c++) {
        p.counts[c] = npp_memory(BINS * sizeof(Npp32s));
        p.tables[c] = npp_memory_of(inverse, BINS);
    }
    const float copy = npp_time_copy((NppCopy){p.dst, p.src, bytes});
    npp_print("histogram and look-up", channels == 1 ? "gray8" : "rgb8",
              npp_time(channels == 1 ? tone_gray : tone_rgb, &p), 1.5F * copy);
    for (int c = 0; c < 3; c++) {
        npp_free(p.counts[c]);
        npp_free(p.tables[c]);
    }
    npp_free(p.buffer);
    npp_free(p.src);
    npp_free(p.dst);
}

int main(int argc, char **argv)
{
    const NppiSize size = npp_size(argc, argv, "npp_tone [WIDTH HEIGHT]");
    time_format(size, 1);
    time_format(size, 3);
    return 0;
}
