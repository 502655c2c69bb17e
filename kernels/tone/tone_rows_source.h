/* Loops over rows for tone_cpu.c, which includes this file twice: for samples of one byte and of
 * two bytes. SAMPLE is the type of a sample, and NAME(word) makes function names. There is a loop
 * for each number of channels, so that the number of samples per pixel is a constant for the
 * compiler. */

/* Makes the pixels of a row black or white: gray or luma above the level becomes `maximum`, and all
 * other values become 0. Alpha is copied. */
static void NAME(split_row)(const Recolouring *how, const void *from, void *to, int32_t width)
{
    const SAMPLE *src = from;
    SAMPLE *dst = to;
    uint32_t level = how->level;
    SAMPLE white = (SAMPLE)how->maximum;
    ImgLumaWeights weights = how->plan.weights;
    switch (how->plan.channels) {
    case 1:
        for (int32_t x = 0; x < width; x++)
            dst[x] = src[x] > level ? white : 0;
        break;
    case 2:
        for (int32_t x = 0; x < width; x++, src += 2, dst += 2) {
            dst[0] = src[0] > level ? white : 0;
            dst[1] = src[1];
        }
        break;
    case 3:
        for (int32_t x = 0; x < width; x++, src += 3)
            dst[x] = img_luma(weights, src[0], src[1], src[2]) > level ? white : 0;
        break;
    default:
        for (int32_t x = 0; x < width; x++, src += 4, dst += 2) {
            dst[0] = img_luma(weights, src[0], src[1], src[2]) > level ? white : 0;
            dst[1] = src[3];
        }
    }
}

static void NAME(map_row)(const Recolouring *how, const void *from, void *to, int32_t width)
{
    const SAMPLE *src = from;
    SAMPLE *dst = to;
    const SAMPLE *red = how->maps[0], *green = how->maps[1], *blue = how->maps[2];
    switch (how->plan.channels) {
    case 1:
        for (int32_t x = 0; x < width; x++)
            dst[x] = red[src[x]];
        break;
    case 2:
        for (int32_t x = 0; x < width; x++, src += 2, dst += 2) {
            dst[0] = red[src[0]];
            dst[1] = src[1];
        }
        break;
    case 3:
        for (int32_t x = 0; x < width; x++, src += 3, dst += 3) {
            dst[0] = red[src[0]];
            dst[1] = green[src[1]];
            dst[2] = blue[src[2]];
        }
        break;
    default:
        for (int32_t x = 0; x < width; x++, src += 4, dst += 4) {
            dst[0] = red[src[0]];
            dst[1] = green[src[1]];
            dst[2] = blue[src[2]];
            dst[3] = src[3];
        }
    }
}

static inline SAMPLE NAME(shifted)(SAMPLE sample, int32_t shift, int32_t maximum)
{
    int32_t value = sample + shift;
    value = value < 0 ? 0 : value;
    return (SAMPLE)(value > maximum ? maximum : value);
}

static void NAME(shift_row)(const Recolouring *how, const void *from, void *to, int32_t width)
{
    const SAMPLE *src = from;
    SAMPLE *dst = to;
    const int32_t *shifts = how->shifts;
    int32_t maximum = how->maximum;
    ImgLumaWeights weights = how->plan.weights;
    size_t step = (size_t)how->plan.channels;
    for (int32_t x = 0; x < width; x++, src += step, dst += step) {
        int32_t shift = shifts[img_luma(weights, src[0], src[1], src[2])];
        for (int c = 0; c < 3; c++)
            dst[c] = NAME(shifted)(src[c], shift, maximum);
        if (step == 4)
            dst[3] = src[3];
    }
}

static RowFunction *NAME(row_function)(ImgToneWay way)
{
    return way == IMG_TONE_SAMPLES ? NAME(map_row)
           : way == IMG_TONE_SHIFT ? NAME(shift_row)
                                   : NAME(split_row);
}

#undef SAMPLE
#undef NAME
