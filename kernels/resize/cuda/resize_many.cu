/* resize on CUDA for many small pictures: one launch computes the tiles of all pictures of a kind.
 * Each row of the grid takes one picture. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/resize/cuda/resize_tile.cuh"

namespace
{

using namespace resize;

/* A picture of the launch. `own` is in device memory; `pitch` is the number of source columns in a
 * tile. */
struct Item {
    const ImgResize *own;
    ImgView src, dst;
    int32_t pitch;
};
static_assert(sizeof(Item) <= IMG_RESIZE_MANY_BYTES, "as ImgManyRun.call_bytes says");

/* The kinds of pictures, each with a launch of its own. */
enum Kind { PLAIN_GRAY, PLAIN_RGB, NARROW, WIDE_SUMS, KINDS };

/* The pictures of one launch, and the largest numbers of tiles and bytes that one of them needs. */
struct Launch {
    Item *items;
    size_t count, tile_bytes;
    int32_t tiles;
};

IMG_HOST_DEVICE int32_t tiles_across(const ImgView &dst)
{
    return (dst.width + WIDE - 1) / WIDE;
}

/* Sets the first column and row of the tile that the block computes. Returns false if the picture
 * has no tile for it. */
__device__ bool find_tile(const Item &item, int32_t &x0, int32_t &y0)
{
    const int32_t across = tiles_across(item.dst), down = (item.dst.height + LOW - 1) / LOW;
    if ((int64_t)blockIdx.x >= (int64_t)across * down)
        return false;
    x0 = (int32_t)blockIdx.x % across * WIDE;
    y0 = (int32_t)blockIdx.x / across * LOW;
    return true;
}

template <typename Sum, typename Stored>
__global__ void __launch_bounds__(THREADS) many_kernel(const Item *items)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    const Item item = items[blockIdx.y];
    int32_t x0, y0;
    if (find_tile(item, x0, y0))
        make_tile<Sum>(*item.own, item.src, item.dst, x0, y0, item.pitch,
                       reinterpret_cast<Stored *>(memory));
}

/* --- Pictures of 8 bits without alpha ----------------------------------------------------------
 *
 * A sample minus 128, which is what is summed, is the sample with its highest bit flipped, as a
 * signed byte. The vertical sums of four adjacent samples are computed together, two rows at a
 * time, by __dp2a, which adds two products of 16 and 8 bits. */

/* Returns the bytes of a row of vertical sums, for `columns` source columns, in shared memory. The
 * first sample may lie up to three samples before the first column. */
IMG_HOST_DEVICE int32_t plain_pitch(int32_t columns, int32_t channels)
{
    return (columns * channels + 3 + 3) / 4 * 4 * (int32_t)sizeof(int16_t);
}

bool is_plain_picture(const ImgResize *own)
{
    return !own->wide && !own->has_alpha && !own->linear && !own->copies && own->scale == 1 &&
           own->zero == 128;
}

/* Does what img_resize_round does. The sums fit in 32 bits: weights add up to at most 8/5 of 2^15
 * (filter.h), and vertical sums have 16 bits. */
__device__ inline int32_t round_sum(int32_t sum, int32_t places)
{
    return (sum + (1 << (places - 1))) >> places;
}

/* Returns the weights of new sample `i`, two in each number: the first in the low half. */
__device__ inline const int32_t *weights_of(const ImgResize &own, const ImgResizeAxis &axis,
                                            int32_t i)
{
    const auto *all = reinterpret_cast<const uint8_t *>(&own) + axis.weights_at;
    return reinterpret_cast<const int32_t *>(all) + (size_t)i * (axis.taps / 2);
}

/* Returns four samples of row `y`, from byte `at` on, a multiple of 4, as signed bytes. */
__device__ inline uint32_t load_four(const ImgView &src, int32_t y, int32_t at)
{
    return *reinterpret_cast<const uint32_t *>(src.data + (size_t)y * src.stride + at) ^
           0x80808080u;
}

/* Computes the vertical sums of four samples, from byte `at` of the rows on, for row `row` of the
 * scaled picture. */
__device__ inline uint2 sum_four(const ImgResize &own, const ImgView &src, int32_t at, int32_t row)
{
    const ImgResizeAxis &axis = own.down;
    const int32_t first = img_resize_first(&own, &axis)[row];
    const int32_t *weights = weights_of(own, axis, row);
    int32_t sums[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < axis.taps; k += 2) {
        const int32_t weight = weights[k / 2];
        const uint32_t above = load_four(src, img_resize_place(&axis, first, k), at);
        const uint32_t below = load_four(src, img_resize_place(&axis, first, k + 1), at);
        const int32_t low = (int32_t)__byte_perm(above, below, 0x5140);
        const int32_t high = (int32_t)__byte_perm(above, below, 0x7362);
        sums[0] = __dp2a_lo(weight, low, sums[0]);
        sums[1] = __dp2a_hi(weight, low, sums[1]);
        sums[2] = __dp2a_lo(weight, high, sums[2]);
        sums[3] = __dp2a_hi(weight, high, sums[3]);
    }
    const int32_t places = axis.places - own.fraction;
    uint32_t middle[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        middle[i] = (uint32_t)round_sum(sums[i], places) & 0xffff;
    return make_uint2(middle[0] | middle[1] << 16, middle[2] | middle[3] << 16);
}

/* Computes a pixel by horizontal sums and writes it to `to`. `middle` has the vertical sums of the
 * row, from source sample `start` on. */
template <int SAMPLES>
__device__ inline void sum_across(const ImgResize &own, const int16_t *middle, int32_t start,
                                  int32_t column, uint8_t *to)
{
    const ImgResizeAxis &axis = own.across;
    const int32_t first = img_resize_first(&own, &axis)[column];
    const int32_t *weights = weights_of(own, axis, column);
    int32_t sums[SAMPLES] = {};
    for (int32_t k = 0; k < axis.taps; k += 2) {
        const int32_t weight = weights[k / 2];
        const int16_t *one = middle + img_resize_place(&axis, first, k) * SAMPLES - start;
        const int16_t *two = middle + img_resize_place(&axis, first, k + 1) * SAMPLES - start;
#pragma unroll
        for (int c = 0; c < SAMPLES; c++)
            sums[c] += (int16_t)weight * one[c] + (weight >> 16) * two[c];
    }
#pragma unroll
    for (int c = 0; c < SAMPLES; c++)
        to[c] = (uint8_t)min(max(own.zero + round_sum(sums[c], axis.places + own.fraction), 0),
                             (int32_t)own.top);
}

template <int SAMPLES>
__device__ void make_plain_tile(const ImgResize &own, const Item &item, int32_t x0, int32_t y0,
                                uint8_t *memory)
{
    const ImgResizeSpan &span = own.across.span;
    const int32_t *first = img_resize_first(&own, &own.across);
    const int32_t from = x0 - span.at, last = span.count - 1;
    const int32_t left = first[min(max(from, 0), last)];
    const int32_t right =
        min(first[min(max(from + WIDE - 1, 0), last)] + own.across.taps, item.src.width);
    const int32_t start = left * SAMPLES / 4 * 4, end = right * SAMPLES;
    auto *row_sums =
        reinterpret_cast<int16_t *>(memory + threadIdx.y * plain_pitch(item.pitch, SAMPLES));
    const int32_t x = x0 + (int32_t)threadIdx.x, y = y0 + (int32_t)threadIdx.y;
    const Place place = place_of(own, x, y);
    if (place.row >= 0 && place.row < own.down.span.count)
        for (int32_t at = start + 4 * (int32_t)threadIdx.x; at < end; at += 4 * WIDE)
            *reinterpret_cast<uint2 *>(row_sums + at - start) =
                sum_four(own, item.src, at, place.row);
    __syncthreads();
    if (x >= item.dst.width || y >= item.dst.height)
        return;
    uint8_t *to = item.dst.data + (size_t)y * item.dst.stride + (size_t)x * SAMPLES;
    if (place.is_made)
        return sum_across<SAMPLES>(own, row_sums, start, place.column, to);
    for (int32_t c = 0; c < SAMPLES; c++)
        to[c] = (uint8_t)own.background[c];
}

template <int SAMPLES> __global__ void __launch_bounds__(THREADS) plain_kernel(const Item *items)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    const Item item = items[blockIdx.y];
    int32_t x0, y0;
    if (find_tile(item, x0, y0))
        make_plain_tile<SAMPLES>(*item.own, item, x0, y0, reinterpret_cast<uint8_t *>(memory));
}

/* --- Launches --------------------------------------------------------------------------------- */

Kind kind_of(const ImgCall *call)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return own->wide                ? WIDE_SUMS
           : !is_plain_picture(own) ? NARROW
           : own->channels == 1     ? PLAIN_GRAY
                                    : PLAIN_RGB;
}

void add(const ImgCall *call, Launch *launch)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    const int32_t down = (call->dst.height + LOW - 1) / LOW;
    const int32_t tiles = tiles_across(call->dst) * down;
    const auto pitch = (int32_t)img_resize_tile_columns(own);
    const size_t bytes = is_plain_picture(own) ? LOW * plain_pitch(pitch, own->channels)
                                               : img_resize_tile_bytes(own);
    launch->items[launch->count++] = {static_cast<const ImgResize *>(call->device_constants),
                                      call->src, call->dst, pitch};
    launch->tiles = tiles > launch->tiles ? tiles : launch->tiles;
    launch->tile_bytes = bytes > launch->tile_bytes ? bytes : launch->tile_bytes;
}

using Kernel = void (*)(const Item *);

} // namespace

ImgStatus img_resize_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                   ImgError *err)
{
    static const Kernel kernels[KINDS] = {plain_kernel<1>, plain_kernel<3>,
                                          many_kernel<int32_t, int16_t>,
                                          many_kernel<int64_t, int32_t>};
    auto *host = static_cast<Item *>(room->host);
    auto *device = static_cast<Item *>(room->device);
    Launch launches[KINDS] = {};
    size_t counts[KINDS] = {}, before = 0;
    for (size_t i = 0; i < count; i++)
        counts[kind_of(&calls[i])]++;
    for (int kind = 0; kind < KINDS; before += counts[kind++])
        launches[kind].items = host + before;
    for (size_t i = 0; i < count; i++)
        add(&calls[i], &launches[kind_of(&calls[i])]);
    CUDA_TRY(cudaMemcpyAsync(device, host, count * sizeof *host, cudaMemcpyHostToDevice,
                             (cudaStream_t)calls[0].stream),
             err);
    for (int kind = 0; kind < KINDS; kind++) {
        const Launch &launch = launches[kind];
        if (launch.count > 0)
            IMG_LAUNCH(kernels[kind], dim3((unsigned)launch.tiles, (unsigned)launch.count),
                       dim3(WIDE, LOW), launch.tile_bytes, calls[0].stream,
                       device + (launch.items - host));
    }
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* The description of the call may be on the stack: cudaMemcpyAsync copies unpinned memory before it
 * returns. */
ImgStatus img_resize_cuda_many(const ImgCall *call, ImgError *err)
{
    Item item;
    const ImgManyRoom room = {&item, call->workspace};
    return img_resize_cuda_run_many(call, 1, &room, err);
}
