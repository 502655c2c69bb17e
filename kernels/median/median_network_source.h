/* Sorting networks on blocks of samples. Each variant includes this file once for each sample size.
 * NAME(word) makes function names. MINIMUM and MAXIMUM compare vectors of samples. */

/* Sorts the columns of 3 x 3 windows. The smallest samples of the columns go to the first plane,
 * the middle ones to the second, and the largest to the third. */
static void NAME(sort_columns)(const ImgMedianTile *tile)
{
    const uint8_t *line = tile->lines;
    const size_t stride = tile->line_stride;
    const size_t end = (size_t)tile->line_samples * (size_t)tile->bytes;
    for (size_t i = 0; i < end; i += sizeof(vu8)) {
        const vu8 a = load_u8(line + i), b = load_u8(line + stride + i),
                  c = load_u8(line + 2 * stride + i);
        const vu8 low = MINIMUM(a, b), high = MAXIMUM(a, b), rest = MINIMUM(high, c);
        store_u8(tile->planes + i, MINIMUM(low, c));
        store_u8(tile->planes + stride + i, MAXIMUM(low, rest));
        store_u8(tile->planes + 2 * stride + i, MAXIMUM(high, c));
    }
}

static inline vu8 NAME(middle)(vu8 a, vu8 b, vu8 c)
{
    return MAXIMUM(MINIMUM(a, b), MINIMUM(MAXIMUM(a, b), c));
}

/* Computes a row of medians of nine samples, from sorted columns of three. A median is the median
 * of three numbers: the largest of the three smallest samples, the median of the middle samples,
 * and the smallest of the three largest samples. */
static void NAME(median_of_nine)(const ImgMedianTile *tile, uint8_t *to)
{
    const size_t pixel = (size_t)tile->channels * (size_t)tile->bytes, stride = tile->line_stride;
    const size_t end = (size_t)tile->samples * (size_t)tile->bytes;
    NAME(sort_columns)(tile);
    for (size_t i = 0; i < end; i += sizeof(vu8)) {
        const uint8_t *low = tile->planes + i, *mid = low + stride, *high = mid + stride;
        const vu8 lows =
            MAXIMUM(MAXIMUM(load_u8(low), load_u8(low + pixel)), load_u8(low + 2 * pixel));
        const vu8 mids = NAME(middle)(load_u8(mid), load_u8(mid + pixel), load_u8(mid + 2 * pixel));
        const vu8 highs =
            MINIMUM(MINIMUM(load_u8(high), load_u8(high + pixel)), load_u8(high + 2 * pixel));
        store_u8(to + i, NAME(middle)(lows, mids, highs));
    }
}

static inline void NAME(load_block)(uint8_t *registers, const uint8_t *from, size_t stride,
                                    int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (size_t v = 0; v < IMG_MEDIAN_BLOCK; v += sizeof(vu8))
            store_u8(registers + (size_t)i * IMG_MEDIAN_BLOCK + v,
                     load_u8(from + (size_t)i * stride + v));
}

/* Sorts the two registers of a pair. If `low` is true, the smaller result is stored; if `high` is
 * true, the larger one. Results that no later step needs are not stored. */
static inline void NAME(exchange)(uint8_t *registers, ImgMedianPair pair, bool low, bool high)
{
    uint8_t *a = registers + (size_t)pair.low * IMG_MEDIAN_BLOCK;
    uint8_t *b = registers + (size_t)pair.high * IMG_MEDIAN_BLOCK;
    for (size_t v = 0; v < IMG_MEDIAN_BLOCK; v += sizeof(vu8)) {
        const vu8 x = load_u8(a + v), y = load_u8(b + v);
        if (low)
            store_u8(a + v, MINIMUM(x, y));
        if (high)
            store_u8(b + v, MAXIMUM(x, y));
    }
}

static void NAME(run_pairs)(const ImgMedianProgram *program, const ImgMedianMerge *merge,
                            uint8_t *registers)
{
    for (int32_t r = merge->first_run; r < merge->first_run + merge->runs; r++) {
        const ImgMedianRun *run = &program->run[r];
        const ImgMedianPair *pair = program->pair + run->first;
        const ImgMedianPair *both = pair + run->both, *minima = both + run->minima,
                            *maxima = minima + run->maxima;
        for (; pair < both; pair++)
            NAME(exchange)(registers, *pair, true, true);
        for (; pair < minima; pair++)
            NAME(exchange)(registers, *pair, true, false);
        for (; pair < maxima; pair++)
            NAME(exchange)(registers, *pair, false, true);
    }
}

/* Performs one merge of the program, for all blocks of a row. */
static void NAME(run_merge)(const ImgMedianTile *tile, const ImgMedianMerge *merge, uint8_t *to)
{
    const size_t stride = tile->line_stride;
    const size_t pixel = (size_t)tile->channels * (size_t)tile->bytes;
    const size_t end = (size_t)tile->samples * (size_t)tile->bytes +
                       (size_t)(tile->program->side - merge->columns) * pixel;
    const bool is_first = merge->columns == 1;
    const uint8_t *left = is_first ? tile->lines : tile->planes + (size_t)merge->left * stride;
    const uint8_t *right =
        tile->planes + (size_t)merge->right * stride + (size_t)merge->right_columns * pixel;
    const uint8_t *kept = tile->registers + (size_t)merge->kept_first * IMG_MEDIAN_BLOCK;
    for (size_t i = 0; i < end; i += IMG_MEDIAN_BLOCK) {
        NAME(load_block)(tile->registers, left + i, stride, merge->left_count);
        NAME(load_block)
        (tile->registers + (size_t)merge->left_count * IMG_MEDIAN_BLOCK, right + i, stride,
         merge->right_count);
        NAME(run_pairs)(tile->program, merge, tile->registers);
        for (int32_t k = 0; k < merge->kept; k++)
            for (size_t v = 0; v < IMG_MEDIAN_BLOCK; v += sizeof(vu8))
                store_u8(to + (size_t)k * stride + i + v,
                         load_u8(kept + (size_t)k * IMG_MEDIAN_BLOCK + v));
    }
}

static void NAME(network)(const ImgMedianTile *tile, uint8_t *to)
{
    const ImgMedianProgram *program = tile->program;
    const int32_t last = program->merges - 1;
    if (tile->radius <= 3) {
        static ImgMedianRow *const small[] = {NAME(median_of_nine), NAME(network_of_five),
                                              NAME(network_of_seven)};
        small[tile->radius - 1](tile, to);
        return;
    }
    for (int32_t m = 0; m < last; m++)
        NAME(run_merge)
    (tile, &program->merge[m], tile->planes + (size_t)program->merge[m].result * tile->line_stride);
    NAME(run_merge)(tile, &program->merge[last], to);
}

#undef NAME
#undef MINIMUM
#undef MAXIMUM
