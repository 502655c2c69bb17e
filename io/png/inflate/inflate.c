/* Selects the inflate loops for the instruction set of the processor. */
#include "io/png/inflate/inflate.h"

#include "io/png/inflate/inflate_priv.h"
#include "kernels/core/parallel/cpu.h"

static const ImgInflateCode *code(void)
{
#if IMGTOOL_X86
    if (img_cpu_level() >= IMG_CPU_AVX2)
        return &img_inflate_avx2;
#endif
    return &img_inflate_portable;
}

void img_inflate_start(ImgInflate *state, uint64_t position)
{
    state->position = position;
    state->in_block = state->last_block = state->stored = state->fixed = false;
    state->stored_left = 0;
}

ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks)
{
    return code()->bytes(state, data, room, stop_at_blocks);
}

ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks)
{
    return code()->symbols(state, data, symbols, stop_at_blocks);
}

void img_inflate_fill_markers(uint16_t *window)
{
    for (int i = 0; i < IMG_INFLATE_WINDOW; i++)
        window[i] = (uint16_t)(IMG_INFLATE_MARKER + i);
}
