/* What the pieces of a strip come to: how many bytes deflated by runs, filtered either way, and
 * whether they repeat themselves. A block of threads for each of these. */
#include "io/png/cuda/encode/encode_block.cuh"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/encode_repeats.cuh"

namespace
{

static_assert(THREADS == repeats::THREADS, "one kernel for both");

using Runs = BlockWork<ENCODE_PIECE_BYTES / 32>;

union Shared {
    Runs runs;
    repeats::Work repeats;
};

/* As img_measure_runs. A piece has fewer literals than would be sampled. */
__device__ void measure_runs(const uint8_t *data, Runs *work, uint32_t *bytes)
{
    static_assert(ENCODE_PIECE_BYTES <= SAMPLE_LEAST && ENCODE_PIECE_BYTES <= STORED_MOST,
                  "all literals count, and one frame is enough");
    EncodeRange range;
    range.data = data;
    range.from = 0;
    range.to = ENCODE_PIECE_BYTES;
    range.strip = 0;
    range.is_last = 1;
    range.ends_strip = 1;
    uint32_t literals = take_apart(range, 1, work);
    make_lengths(1, literals, work);
    uint32_t header_bits = make_header(range, work);
    if (threadIdx.x != 0)
        return;
    const EncodeBlock block = measure(work, header_bits, ENCODE_PIECE_BYTES);
    *bytes = block.is_worth ? (block.dynamic_bits + 7) / 8 : ENCODE_PIECE_BYTES + STORED_FRAME;
}

/* Repeats take longer, so their blocks come first. */
__global__ void __launch_bounds__(THREADS) samples_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Shared, shared, [1]);
    const uint32_t pieces = job.strips.count * ENCODE_SAMPLES;
    const uint32_t piece = blockIdx.x % pieces, part = blockIdx.x / pieces;
    if (encode_strip_bytes(&job, piece / ENCODE_SAMPLES) <= job.small)
        return;
    EncodeSample *sample = job.samples + piece;
    if (part > 0) {
        if (threadIdx.x == 0 && job.ways == 1)
            sample->runs[1] = 0; /* which is read with the rest, and not used */
        measure_runs(encode_piece(&job, piece, part - 1), &shared->runs, &sample->runs[part - 1]);
        return;
    }
    const repeats::Source source = {
        reinterpret_cast<const uint32_t *>(encode_piece(&job, piece, 0))};
    repeats::measure(source, &shared->repeats,
                     job.matches_found + (size_t)piece * ENCODE_PIECE_LOOKUPS, sample);
}

} // namespace

void img_encode_samples(const EncodeJob *job, void *stream)
{
    IMG_LAUNCH_EARLY(samples_kernel, job->strips.count * ENCODE_SAMPLES * (1 + job->ways), THREADS,
                     0, stream, *job);
}
