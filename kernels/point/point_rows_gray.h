/* Part of point_loops.c: a frequent first stage, the weighted sum of 8-bit red, green and
 * blue. It reads interleaved bytes directly and multiplies pairs of signed 16-bit numbers. The
 * weight of green may need 17 bits, so it is split between two pairs. */

/* Returns true if the first stage is a sum of red, green and blue whose weights fit: the weights of
 * red and blue, and each half of the weight of green, must fit signed 16-bit numbers. */
static bool is_gray_sum(const ImgPointProgram *program)
{
    const ImgPointStage *stage = program->stages;
    const int32_t *weight = stage->sum[0].weight;
    return V_HAS_SHUFFLE && program->count > 0 && program->from.bits == 8 &&
           stage->kind == IMG_POINT_MATRIX && stage->from == 3 && stage->to == 1 &&
           stage->is_narrow != 0 && weight[0] == (int16_t)weight[0] &&
           weight[2] == (int16_t)weight[2] && weight[1] / 2 == (int16_t)(weight[1] / 2) &&
           weight[1] - weight[1] / 2 == (int16_t)(weight[1] - weight[1] / 2);
}

/* Computes the weighted sums of V_WORDS pixels. The two pixels after them must be readable.
 * pack_i32 clamps the sums to 16 bits; minimum and maximum then clamp them to 8 bits. */
static inline vi16 gray_of(const ImgPointStage *stage, const uint8_t *from)
{
    const int32_t *weight = stage->sum[0].weight, half = weight[1] / 2;
    const VPairs first = pairs_all((int16_t)weight[0], (int16_t)half);
    const VPairs second = pairs_all((int16_t)(weight[1] - half), (int16_t)weight[2]);
    VPairs red_green, green_blue;
    load_rgb(from, &red_green, &green_blue);
    VSums sums = sums_add(sums_all((int32_t)stage->sum[0].offset), red_green, first);
    sums = sums_shift(sums_add(sums, green_blue, second), stage->shift);
    return min_i16(max_i16(pack_i32(sums.low, sums.high), all_i16(0)), all_i16(255));
}

/* Computes the weighted sums of `width` pixels, at most CHUNK. Pixels at the end of the row are
 * copied first, so that whole vectors are readable. */
static void sum_gray(const ImgPointStage *stage, const uint8_t *from, int32_t width, Planes *planes)
{
    _Static_assert(CHUNK % V_WORDS == 0, "a plane has whole vectors");
    uint16_t *to = planes->at[0];
    int32_t x = 0;
    for (; x + V_WORDS + 2 <= width; x += V_WORDS)
        store_i16(to + x, gray_of(stage, from + (size_t)x * 3));
    for (; x < width; x += V_WORDS) {
        uint8_t rest[3 * (V_WORDS + 2)] = {0};
        const int32_t count = width - x < V_WORDS ? width - x : V_WORDS;
        memcpy(rest, from + (size_t)x * 3, (size_t)count * 3);
        store_i16(to + x, gray_of(stage, rest));
    }
}
