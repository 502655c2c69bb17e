/* Part of point_loops.c: a frequent first stage, the weighted sum of 8-bit red, green and
 * blue. It reads interleaved bytes directly. One instruction multiplies pairs of signed 16-bit
 * numbers and adds the products. The weight of green may need 17 bits, so it is split between two
 * pairs. */
#if defined(__AVX2__) || defined(IMGTOOL_NEON)
/* Returns true if the first stage is a sum of red, green and blue whose weights fit: the weights of
 * red and blue, and each half of the weight of green, must fit signed 16-bit numbers. */
static bool is_gray_sum(const ImgPointProgram *program)
{
    const ImgPointStage *stage = program->stages;
    const int32_t *weight = stage->sum[0].weight;
    return program->count > 0 && program->from.bits == 8 && stage->kind == IMG_POINT_MATRIX &&
           stage->from == 3 && stage->to == 1 && stage->is_narrow != 0 &&
           weight[0] == (int16_t)weight[0] && weight[2] == (int16_t)weight[2] &&
           weight[1] / 2 == (int16_t)(weight[1] / 2) &&
           weight[1] - weight[1] / 2 == (int16_t)(weight[1] - weight[1] / 2);
}

#endif

#ifdef __AVX2__
#include <immintrin.h>

static inline __m256i pair_of(int32_t first, int32_t second)
{
    return _mm256_set1_epi32((uint16_t)first | second * 65536);
}

typedef struct GraySum {
    __m256i red_green, green_blue, offset;
    __m128i shift;
} GraySum;

/* Returns the weighted sums of 8 pixels, as 32-bit integers. The 4 bytes after the last pixel must
 * be readable. */
static inline __m256i gray_of_8(const GraySum *sum, const uint8_t *from)
{
    const __m256i first = _mm256_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1,
                                           0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1);
    const __m256i second =
        _mm256_setr_epi8(1, -1, 2, -1, 4, -1, 5, -1, 7, -1, 8, -1, 10, -1, 11, -1, 1, -1, 2, -1, 4,
                         -1, 5, -1, 7, -1, 8, -1, 10, -1, 11, -1);
    const __m256i bytes =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)from)),
                                _mm_loadu_si128((const __m128i *)(from + 12)), 1);
    const __m256i a = _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, first), sum->red_green);
    const __m256i b = _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, second), sum->green_blue);
    return _mm256_sra_epi32(_mm256_add_epi32(_mm256_add_epi32(a, b), sum->offset), sum->shift);
}

/* Computes the weighted sums of `width` pixels. The pack instruction clamps the sums to 16 bits;
 * the instructions for minimum and maximum then clamp them to 8 bits. */
static void sum_gray(const ImgPointStage *stage, const uint8_t *from, int32_t width, Planes *planes)
{
    const int32_t *weight = stage->sum[0].weight, half = weight[1] / 2;
    const GraySum sum = {pair_of(weight[0], half), pair_of(weight[1] - half, weight[2]),
                         _mm256_set1_epi32((int32_t)stage->sum[0].offset),
                         _mm_cvtsi32_si128(stage->shift)};
    const __m256i black = _mm256_setzero_si256(), white = _mm256_set1_epi16(255);
    uint16_t *to = planes->at[0];
    int32_t x = 0;
    for (; x + 18 <= width; x += 16) {
        const __m256i words = _mm256_packs_epi32(gray_of_8(&sum, from + (size_t)x * 3),
                                                 gray_of_8(&sum, from + (size_t)x * 3 + 24));
        const __m256i in_order = _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(to + x),
                            _mm256_min_epi16(_mm256_max_epi16(in_order, black), white));
    }
    for (; x < width; x++) {
        const uint32_t sample[] = {from[3 * x], from[3 * x + 1], from[3 * x + 2], 0};
        to[x] = (uint16_t)img_point_sum(&stage->sum[0], sample, 3, stage->shift, 255);
    }
}
#elif defined(IMGTOOL_NEON)
typedef struct GraySum {
    int16_t red, green, rest_of_green, blue;
    int32x4_t offset, shift;
} GraySum;

static inline uint16x4_t gray_of_4(const GraySum *sum, uint16x4_t red, uint16x4_t green,
                                   uint16x4_t blue)
{
    int32x4_t all = vmlal_n_s16(sum->offset, vreinterpret_s16_u16(red), sum->red);
    all = vmlal_n_s16(all, vreinterpret_s16_u16(green), sum->green);
    all = vmlal_n_s16(all, vreinterpret_s16_u16(green), sum->rest_of_green);
    all = vmlal_n_s16(all, vreinterpret_s16_u16(blue), sum->blue);
    return vmin_u16(vqmovun_s32(vshlq_s32(all, sum->shift)), vdup_n_u16(255));
}

static inline void gray_of_8(const GraySum *sum, const uint8_t *from, uint16_t *to)
{
    const uint8x8x3_t pixels = vld3_u8(from);
    const uint16x8_t red = vmovl_u8(pixels.val[0]), green = vmovl_u8(pixels.val[1]);
    const uint16x8_t blue = vmovl_u8(pixels.val[2]);
    vst1_u16(to, gray_of_4(sum, vget_low_u16(red), vget_low_u16(green), vget_low_u16(blue)));
    vst1_u16(to + 4, gray_of_4(sum, vget_high_u16(red), vget_high_u16(green), vget_high_u16(blue)));
}

static void sum_gray(const ImgPointStage *stage, const uint8_t *from, int32_t width, Planes *planes)
{
    const int32_t *weight = stage->sum[0].weight, half = weight[1] / 2;
    const GraySum sum = {(int16_t)weight[0],
                         (int16_t)half,
                         (int16_t)(weight[1] - half),
                         (int16_t)weight[2],
                         vdupq_n_s32((int32_t)stage->sum[0].offset),
                         vdupq_n_s32(-stage->shift)};
    uint16_t *to = planes->at[0];
    int32_t x = 0;
    for (; x + 8 <= width; x += 8)
        gray_of_8(&sum, from + (size_t)x * 3, to + x);
    for (; x < width; x++) {
        const uint32_t sample[] = {from[3 * x], from[3 * x + 1], from[3 * x + 2], 0};
        to[x] = (uint16_t)img_point_sum(&stage->sum[0], sample, 3, stage->shift, 255);
    }
}
#else
static bool is_gray_sum(const ImgPointProgram *program)
{
    (void)program;
    return false;
}

static void sum_gray(const ImgPointStage *stage, const uint8_t *from, int32_t width, Planes *planes)
{
    (void)stage;
    (void)from;
    (void)width;
    (void)planes;
}
#endif
