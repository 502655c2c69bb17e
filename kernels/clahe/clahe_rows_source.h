/* Loops over rows for clahe_cpu.c, which includes this file twice: for samples of one byte and of
 * two bytes. clahe_cpu.c defines SAMPLE, the type of a sample, and NAME(word), which appends the
 * number of bits to a function name. It also defines the function NAME(new_value), which returns
 * the new value of a sample. */

static inline uint32_t NAME(brightness)(const ImgClahePlan *plan, const SAMPLE *pixel)
{
    return plan->colors == 1 ? pixel[0] : img_luma(plan->weights, pixel[0], pixel[1], pixel[2]);
}

static void NAME(count_row)(const ImgClahePlan *plan, const void *row, int32_t from, int32_t to,
                            uint32_t *counts)
{
    const SAMPLE *pixel = (const SAMPLE *)row + (size_t)from * (size_t)plan->channels;
    bool has_alpha = plan->channels > plan->colors;
    for (int32_t x = from; x < to; x++, pixel += plan->channels)
        if (!has_alpha || pixel[plan->colors] > 0)
            counts[NAME(brightness)(plan, pixel) >> plan->fine_bits]++;
}

static inline SAMPLE NAME(clamped)(int32_t value, int32_t maximum)
{
    value = value < 0 ? 0 : value;
    return (SAMPLE)(value > maximum ? maximum : value);
}

static void NAME(change_row)(const RowWork *work, const void *from, void *to)
{
    const ImgClahePlan *plan = work->plan;
    const SAMPLE *src = from;
    SAMPLE *dst = to;
    int32_t maximum = (1 << plan->bits) - 1;
    for (int32_t x = 0; x < plan->width; x++, src += plan->channels, dst += plan->channels) {
        uint32_t bright = NAME(brightness)(plan, src);
        uint32_t value = NAME(new_value)(work, x, bright);
        if (plan->colors == 1) {
            dst[0] = (SAMPLE)value;
        } else {
            int32_t shift = (int32_t)value - (int32_t)bright;
            for (int c = 0; c < 3; c++)
                dst[c] = NAME(clamped)(src[c] + shift, maximum);
        }
        if (plan->channels > plan->colors)
            dst[plan->colors] = src[plan->colors];
    }
}

#undef SAMPLE
#undef NAME
