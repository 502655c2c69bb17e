/* Private to the fast Gaussian on CUDA: converts sums to samples and writes rows of the picture. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_ROWS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_ROWS_CUH

#include "kernels/blur/gaussian.h"
#include "kernels/core/cuda/byte_matrices.cuh"
#include "kernels/core/cuda/wide_access.cuh"

/* --- Weighted sums ---------------------------------------------------------------------------- */

/* Weighted sums as products of matrices of bytes.
 *
 * The matrix of weights is a band matrix: row m has the weights from column m + HALO - radius on.
 * A weight is split as 128 h + l, so that h and 2 l are bytes. A 16-bit sample is split as 256 h +
 * l. A blurred sample of an 8-bit picture has 14 bits and is split as 64 h + l, so that h and 4 l
 * are bytes.
 *
 * There are three sums: of the products h * h, of both products h * l, and of the products l * l.
 * The first sum has 256 times the weight of the second, and the second 256 times the weight of the
 * third. Added with these weights they are 2 times the weighted sum of 16-bit samples, or 8 times
 * the weighted sum of 14-bit samples.
 *
 * 16-bit samples are not lifted (converted to signed samples, window/lift.h). Weights sum to one,
 * so the offset of lifting, 32768, would pass through all sums unchanged. Without it no number
 * needs a sign. 8-bit samples are lifted implicitly: their vertical sums keep 6 fractional bits,
 * so they are 64 times as large as the samples, like lifted samples. */

constexpr int BAND = 16; /* rows or columns of results per matrix */

/* HALO is the number of additional samples on each side that the sums of BAND adjacent samples may
 * read. The source samples fill CHUNKS chunks of 16. So HALO is 0 with one chunk, and each further
 * chunk adds 8. */
template <int CHUNKS> struct Reach {
    static constexpr int HALO = (CHUNKS - 1) * CHUNK / 2;
};

/* Weights in words of four: [0] has their high bytes h, [1] their low bytes 2 l. Word i of `pairs`
 * has the weights i, i + 1, i + 8 and i + 9. Word i of `fours` has the weights i to i + 3. */
template <int COUNT> struct WeightTable {
    static constexpr int SIZE = COUNT;
    uint32_t pairs[2][COUNT], fours[2][COUNT];
};

__device__ inline void put_weight(uint32_t weight, int place, uint32_t &high, uint32_t &low)
{
    high |= weight >> 7 << 8 * place;
    low |= (weight << 1 & 0xfe) << 8 * place;
}

/* Fills the table; all threads of the block must call it. `weight(i)` must return weight i, and 0
 * outside the range of weights. */
template <typename Table, typename Weight>
__device__ inline void make_table(Table &table, Weight weight)
{
    for (int i = (int)threadIdx.x; i < Table::SIZE; i += (int)blockDim.x) {
        uint32_t pairs[2] = {0, 0}, fours[2] = {0, 0};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            put_weight(weight(i + k % 2 + k / 2 * 8), k, pairs[0], pairs[1]);
            put_weight(weight(i + k), k, fours[0], fours[1]);
        }
#pragma unroll
        for (int part = 0; part < 2; part++) {
            table.pairs[part][i] = pairs[part];
            table.fours[part][i] = fours[part];
        }
    }
}

/* Weights that a lane holds for vertical sums (Down) and horizontal sums (Across), in words of
 * four; q is lane % 4. In each chunk, rows have the order 2 q, 2 q + 1, 2 q + 8, 2 q + 9 that
 * load_pairs returns. Columns of 16-bit samples have the same order. A lane computes columns 4 q to
 * 4 q + 3 of the result. */
/* indices: [high or low bytes of weights][chunk][upper or lower rows] */
template <int CHUNKS> using Down = uint32_t[2][CHUNKS][2];
/* indices: [high or low bytes of weights][first or last two columns][chunk] */
template <int CHUNKS> using Across = uint32_t[2][2][CHUNKS];

template <int CHUNKS> struct Bands {
    Down<CHUNKS> down;
    Across<CHUNKS> across;
    Start half; /* initial value of vertical sums; rounding_down computes it */
};

/* Returns the initial value of vertical sums, which makes them round to nearest. Sums of bytes have
 * 10 more fractional bits than a lifted sample (window/lift.h), and sums of 16-bit samples
 * have 16 more. The initial value is half of the last bit that is kept: 2^9 or 2^15.
 *
 * For bytes the value also rounds the final result: it adds 32 to each lifted sample, which is half
 * of the 64 that one step of an 8-bit sample is worth. This is possible because weights sum to one.
 * If the operation sharpens, it needs unrounded blurred samples, so the 32 is left out. */
template <typename Sample> __device__ inline int32_t rounding_down(bool sharpens)
{
    return sizeof(Sample) == 2 ? 1 << 15 : 512 + (sharpens ? 0 : 32 << 10);
}

/* Rounds horizontal sums of 14-bit samples: adds a half, which is 2 in the byte 4 l, to each
 * sample. Weights sum to one, so this adds a half to the sum. */
constexpr uint32_t HALVES = 0x02020202;

/* Loads a lane's part of the matrices of weights. Adjacent results are FACTOR source rows or
 * columns apart. For horizontal sums, the weights of the first result begin LEAD columns after the
 * start of the matrix. The table begins with zeros: in the matrix, the row of the last result has
 * zeros before its weights. */
template <typename Sample, int CHUNKS, int FACTOR, int LEAD, typename Table>
__device__ inline void load_bands(const Table &table, bool sharpens, Bands<CHUNKS> &bands)
{
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    constexpr bool WIDE = sizeof(Sample) == 2;
    constexpr int ZEROS = (BAND - 1) * FACTOR + LEAD;
    static_assert(ZEROS + CHUNKS * CHUNK <= Table::SIZE, "all of the last chunk");
    make_start(rounding_down<Sample>(sharpens), bands.half);
#pragma unroll
    for (int part = 0; part < 2; part++)
#pragma unroll
        for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int from = ZEROS + chunk * CHUNK, across = from - LEAD;
                const int row = (g + 8 * half) * FACTOR;
                const int column = (g / 2 * 4 + g % 2 + 2 * half) * FACTOR;
                bands.down[part][chunk][half] = table.pairs[part][from + 2 * q - row];
                bands.across[part][half][chunk] = WIDE ? table.pairs[part][across + 2 * q - column]
                                                       : table.fours[part][across + 4 * q - column];
            }
}

/* Vertical sums of BAND columns, split into bytes h and l. A lane has four columns of its upper row
 * and of its lower row. */
struct Weighed {
    uint32_t high[2], low[2];
};

__device__ inline uint32_t joined(int32_t high, int32_t low)
{
    return ((uint32_t)high << 8) + (uint32_t)low;
}

/* Computes the vertical sums of 8 columns of bytes; `column` has the bytes of the lane. */
template <int CHUNKS>
__device__ inline void weigh_down_bytes(const Bands<CHUNKS> &bands,
                                        const uint32_t (&column)[CHUNKS], uint32_t (&sum)[4])
{
    const Start none = {0, 0, 0, 0};
    int32_t high[4], low[4];
    multiply_bytes<CHUNKS>(high, none, bands.down[0], column);
    multiply_bytes<CHUNKS>(low, bands.half, bands.down[1], column);
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum[i] = joined(high[i], low[i]);
}

template <int CHUNKS>
__device__ inline void weigh_down_words(const Down<CHUNKS> &down, const Start &half,
                                        const uint32_t (&upper)[CHUNKS],
                                        const uint32_t (&lower)[CHUNKS], uint32_t (&sum)[4])
{
    const Start none = {0, 0, 0, 0};
    int32_t high[4], middle[4], low[4];
    multiply_bytes<CHUNKS>(high, none, down[0], upper);
    multiply_bytes<CHUNKS>(middle, none, down[0], lower);
    multiply_bytes<CHUNKS>(middle, middle, down[1], upper);
    multiply_bytes<CHUNKS>(low, half, down[1], lower);
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum[i] = joined((int32_t)joined(high[i], middle[i]), low[i]);
}

/* Computes the vertical sums of BAND columns of a plane in shared memory; `rows` is the first
 * row. */
template <int CHUNKS>
__device__ inline void weigh_down(const Bands<CHUNKS> &bands, const uint8_t *rows, int pitch,
                                  uint8_t, Weighed &weighed)
{
    uint32_t pair[2 * CHUNKS], column[2][CHUNKS], sum[2][4];
    load_pairs<CHUNKS>(pair, rows, pitch);
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        column[0][chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x6420);
        column[1][chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x7531);
    }
    weigh_down_bytes<CHUNKS>(bands, column[0], sum[0]);
    weigh_down_bytes<CHUNKS>(bands, column[1], sum[1]);
#pragma unroll
    for (int row = 0; row < 2; row++) {
        const uint32_t left = __byte_perm(sum[0][2 * row], sum[1][2 * row], 0x6251);
        const uint32_t right = __byte_perm(sum[0][2 * row + 1], sum[1][2 * row + 1], 0x6251);
        weighed.low[row] = __byte_perm(left, right, 0x5410) & 0xfcfcfcfc | HALVES;
        weighed.high[row] = __byte_perm(left, right, 0x7632);
    }
}

template <int CHUNKS>
__device__ inline void weigh_down(const Bands<CHUNKS> &bands, const uint8_t *rows, int pitch,
                                  uint16_t, Weighed &weighed)
{
    uint32_t word[2][2];
#pragma unroll
    for (int half = 0; half < 2; half++) {
        uint32_t pair[2 * CHUNKS], upper[CHUNKS], lower[CHUNKS], sum[4];
        load_pairs<CHUNKS>(pair, rows + half * CHUNK, pitch);
#pragma unroll
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            lower[chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x6420);
            upper[chunk] = __byte_perm(pair[2 * chunk], pair[2 * chunk + 1], 0x7531);
        }
        weigh_down_words<CHUNKS>(bands.down, bands.half, upper, lower, sum);
        word[half][0] = __byte_perm(sum[0], sum[1], 0x7362);
        word[half][1] = __byte_perm(sum[2], sum[3], 0x7362);
    }
#pragma unroll
    for (int row = 0; row < 2; row++) {
        weighed.low[row] = __byte_perm(word[0][row], word[1][row], 0x5410);
        weighed.high[row] = __byte_perm(word[0][row], word[1][row], 0x7632);
    }
}

/* Computes the horizontal sums of the four columns of a lane, for its upper and its lower row.
 * sum[0] has the first two columns of both rows, sum[1] the last two. `half` rounds the sums; it
 * must be zero for 14-bit samples, because HALVES rounds them. */
template <int CHUNKS>
__device__ inline void weigh_across(const Across<CHUNKS> &across, const Weighed (&window)[CHUNKS],
                                    const Start &half, uint32_t (&sum)[2][4])
{
    const Start none = {0, 0, 0, 0};
    uint32_t upper[CHUNKS][2], lower[CHUNKS][2];
#pragma unroll
    for (int i = 0; i < 2 * CHUNKS; i++) {
        upper[i / 2][i % 2] = window[i / 2].high[i % 2];
        lower[i / 2][i % 2] = window[i / 2].low[i % 2];
    }
#pragma unroll
    for (int part = 0; part < 2; part++) {
        int32_t high[4], middle[4], low[4];
        multiply_bytes<CHUNKS>(high, none, upper, across[0][part]);
        multiply_bytes<CHUNKS>(middle, none, lower, across[0][part]);
        multiply_bytes<CHUNKS>(middle, middle, upper, across[1][part]);
        multiply_bytes<CHUNKS>(low, half, lower, across[1][part]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            sum[part][i] = joined((int32_t)joined(high[i], middle[i]), low[i]);
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

struct PictureRows {
    uint8_t *data;
    size_t stride;
    int32_t width, height;
};

/* Buffer for the results of a warp in shared memory: BAND rows of GROUPS times BAND columns, which
 * are written to the picture together. The pitch puts rows in different banks. */
template <typename Sample, int CHANNELS, int GROUPS_ = (sizeof(Sample) * CHANNELS > 4 ? 2 : 4)>
struct Rows {
    static constexpr int PIXEL = (int)sizeof(Sample) * CHANNELS, GROUPS = GROUPS_;
    static constexpr int BYTES = GROUPS * BAND * PIXEL, PITCH = BYTES + WIDE_BYTES;
    /* Returns the offset in bytes of a lane's four pixels of a group, in the upper of its two
     * rows. */
    static __device__ int place(int group)
    {
        const int lane = (int)threadIdx.x % 32;
        return lane / 4 * PITCH + (group * BAND + lane % 4 * 4) * PIXEL;
    }
};

/* Returns `number` clamped to 0 .. 2^places - 1. */
__device__ inline uint32_t within(int32_t number, int places)
{
    const int32_t most = (1 << places) - 1;
#if defined(__CUDA_ARCH__)
    return (uint32_t)__vimin_s32_relu(number, most);
#else
    return (uint32_t)max(min(number, most), 0);
#endif
}

/* Returns a sharpened sample in the uppermost bits, for a mask without threshold. `sum` has the
 * blurred sample in its uppermost bits; `own` is the sample before the blur. Without a threshold,
 * sharpening (img_unsharp) and the conversion to a sample (img_lower_plain) are one linear
 * expression, which is rounded and clamped once. */
template <typename Sample>
__device__ inline uint32_t sharpened_all(const ImgUnsharp &mask, uint32_t sum, uint32_t own)
{
    constexpr bool WIDE = sizeof(Sample) == 2;
    constexpr int OWN = WIDE ? 0 : IMG_LIFT_PLACES, PLACES = IMG_AMOUNT_PLACES + OWN;
    constexpr int HALF = (1 << (IMG_AMOUNT_PLACES - 1)) + (WIDE ? 0 : 1 << (PLACES - 1));
    const int32_t blurred = (int32_t)(sum >> (WIDE ? 16 : 18));
    const int32_t both = (1 << PLACES) + (mask.amount << OWN);
    return within((int32_t)own * both + HALF - blurred * mask.amount, PLACES + 8 * sizeof(Sample))
           << (32 - PLACES - 8 * sizeof(Sample));
}

/* Returns the same as sharpened_all, but for a mask with a threshold. */
template <typename Sample>
__device__ inline uint32_t sharpened(const ImgUnsharp &mask, uint32_t sum, uint32_t own)
{
    if (sizeof(Sample) == 2) {
        const int32_t lifted = (int32_t)own - IMG_LIFT_ZERO;
        const int32_t blurred = (int32_t)(sum >> 16) - IMG_LIFT_ZERO;
        return (uint32_t)(img_unsharp(&mask, lifted, blurred) + IMG_LIFT_ZERO) << 16;
    }
    const int32_t result =
        img_unsharp(&mask, (int32_t)own << IMG_LIFT_PLACES, (int32_t)(sum >> 18));
    return img_lower_plain(result, 8) << 24;
}

/* Sums of four adjacent pixels in two rows of a lane, by channel. `at` returns the sum of pixel `x`
 * in the upper (0) or lower (1) row. */
template <int CHANNELS> struct Results {
    uint32_t sum[CHANNELS][2][4];
    __device__ uint32_t &at(int channel, int row, int x)
    {
        return sum[channel][x / 2][2 * row + x % 2];
    }
};

/* Stores four pixels of a row of `results` at `out`, packed in the format of the picture. */
template <typename Sample, int CHANNELS>
__device__ inline void put_row(Results<CHANNELS> &results, int row, uint8_t *out)
{
    uint32_t *to = reinterpret_cast<uint32_t *>(out);
#pragma unroll
    for (int k = 0; k < Rows<Sample, CHANNELS>::PIXEL; k++) {
        uint32_t word;
        if (sizeof(Sample) == 2) {
            const int a = 2 * k, b = 2 * k + 1;
            word = __byte_perm(results.at(a % CHANNELS, row, a / CHANNELS),
                               results.at(b % CHANNELS, row, b / CHANNELS % 4), 0x7632);
        } else {
            const int a = 4 * k;
            const uint32_t first =
                __byte_perm(results.at(a % CHANNELS, row, a / CHANNELS % 4),
                            results.at((a + 1) % CHANNELS, row, (a + 1) / CHANNELS % 4), 0x0073);
            const uint32_t second =
                __byte_perm(results.at((a + 2) % CHANNELS, row, (a + 2) / CHANNELS % 4),
                            results.at((a + 3) % CHANNELS, row, (a + 3) / CHANNELS % 4), 0x0073);
            word = __byte_perm(first, second, 0x5410);
        }
        to[k] = word;
    }
}

__device__ inline void store_piece(uint8_t *to, uint2 v)
{
    *reinterpret_cast<uint2 *>(to) = v;
}

__device__ inline void store_piece(uint8_t *to, uint4 v)
{
    *reinterpret_cast<uint4 *>(to) = v;
}

/* Positions, within the rows of a warp, of the pieces that a lane copies. After PERIOD pieces the
 * positions repeat, ROWS rows further down. */
template <typename R, typename Piece> struct Pieces {
    static constexpr int SIZE = (int)sizeof(Piece), ROW = R::BYTES / SIZE;
    static constexpr int PERIOD = ROW % 3 == 0 ? 3 : 1, ROWS = 32 * PERIOD / ROW;
    static_assert(32 * PERIOD % ROW == 0 && BAND % ROWS == 0, "pieces fill rows");
};

/* Copies the rows of a warp from `out` to the picture, one Piece at a time. In the picture they
 * begin at row y, and at byte `offset` of each row. All of these pixels must be inside the
 * picture. */
template <typename R, typename Piece>
__device__ inline void write_inside(const PictureRows &picture, const uint8_t *out, int64_t y,
                                    int64_t offset)
{
    typedef Pieces<R, Piece> P;
#pragma unroll
    for (int k = 0; k < P::PERIOD; k++) {
        const int i = k * 32 + (int)threadIdx.x % 32, row = i / P::ROW, at = i % P::ROW * P::SIZE;
        const uint8_t *from = out + row * R::PITCH + at;
        uint8_t *to = picture.data + (size_t)(y + row) * picture.stride + offset + at;
#pragma unroll
        for (int first = 0; first < BAND; first += P::ROWS) {
            store_piece(to, *reinterpret_cast<const Piece *>(from + first * R::PITCH));
            to += P::ROWS * picture.stride;
        }
    }
}

/* Like write_inside, but skips pixels that are outside the picture. */
template <typename R, typename Piece>
__device__ inline void write_edge(const PictureRows &picture, const uint8_t *out, int64_t y,
                                  int64_t offset)
{
    typedef Pieces<R, Piece> P;
    const int64_t row_bytes = (int64_t)picture.width * R::PIXEL;
#pragma unroll 1
    for (int i = (int)threadIdx.x % 32; i < BAND * P::ROW; i += 32) {
        const int row = i / P::ROW, at = i % P::ROW * P::SIZE;
        const uint8_t *from = out + row * R::PITCH + at;
        uint8_t *to = picture.data + (size_t)(y + row) * picture.stride + offset + at;
        if (y + row >= picture.height || offset + at < 0)
            continue;
        if (offset + at + P::SIZE <= row_bytes)
            store_piece(to, *reinterpret_cast<const Piece *>(from));
        else
            for (int k = 0; k < row_bytes - offset - at; k++)
                to[k] = from[k];
    }
}

template <typename R, typename Piece>
__device__ inline void write_out(const PictureRows &picture, const uint8_t *out, int64_t y,
                                 int64_t offset)
{
    if (y + BAND <= picture.height && offset >= 0 &&
        offset + R::BYTES <= (int64_t)picture.width * R::PIXEL)
        write_inside<R, Piece>(picture, out, y, offset);
    else
        write_edge<R, Piece>(picture, out, y, offset);
}

#endif
