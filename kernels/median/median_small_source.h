/* Sorting networks for windows of 5 x 5 and 7 x 7, which stay in registers as far as possible. They
 * are the networks of median_program.h for a constant size of the window, which the compiler
 * unrolls and prunes. Like median_network_source.h, this file is included once for each sample
 * size. */

#define INLINE static inline __attribute__((always_inline))

INLINE void NAME(exchange_registers)(vu8 *low, vu8 *high)
{
    const vu8 least = MINIMUM(*low, *high);
    *high = MAXIMUM(*low, *high);
    *low = least;
}

INLINE void NAME(merge_step)(vu8 *v, int count, int begin, int away)
{
    if (away == 0)
        return;
#pragma GCC unroll 64
    for (int i = 0; i < count - away; i++)
        if ((i + begin) / away % 2 == 1)
            NAME(exchange_registers)(v + i, v + i + away);
}

/* Merges two sorted lists, of `left` and of `right` registers, which follow one another in `v`.
 * Together they have up to 32 registers. */
INLINE void NAME(merge_lists)(vu8 *v, int left, int right)
{
    const int longer = left > right ? left : right, count = left + right;
    const int half = longer > 16 ? 32 : longer > 8 ? 16 : longer > 4 ? 8 : longer > 2 ? 4 : longer;
#pragma GCC unroll 64
    for (int i = 0; i < left; i++)
        if (i + half < count)
            NAME(exchange_registers)(v + i, v + i + half);
    NAME(merge_step)(v, count, half - left, half / 2);
    NAME(merge_step)(v, count, half - left, half / 4);
    NAME(merge_step)(v, count, half - left, half / 8);
    NAME(merge_step)(v, count, half - left, half / 16);
    NAME(merge_step)(v, count, half - left, half / 32);
}

INLINE void NAME(sort_column)(vu8 *v, int side)
{
    NAME(merge_lists)(v, 1, 1);
    NAME(merge_lists)(v + 2, 1, 1);
    NAME(merge_lists)(v, 2, 2);
    if (side == 7) {
        NAME(merge_lists)(v + 4, 1, 1);
        NAME(merge_lists)(v + 4, 2, 1);
    }
    NAME(merge_lists)(v, 4, side - 4);
}

INLINE void NAME(load_list)(vu8 *v, const uint8_t *from, size_t stride, int count)
{
#pragma GCC unroll 64
    for (int i = 0; i < count; i++)
        v[i] = load_u8(from + (size_t)i * stride);
}

INLINE void NAME(store_list)(const vu8 *v, uint8_t *to, size_t stride, int count)
{
#pragma GCC unroll 64
    for (int i = 0; i < count; i++)
        store_u8(to + (size_t)i * stride, v[i]);
}

/* Returns the lowest rank that the median can have among the samples of `columns` columns. */
INLINE int NAME(first_rank)(int columns, int side)
{
    const int first = columns * side - 1 - side * side / 2;
    return first > 0 ? first : 0;
}

/* Merges the samples of `columns` more columns into a list of `count` samples, which belongs to
 * `done` columns. The list begins at the lowest rank that the median can have. Returns the number
 * of samples of the result that can still be the median. */
INLINE int NAME(add_columns)(vu8 *v, int count, int done, int columns, int side,
                             const uint8_t *from, size_t stride)
{
    const int below = NAME(first_rank)(done, side), first = NAME(first_rank)(done + columns, side);
    const int end = below + count + columns * side, middle = side * side / 2;
    const int kept = (middle + 1 < end ? middle + 1 : end) - first;
    NAME(load_list)(v + count, from, stride, columns * side);
    NAME(merge_lists)(v, count, columns * side);
#pragma GCC unroll 64
    for (int i = 0; i < kept; i++)
        v[i] = v[first - below + i];
    return kept;
}

/* Computes a row of medians with windows of `side` pixels. The planes receive sorted columns, and
 * pairs of neighbouring columns that are merged. */
INLINE void NAME(small_network)(const ImgMedianTile *tile, uint8_t *to, int side)
{
    const size_t stride = tile->line_stride;
    const size_t pixel = (size_t)tile->channels * (size_t)tile->bytes;
    const size_t end = (size_t)tile->line_samples * (size_t)tile->bytes;
    const size_t results = (size_t)tile->samples * (size_t)tile->bytes;
    uint8_t *pairs = tile->planes + (size_t)side * stride;
    for (size_t i = 0; i < end; i += sizeof(vu8)) {
        vu8 v[7];
        NAME(load_list)(v, tile->lines + i, stride, side);
        NAME(sort_column)(v, side);
        NAME(store_list)(v, tile->planes + i, stride, side);
    }
    for (size_t i = 0; i < end - pixel; i += sizeof(vu8)) {
        vu8 v[14];
        NAME(load_list)(v, tile->planes + i, stride, side);
        NAME(load_list)(v + side, tile->planes + i + pixel, stride, side);
        NAME(merge_lists)(v, side, side);
        NAME(store_list)(v, pairs + i, stride, 2 * side);
    }
    for (size_t i = 0; i < results; i += sizeof(vu8)) {
        vu8 v[64];
        int count = 2 * side;
        NAME(load_list)(v, pairs + i, stride, count);
        count = NAME(add_columns)(v, count, 2, 2, side, pairs + i + 2 * pixel, stride);
        if (side == 7)
            count = NAME(add_columns)(v, count, 4, 2, side, pairs + i + 4 * pixel, stride);
        (void)NAME(add_columns)(v, count, side - 1, 1, side,
                                tile->planes + i + (size_t)(side - 1) * pixel, stride);
        store_u8(to + i, v[0]);
    }
}

static void NAME(network_of_five)(const ImgMedianTile *tile, uint8_t *to)
{
    NAME(small_network)(tile, to, 5);
}

static void NAME(network_of_seven)(const ImgMedianTile *tile, uint8_t *to)
{
    NAME(small_network)(tile, to, 7);
}

#undef INLINE
