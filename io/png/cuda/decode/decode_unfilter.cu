/* Filters undone (PNG specification, third edition, section 9) as a wavefront: a warp takes a band
 * of rows, each lane a byte of the pixels of one row, and each row is a pixel behind the one above.
 * The last row of a band tells the next band its bytes by mail: words of 16 bits in which one says
 * that the byte is there, so that no fence is needed. A band whose first row refers to none above
 * waits for no mail: bands are cut so that there are many of them. They are taken by ticket:
 * whoever waits does so for a warp that runs. */
#include "io/png/cuda/decode/decode_bits.cuh"
#include "io/png/filter/filter_type.h"

namespace
{

constexpr int GROUP = 8; /* pixels whose bytes are loaded at a time */
constexpr uint32_t ALL = 0xffffffffu, MAIL_THERE = 0x100;
constexpr uint32_t MOST_PATIENCE = 1u << 23; /* looks into the mail: seconds, and a bug */

/* Rows of bytes go to. */
struct Target {
    uint8_t *rows;
    size_t stride;
    uint32_t swap; /* 1: the two bytes of a sample change places */
};

/* Section 9.4: whichever of left, above and upper left is next to left + above - upper left. */
__device__ uint32_t paeth(int left, int above, int corner)
{
    int to_left = above - corner, to_above = left - corner, to_corner = to_left + to_above;
    to_left = to_left < 0 ? -to_left : to_left;
    to_above = to_above < 0 ? -to_above : to_above;
    to_corner = to_corner < 0 ? -to_corner : to_corner;
    if (to_left <= to_above && to_left <= to_corner)
        return (uint32_t)left;
    return (uint32_t)(to_above <= to_corner ? above : corner);
}

/* Without branches: rows of a warp have filters of their own. */
__device__ uint32_t predict(uint32_t filter, uint32_t left, uint32_t above, uint32_t corner)
{
    uint32_t guess = paeth((int)left, (int)above, (int)corner);
    guess = filter == IMG_FILTER_AVERAGE ? (left + above) / 2 : guess;
    guess = filter == IMG_FILTER_UP ? above : guess;
    guess = filter == IMG_FILTER_SUB ? left : guess;
    return filter == IMG_FILTER_NONE ? 0 : guess;
}

/* --- Bands ----------------------------------------------------------------------------------- */

__device__ uint32_t filter_of(const DecodeWork &work, uint32_t row)
{
    return work.bytes[(size_t)row * (1 + work.row_bytes)];
}

/* Does the row refer to the one above? (Filters that there are not refer to none.) */
__device__ bool refers_up(uint32_t filter)
{
    return filter > IMG_FILTER_SUB && filter < IMG_FILTERS;
}

/* How many rows the band that starts at row `first` of a stretch takes: up to the last one that
 * refers to none above, if there is one within `most` rows and one. `free_rows` has a bit for each
 * such row. */
__device__ uint32_t rows_of_band(const uint32_t *free_rows, uint32_t first, uint32_t end,
                                 uint32_t most)
{
    if (end - first <= most)
        return end - first;
    uint32_t next = first + 1;
    uint32_t ahead = __funnelshift_r(free_rows[next / 32], free_rows[next / 32 + 1], next % 32);
    if (most < 32)
        ahead &= (1u << most) - 1;
    return ahead == 0 ? most : 32 - (uint32_t)__clz((int)ahead);
}

/* A stretch a warp. */
__global__ void __launch_bounds__(32) bands_kernel(DecodeWork work)
{
    IMG_SHARED(uint32_t, free_rows, [DECODE_STRETCH / 32 + 1]);
    uint32_t start = blockIdx.x * DECODE_STRETCH;
    uint32_t end = min(work.height - start, (uint32_t)DECODE_STRETCH);
    uint32_t most = decode_band_rows(work.pixel), places = work.stretch_bands;
    if (decode_is_over(work))
        return;
    for (uint32_t i = 0; i <= DECODE_STRETCH / 32; i++) {
        uint32_t row = i * 32 + threadIdx.x;
        bool is_free = row < end && !refers_up(filter_of(work, start + row));
        uint32_t word = __ballot_sync(ALL, is_free);
        if (threadIdx.x == 0)
            free_rows[i] = word;
    }
    if (threadIdx.x > 0)
        return;
    for (uint32_t i = 0, row = 0; i < places; i++) {
        Band band = {start + row, rows_of_band(free_rows, row, end, most)};
        work.bands[blockIdx.x * places + i] = band;
        row += band.rows;
    }
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* A lane's place, and what it works on. */
struct Lane {
    bool there;       /* it has a row */
    bool asks, tells; /* it takes mail, it sends mail */
    uint32_t behind;  /* pixels behind the first row */
    uint32_t pixels, filter;
    const uint8_t *from;
    uint8_t *to;
    const volatile uint16_t *inbox;
    volatile uint16_t *outbox;
};

template <int PIXEL>
__device__ Lane place_lane(const DecodeWork &work, const Target &target, uint32_t place)
{
    constexpr uint32_t ROWS = 32 / PIXEL;
    Lane lane = {};
    Band band = work.bands[place];
    uint32_t number = threadIdx.x / PIXEL, channel = threadIdx.x % PIXEL;
    uint32_t row = band.first + number;
    lane.there = number < band.rows && number < ROWS;
    lane.behind = number;
    lane.pixels = band.rows > 0 ? work.row_bytes / PIXEL : 0;
    if (!lane.there)
        return lane;
    lane.filter = filter_of(work, row);
    lane.from = work.bytes + (size_t)row * (1 + work.row_bytes) + 1 + channel;
    lane.to = target.rows + row * target.stride + (channel ^ target.swap);
    lane.asks = number == 0 && row > 0 && refers_up(lane.filter);
    lane.tells =
        number + 1 == band.rows && row + 1 < work.height && refers_up(filter_of(work, row + 1));
    /* The next band's place: what follows in the stretch, or where the next stretch starts. */
    uint32_t next = (row + 1) % DECODE_STRETCH == 0
                        ? (place / work.stretch_bands + 1) * work.stretch_bands
                        : place + 1;
    if (lane.asks)
        lane.inbox = work.mail + (size_t)place * work.row_bytes + channel;
    if (lane.tells)
        lane.outbox = work.mail + (size_t)next * work.row_bytes + channel;
    if (lane.filter >= IMG_FILTERS) {
        decode_doubt(work, IMG_PNG_CUDA_BAD_FILTER);
        lane.filter = IMG_FILTER_NONE;
    }
    return lane;
}

/* Bytes of the pixels of a group that are in the row, and the mail for them. */
template <int PIXEL> struct Ahead {
    uint32_t bytes[GROUP], mail[GROUP];

    /* What there is now. */
    __device__ void load(const Lane &lane, uint32_t first)
    {
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            uint32_t x = first + i - lane.behind; /* large before the row's start */
            bool inside = lane.there && x < lane.pixels;
            bytes[i] = inside ? lane.from[(size_t)x * PIXEL] : 0;
            mail[i] = inside && lane.asks ? lane.inbox[(size_t)x * PIXEL] : MAIL_THERE;
        }
    }

    /* Waits for the rest of the mail, of all pixels at a time: a look takes as long as several
     * pixels. Only the first row of a band gets any. */
    __device__ void await_mail(const DecodeWork &work, const Lane &lane, uint32_t first)
    {
        for (uint32_t patience = MOST_PATIENCE; patience > 0; patience--) {
            uint32_t all = MAIL_THERE;
#pragma unroll
            for (int i = 0; i < GROUP; i++)
                all &= mail[i];
            if (all != 0)
                return;
#pragma unroll
            for (int i = 0; i < GROUP; i++)
                if (first + i < lane.pixels)
                    mail[i] = lane.inbox[(size_t)(first + i) * PIXEL];
        }
        decode_doubt(work, IMG_PNG_CUDA_BAD_FILTER);
    }
};

template <int PIXEL>
__global__ void __launch_bounds__(32) unfilter_kernel(DecodeWork work, Target target)
{
    uint32_t place = 0, left = 0, corner = 0, value = 0;
    if (threadIdx.x == 0) /* for all lanes: another warp may find a doubt meanwhile */
        place = decode_is_over(work) ? DECODE_NOWHERE : atomicAdd(&work.counters->band, 1u);
    place = __shfl_sync(ALL, place, 0);
    if (place == DECODE_NOWHERE)
        return;
    Lane lane = place_lane<PIXEL>(work, target, place);
    uint32_t steps = lane.pixels > 0 ? lane.pixels + 32 / PIXEL - 1 : 0;
    Ahead<PIXEL> now, next;
    next.load(lane, 0);
    for (uint32_t first = 0; first < steps; first += GROUP) {
        now = next;
        if (lane.asks)
            now.await_mail(work, lane, first);
        next.load(lane, first + GROUP);
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            uint32_t above = __shfl_up_sync(ALL, value, PIXEL), x = first + i - lane.behind;
            if (lane.behind == 0)
                above = 0;
            if (!lane.there || x >= lane.pixels)
                continue;
            size_t at = (size_t)x * PIXEL;
            if (lane.asks)
                above = now.mail[i] & 0xff;
            value = (now.bytes[i] + predict(lane.filter, left, above, corner)) & 0xff;
            left = value;
            corner = above;
            lane.to[at] = (uint8_t)value;
            if (lane.tells)
                lane.outbox[at] = (uint16_t)(MAIL_THERE | value);
        }
    }
}

/* Samples of fewer than 8 bits, each to a byte of its own: a thread a sample. */
constexpr int EXPAND_THREADS = 256;

__global__ void __launch_bounds__(EXPAND_THREADS) expand_kernel(DecodeWork work, Target packed)
{
    uint32_t x = blockIdx.x * EXPAND_THREADS + threadIdx.x, in_byte = 8 / work.bits;
    if (x >= work.samples)
        return;
    uint32_t shift = 8 - work.bits * (x % in_byte + 1), mask = (1u << work.bits) - 1;
    for (uint32_t y = blockIdx.y; y < work.height; y += gridDim.y)
        work.pixels[y * work.stride + x] =
            (uint8_t)(packed.rows[y * packed.stride + x / in_byte] >> shift & mask);
}

template <int PIXEL>
void launch_unfilter(const DecodeWork &work, const Target &target, void *stream)
{
    DecodeWork copy = work;
    Target rows = target;
    IMG_LAUNCH(unfilter_kernel<PIXEL>, work.band_places, 32, 0, stream, copy, rows);
}

} // namespace

void decode_unfilter(const DecodeWork *work, void *stream)
{
    Target target = {work->pixels, work->stride, work->bits == 16 ? 1u : 0u};
    if (work->bits < 8) /* where cells were, which nobody needs any more */
        target = {(uint8_t *)work->cells, work->row_bytes, 0};
    uint32_t stretches = (work->height - 1) / DECODE_STRETCH + 1;
    DecodeWork copy = *work;
    IMG_LAUNCH(bands_kernel, stretches, 32, 0, stream, copy);
    switch (work->pixel) {
    case 1:
        launch_unfilter<1>(*work, target, stream);
        break;
    case 2:
        launch_unfilter<2>(*work, target, stream);
        break;
    case 3:
        launch_unfilter<3>(*work, target, stream);
        break;
    case 4:
        launch_unfilter<4>(*work, target, stream);
        break;
    case 6:
        launch_unfilter<6>(*work, target, stream);
        break;
    default:
        launch_unfilter<8>(*work, target, stream);
        break;
    }
    if (work->bits >= 8)
        return;
    dim3 grid((work->samples + EXPAND_THREADS - 1) / EXPAND_THREADS,
              work->height < 1024 ? work->height : 1024);
    IMG_LAUNCH(expand_kernel, grid, EXPAND_THREADS, 0, stream, copy, target);
}
