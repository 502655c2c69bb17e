/* Medians of 3 x 3, 5 x 5 and 7 x 7 by networks; larger ones by counting (median_counts.cu).
 *
 * A thread has four neighbouring columns of samples and goes down a band, two rows at a time, which
 * are the two halves of a word: so one instruction compares samples of two windows, and neighbours
 * are whole words, whatever the channels. Sorted columns, and for larger windows pairs of them,
 * merged, are given to neighbours in shared memory. */
#include "kernels/median/cuda/median_cuda.cuh"
#include "kernels/median/cuda/median_network.cuh"

namespace
{

constexpr int THREADS = 128, OWN = 4, ROWS = 32; /* of a band */

/* Sample columns on each side of a tile that only neighbours need, in whole threads. */
IMG_HOST_DEVICE constexpr int halo_threads(int radius, int channels)
{
    return (radius * channels + OWN - 1) / OWN;
}

/* The four samples of a row: two halves of `first` and of `second`; which of them, the depth
 * decides. */
struct Samples {
    uint32_t first, second;
};

/* Where a thread's samples are in any row. */
struct Places {
    int32_t column[OWN], channel[OWN];
    int64_t sample; /* the first one's number; below 0 in the halo */
    bool inside;    /* all four */
};

template <typename Sample, int CHANNELS>
__device__ Places places_of(const MedianTask &task, int64_t sample)
{
    const int64_t samples = (int64_t)task.width * CHANNELS;
    Places places;
    places.sample = sample;
    places.inside = sample >= 0 && sample + OWN <= samples;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        const int64_t shifted = sample + i + (int64_t)CHANNELS * OWN * IMG_MEDIAN_SIDE_MAX;
        places.channel[i] = (int32_t)(shifted % CHANNELS);
        places.column[i] = img_border_place(shifted / CHANNELS - OWN * IMG_MEDIAN_SIDE_MAX,
                                            task.width, task.border);
    }
    return places;
}

/* Bytes are taken apart: samples 0 and 2, and 1 and 3. */
__device__ Samples samples_of(const uint8_t *at, uint8_t)
{
    const uint32_t word = __ldg(reinterpret_cast<const uint32_t *>(at));
    return {word & 0x00ff00ff, word >> 8 & 0x00ff00ff};
}

__device__ Samples samples_of(const uint8_t *at, uint16_t)
{
    const uint2 words = __ldg(reinterpret_cast<const uint2 *>(at));
    return {words.x, words.y};
}

template <typename Sample>
__device__ Samples fetch(const MedianTask &task, const Places &places, int64_t y)
{
    const int32_t row = img_border_place(y, task.height, task.border);
    if (places.inside && row >= 0)
        return samples_of(task.src + (size_t)row * task.src_stride +
                              (size_t)places.sample * sizeof(Sample),
                          Sample());
    uint32_t sample[OWN];
#pragma unroll
    for (int i = 0; i < OWN; i++)
        sample[i] = task.sample<Sample>(places.column[i], row, places.channel[i]);
    constexpr bool BYTES = sizeof(Sample) == 1;
    return {sample[0] | sample[BYTES ? 2 : 1] << 16, sample[BYTES ? 1 : 2] | sample[3] << 16};
}

/* Column `own` of a row as the lower half and of the next row as the upper one. */
template <typename Sample>
__device__ uint32_t paired(const Samples &row, const Samples &next, int own)
{
    const bool second = sizeof(Sample) == 1 ? own % 2 == 1 : own >= 2;
    const bool upper = sizeof(Sample) == 1 ? own >= 2 : own % 2 == 1;
    return __byte_perm(second ? row.second : row.first, second ? next.second : next.first,
                       upper ? 0x7632 : 0x5410);
}

/* What a thread knows of its neighbours: planes of words, those of columns 0 of all threads first,
 * then of columns 1, so that a warp's are neighbours. Threads at the ends, whose results nobody
 * wants, meet their own end again. */
struct Planes {
    uint32_t *words;
    int thread;

    __device__ uint32_t &own(int plane, int column) const
    {
        return words[(plane * OWN + column) * THREADS + thread];
    }
    /* `away`: how far from column `column`, known when loops are unrolled. */
    __device__ uint32_t at(int plane, int column, int away) const
    {
        const int place = column + away + 64 * OWN;
        const int other = thread + place / OWN - 64;
        return words[(plane * OWN + place % OWN) * THREADS + min(max(other, 0), THREADS - 1)];
    }
};

/* The median of two windows, the one whose middle is the thread's column and the one below it. */
template <int RADIUS, int CHANNELS> struct Network;

template <int CHANNELS> struct Network<1, CHANNELS> {
    static constexpr int PLANES = 3;

    __device__ static void share(const uint32_t (&column)[3], const Planes &planes, int own)
    {
        planes.own(0, own) = __vimin3_u16x2(column[0], column[1], column[2]);
        planes.own(1, own) = middle_of_three(column[0], column[1], column[2]);
        planes.own(2, own) = __vimax3_u16x2(column[0], column[1], column[2]);
    }
    __device__ static void merge(const Planes &, int)
    {
    }
    __device__ static uint32_t median(const Planes &planes, int own)
    {
        constexpr int C = CHANNELS;
        const uint32_t low =
            __vimax3_u16x2(planes.at(0, own, -C), planes.own(0, own), planes.at(0, own, C));
        const uint32_t mid =
            middle_of_three(planes.at(1, own, -C), planes.own(1, own), planes.at(1, own, C));
        const uint32_t high =
            __vimin3_u16x2(planes.at(2, own, -C), planes.own(2, own), planes.at(2, own, C));
        return middle_of_three(low, mid, high);
    }
};

/* Planes: sorted columns, then each merged with the next one to the right. */
template <int RADIUS, int CHANNELS> struct Network {
    static constexpr int SIDE = 2 * RADIUS + 1, PLANES = 3 * SIDE;
    static constexpr int HALF = SIDE * SIDE / 2; /* the median's rank */

    __device__ static void share(uint32_t (&column)[SIDE], const Planes &planes, int own)
    {
        sort_registers<0, SIDE>(column);
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            planes.own(i, own) = column[i];
    }
    __device__ static void merge(const Planes &planes, int own)
    {
        uint32_t v[2 * SIDE];
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            v[i] = planes.own(i, own);
            v[SIDE + i] = planes.at(i, own, CHANNELS);
        }
        merge_registers<0, SIDE, SIDE>(v);
#pragma unroll
        for (int i = 0; i < 2 * SIDE; i++)
            planes.own(SIDE + i, own) = v[i];
    }
    /* COUNT samples, of which the first has BELOW smaller ones, and COLUMNS columns more from
     * column DONE of the window on: a pair, or the last one. Of what they become only ranks from
     * FIRST to LAST can be the median's. */
    template <int DONE, int BELOW, int COUNT>
    __device__ static uint32_t add_columns(const uint32_t (&list)[COUNT], const Planes &planes,
                                           int own)
    {
        constexpr int COLUMNS = SIDE - DONE > 1 ? 2 : 1, ALL = (DONE + COLUMNS) * SIDE;
        constexpr int NEW = COLUMNS * SIDE, LEAST = ALL - 1 - HALF;
        constexpr int FIRST = LEAST > BELOW ? LEAST : BELOW;
        constexpr int END = BELOW + COUNT + NEW;
        constexpr int LAST = HALF < END - 1 ? HALF : END - 1, KEPT = LAST - FIRST + 1;
        uint32_t v[COUNT + NEW], kept[KEPT];
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] = list[i];
#pragma unroll
        for (int i = 0; i < NEW; i++)
            v[COUNT + i] = planes.at(COLUMNS == 2 ? SIDE + i : i, own, (DONE - RADIUS) * CHANNELS);
        merge_registers<0, COUNT, NEW>(v);
#pragma unroll
        for (int i = 0; i < KEPT; i++)
            kept[i] = v[FIRST - BELOW + i];
        if constexpr (DONE + COLUMNS == SIDE)
            return kept[0];
        else
            return add_columns<DONE + COLUMNS, FIRST>(kept, planes, own);
    }
    __device__ static uint32_t median(const Planes &planes, int own)
    {
        uint32_t pair[2 * SIDE];
#pragma unroll
        for (int i = 0; i < 2 * SIDE; i++)
            pair[i] = planes.at(SIDE + i, own, -RADIUS * CHANNELS);
        return add_columns<2, 0>(pair, planes, own);
    }
};

__device__ void store_four(uint8_t *at, const uint32_t (&median)[OWN], bool upper, uint8_t)
{
    const uint32_t low = __byte_perm(median[0], median[1], upper ? 0x0062 : 0x0040);
    const uint32_t high = __byte_perm(median[2], median[3], upper ? 0x0062 : 0x0040);
    *reinterpret_cast<uint32_t *>(at) = __byte_perm(low, high, 0x5410);
}

__device__ void store_four(uint8_t *at, const uint32_t (&median)[OWN], bool upper, uint16_t)
{
    const uint32_t both = upper ? 0x7632 : 0x5410;
    *reinterpret_cast<uint2 *>(at) = make_uint2(__byte_perm(median[0], median[1], both),
                                                __byte_perm(median[2], median[3], both));
}

template <typename Sample>
__device__ void store(const MedianTask &task, const Places &places, int64_t y, int64_t samples,
                      const uint32_t (&median)[OWN], bool upper)
{
    uint8_t *row = task.dst + (size_t)y * task.dst_stride;
    if (places.inside) {
        store_four(row + (size_t)places.sample * sizeof(Sample), median, upper, Sample());
        return;
    }
#pragma unroll
    for (int i = 0; i < OWN; i++)
        if (places.sample + i < samples)
            reinterpret_cast<Sample *>(row)[places.sample + i] =
                (Sample)(median[i] >> (upper ? 16 : 0));
}

/* A block makes a band of a tile, but for the halo at both ends; registers keep the rows that the
 * next two windows have in common with these. */
template <typename Sample, int CHANNELS, int RADIUS>
__global__ void __launch_bounds__(THREADS) median_network_kernel(MedianTask task)
{
    using Net = Network<RADIUS, CHANNELS>;
    constexpr int SIDE = 2 * RADIUS + 1, HALO = halo_threads(RADIUS, CHANNELS);
    IMG_SHARED(uint32_t, memory, [Net::PLANES * OWN * THREADS]);
    const int32_t thread = (int32_t)threadIdx.x;
    const Planes planes = {memory, thread};
    const int64_t samples = (int64_t)task.width * CHANNELS;
    const Places places = places_of<Sample, CHANNELS>(
        task, ((int64_t)blockIdx.x * (THREADS - 2 * HALO) + thread - HALO) * OWN);
    const bool gives = thread >= HALO && thread < THREADS - HALO && places.sample < samples;
    for (int64_t top = (int64_t)blockIdx.y * ROWS; top < task.height;
         top += (int64_t)gridDim.y * ROWS) {
        const int64_t end = top + ROWS < task.height ? top + ROWS : task.height;
        Samples row[SIDE + 1];
#pragma unroll
        for (int i = 0; i < SIDE - 1; i++)
            row[i + 2] = fetch<Sample>(task, places, top - RADIUS + i);
        for (int64_t y = top; y < end; y += 2) {
#pragma unroll
            for (int i = 0; i < SIDE - 1; i++)
                row[i] = row[i + 2];
            row[SIDE - 1] = fetch<Sample>(task, places, y + RADIUS);
            row[SIDE] = fetch<Sample>(task, places, y + RADIUS + 1);
#pragma unroll
            for (int own = 0; own < OWN; own++) {
                uint32_t column[SIDE];
#pragma unroll
                for (int i = 0; i < SIDE; i++)
                    column[i] = paired<Sample>(row[i], row[i + 1], own);
                Net::share(column, planes, own);
            }
            __syncthreads();
            if (RADIUS > 1) {
#pragma unroll
                for (int own = 0; own < OWN; own++)
                    Net::merge(planes, own);
                __syncthreads();
            }
            uint32_t median[OWN];
            if (gives) {
#pragma unroll
                for (int own = 0; own < OWN; own++)
                    median[own] = Net::median(planes, own);
                store<Sample>(task, places, y, samples, median, false);
                if (y + 1 < end)
                    store<Sample>(task, places, y + 1, samples, median, true);
            }
            __syncthreads();
        }
    }
}

template <typename Sample, int CHANNELS, int RADIUS>
ImgStatus launch(const MedianTask &task, void *stream, ImgError *err)
{
    constexpr int HALO = halo_threads(RADIUS, CHANNELS);
    const int64_t samples = (int64_t)task.width * CHANNELS;
    const dim3 grid(median_blocks(samples, (THREADS - 2 * HALO) * OWN, INT32_MAX),
                    median_blocks(task.height, ROWS, MEDIAN_GRID_ROWS));
    IMG_LAUNCH((median_network_kernel<Sample, CHANNELS, RADIUS>), grid, THREADS, 0, stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
ImgStatus launch_radius(const MedianTask &task, void *stream, ImgError *err)
{
    return task.radius == 1   ? launch<Sample, CHANNELS, 1>(task, stream, err)
           : task.radius == 2 ? launch<Sample, CHANNELS, 2>(task, stream, err)
                              : launch<Sample, CHANNELS, 3>(task, stream, err);
}

template <typename Sample>
ImgStatus launch_channels(const MedianTask &task, void *stream, ImgError *err)
{
    switch (task.channels) {
    case 1:
        return launch_radius<Sample, 1>(task, stream, err);
    case 2:
        return launch_radius<Sample, 2>(task, stream, err);
    case 3:
        return launch_radius<Sample, 3>(task, stream, err);
    default:
        return launch_radius<Sample, 4>(task, stream, err);
    }
}

} // namespace

ImgStatus img_median_cuda_fast(const ImgCall *call, ImgError *err)
{
    const MedianTask task = median_task(call);
    if (task.radius == 1)
        return img_median_cuda_nine(call, err);
    if (task.radius > IMG_MEDIAN_CUDA_NETWORK_MAX)
        return img_median_cuda_counts(call, err);
    return task.bits == 16 ? launch_channels<uint16_t>(task, call->stream, err)
                           : launch_channels<uint8_t>(task, call->stream, err);
}
