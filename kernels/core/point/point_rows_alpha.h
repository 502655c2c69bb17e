/* Private to point_rows_source.h, which includes it behind its planes: a plane changed by alpha. */

/* As img_point_unshare; in words, as divisions are made of these. */
static inline void divide_by_alpha(uint32_t maximum, const uint16_t *alpha, uint16_t *plane,
                                   int32_t width)
{
    uint32_t divisor[CHUNK], value[CHUNK];
    for (int32_t i = 0; i < width; i++) {
        divisor[i] = alpha[i] > 0 ? alpha[i] : 1;
        value[i] = alpha[i] > 0 ? plane[i] * maximum + alpha[i] / 2u : 0;
    }
    for (int32_t i = 0; i < width; i++)
        value[i] = maximum > 255 ? img_quotient_32(value[i], divisor[i], (int32_t)maximum)
                                 : img_quotient_24(value[i], divisor[i]);
    for (int32_t i = 0; i < width; i++)
        plane[i] = (uint16_t)(value[i] < maximum ? value[i] : maximum);
}

/* One plane; with a maximum that compilers know, so that they need not divide. */
static inline void change_plane(const ImgPointStage *stage, uint32_t maximum, uint32_t background,
                                const uint16_t *alpha, uint16_t *restrict plane, int32_t width)
{
    if (stage->kind == IMG_POINT_OVER)
        for (int32_t i = 0; i < width; i++)
            plane[i] = (uint16_t)img_point_over(plane[i], background, alpha[i], maximum);
    else if (stage->kind == IMG_POINT_PREMULTIPLY)
        for (int32_t i = 0; i < width; i++)
            plane[i] = (uint16_t)img_point_share(plane[i], alpha[i], maximum);
    else
        divide_by_alpha(maximum, alpha, plane, width);
}
