/* Private to the fast Gaussian on CUDA: converts sums to samples and writes rows of the picture. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_ROWS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_ROWS_CUH

#include "kernels/blur/cuda/gaussian_bands.cuh"
#include "kernels/core/cuda/wide_access.cuh"

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
