/* Computes the division of a picture and the layout of the workspace from the picture's shape, and
 * runs the stages. */
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/matches.h"
#include "io/png/encode.h"
#include "io/png/encode/level.h"
#include "io/png/encode/rows.h"
#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_util.h"

enum {
    ALIGNMENT = 256,
    /* Largest number of strips. A grid's dimension, which is at most 65,535, then has room for two
     * samples of each strip. */
    STRIPS_MOST = 65535 / ENCODE_SAMPLES_FOR_MATCHES,
    /* Largest size of a strip in bytes. Bit positions in a strip then fit 32 bits. */
    STRIP_MOST = 1 << 28,
    BLOCKS_MOST = 1 << 24,
    NO_SEARCH = 0x01, /* second byte of the zlib header, as in io/png/encode.c */
    SEARCH = 0xDA,
    STORED_MOST = 65535,
    /* A stored block begins with OPENING_BITS bits. From the next whole byte onwards follow its
     * length and the complement of its length (LENGTHS_BYTES), then its data. */
    OPENING_BITS = 3,
    LENGTHS_BYTES = 4,
};

_Static_assert((int)ENCODE_BLOCK_BYTES == (int)IMG_RUNS_BLOCK_BYTES, "the same blocks");
_Static_assert((int)ENCODE_BLOCK_BYTES <= IMG_PNG_CUDA_FRAMES_MOST * STORED_MOST,
               "room for frames");
_Static_assert((int)(ENCODE_SAMPLES *ENCODE_SAMPLE_ROOM + 16) < (int)IMG_STRIP_SMALL,
               "the samples of a strip have room where its rows will be");
_Static_assert((int)(ENCODE_SAMPLES_FOR_MATCHES *ENCODE_SAMPLE_SEGMENTS *IMG_MATCH_SEGMENT) <
                       (int)IMG_STRIP_SMALL &&
                   (int)(ENCODE_SAMPLES_FOR_MATCHES * ENCODE_SAMPLE_BLOCKS *
                         IMG_MATCH_BLOCK_TOKENS) < (int)IMG_STRIP_SMALL,
               "and what is found in them, where that of the strip will be");
_Static_assert((int)IMG_SMALL_PIECE_LEAST <= (int)IMG_STRIP_TINY, "small strips contain a piece");
_Static_assert((int)ENCODE_SYMBOLS == (int)IMG_SYMBOLS, "the same codes");

/* Offsets of the arrays of a MatchJob in the workspace, in bytes. */
typedef struct MatchLayout {
    size_t units, literals, back, matches, exits, marks, counts, segments, blocks, codes, headers;
} MatchLayout;

/* Offsets of the arrays in the workspace, in bytes. */
typedef struct Layout {
    size_t rows, windows, matches_found, window_sums, estimates, advice;
    size_t filtered[ENCODE_STRATEGIES], row_sums[ENCODE_STRATEGIES];
    size_t strip_filters, sample_runs, chosen, strip_sums;
    size_t blocks, places, runs, begins, headers, codes, chunks, adler;
    size_t sampled_units, sampled_literals, segment_bits, probe_runs;
    MatchLayout matches, probes;
    size_t end;
} Layout;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t take(size_t *end, size_t bytes)
{
    size_t start = *end;
    *end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return start;
}

static bool is_packed(ImgFormat format)
{
    return format.bits != 8;
}

static size_t strip_bytes(const ImgPngEncodeCudaPlan *plan, uint32_t strip)
{
    const ImgStrips *strips = &plan->options.strips;
    return (1 + plan->row_bytes) * (size_t)(strip == 0 ? strips->first_rows : strips->rows);
}

/* Returns true if LZ77 may be tried on a strip of `bytes` filtered bytes. */
static bool tries_matches(const ImgPngEncodeCudaOptions *options, size_t bytes)
{
    return options->matches && bytes > options->small && bytes > options->probed;
}

/* Returns true if LZ77 may be tried on any strip. The first strip is the largest. */
static bool has_matches(const ImgPngEncodeCudaPlan *plan)
{
    return tries_matches(&plan->options, strip_bytes(plan, 0));
}

static bool has_windows(const ImgPngEncodeCudaPlan *plan)
{
    return plan->options.by_value && has_matches(plan);
}

/* Returns true if there are small strips (ImgPngEncodeCudaOptions.probed). The last strip is the
 * smallest. */
static bool has_small(const ImgPngEncodeCudaPlan *plan)
{
    const ImgPngEncodeCudaOptions *options = &plan->options;
    return strip_bytes(plan, 0) > options->small &&
           strip_bytes(plan, options->strips.count - 1) <= options->probed;
}

/* Returns how many times each window is filtered: 0 if there are no windows, 1 if the level uses
 * only the Paeth filter, otherwise 2. */
static uint32_t filterings_of(const ImgPngEncodeCudaPlan *plan)
{
    if (!has_windows(plan))
        return 0;
    return plan->options.filters == 1 << IMG_FILTER_PAETH ? 1 : ENCODE_FILTERINGS;
}

static MatchLayout lay_out_units(size_t units, size_t segments, size_t blocks, size_t *end)
{
    MatchLayout at;
    at.units = take(end, units * sizeof(MatchUnit));
    at.literals = take(end, units * 256 * sizeof(uint32_t));
    at.back = take(end, segments * IMG_MATCH_SEGMENT * sizeof(uint16_t));
    at.matches = take(end, segments * IMG_MATCH_SEGMENT * sizeof(Match));
    at.exits = take(end, segments * MATCH_EXITS * sizeof(uint16_t));
    at.marks = take(end, segments * MATCH_MARKS * sizeof(uint32_t));
    at.counts = take(end, segments * sizeof(MatchCounts));
    at.segments = take(end, segments * sizeof(MatchSegment));
    at.blocks = take(end, blocks * sizeof(MatchBlock));
    at.codes = take(end, blocks * MATCH_SYMBOLS * sizeof(uint32_t));
    at.headers = take(end, blocks * MATCH_HEADER_WORDS * sizeof(uint32_t));
    return at;
}

/* Reserves memory for finding matches. Samples share the memory of their strips. This is possible
 * because strips are filtered only after the samples have been measured. */
static void lay_out_matches(const ImgPngEncodeCudaPlan *plan, Layout *at, size_t *end)
{
    const size_t strips = plan->options.strips.count, samples = strips * ENCODE_SAMPLES_FOR_MATCHES;
    const size_t segments =
        match_segments(strip_bytes(plan, 0)) + (strips - 1) * match_segments(strip_bytes(plan, 1));
    at->sampled_units = take(end, samples * sizeof(MatchUnit));
    at->sampled_literals = take(end, samples * 256 * sizeof(uint32_t));
    at->segment_bits = take(end, segments * sizeof(uint32_t));
    at->matches = lay_out_units(strips, segments, plan->starts, end);
}

static Layout lay_out(const ImgPngEncodeCudaPlan *plan)
{
    size_t height = (size_t)plan->shape.height, blocks = plan->blocks, end = 0;
    size_t strips = plan->options.strips.count;
    size_t windows = has_windows(plan) ? strips * IMG_WINDOWS : 0;
    size_t filtered = height * (1 + plan->row_bytes) + (strips + 1) * ENCODE_GAP;
    Layout at = {0};
    at.rows = take(&end, is_packed(plan->shape.format) ? height * plan->row_bytes : 0);
    at.windows = take(&end, windows * ENCODE_FILTERINGS * ENCODE_WINDOW_ROOM);
    at.matches_found = take(&end, windows * ENCODE_WINDOW_LOOKUPS * sizeof(uint16_t));
    at.window_sums = take(&end, windows * IMG_WINDOW_MOST * sizeof(uint16_t));
    at.estimates = take(&end, windows * sizeof(EncodeEstimate));
    at.advice = take(&end, strips * sizeof(EncodeAdvice));
    at.filtered[ENCODE_RUNS] = take(&end, filtered);
    at.row_sums[ENCODE_RUNS] = take(&end, height * sizeof(EncodeRowSums));
    at.strip_filters = take(&end, strips * ENCODE_STRATEGIES * sizeof(uint32_t));
    at.sample_runs = take(&end, strips * sizeof(uint32_t));
    at.chosen = take(&end, strips * sizeof(uint32_t));
    at.strip_sums = take(&end, strips * sizeof(EncodeRowSums));
    at.blocks = take(&end, blocks * sizeof(EncodeBlock));
    at.places = take(&end, blocks * sizeof(EncodePlace));
    at.runs = take(&end, blocks * ENCODE_BLOCK_WORDS * sizeof(uint32_t));
    at.begins = take(&end, blocks * ENCODE_BLOCK_WORDS * sizeof(uint32_t));
    at.headers = take(&end, blocks * ENCODE_HEADER_WORDS * sizeof(uint32_t));
    at.codes = take(&end, blocks * ENCODE_SYMBOLS * sizeof(uint32_t));
    at.chunks = take(&end, strips * sizeof(EncodeChunk));
    at.adler = take(&end, sizeof(uint32_t));
    if (has_matches(plan)) {
        at.filtered[ENCODE_MATCHES] = take(&end, filtered);
        at.row_sums[ENCODE_MATCHES] = take(&end, height * sizeof(EncodeRowSums));
        lay_out_matches(plan, &at, &end);
    }
    if (has_small(plan)) {
        at.probe_runs = take(&end, strips * sizeof(uint32_t));
        at.probes = lay_out_units(strips, strips * ENCODE_PROBE_SEGMENTS,
                                  strips * ENCODE_PROBE_BLOCKS, &end);
    }
    at.end = end;
    return at;
}

static uint32_t blocks_of(size_t strip)
{
    return (uint32_t)((strip + ENCODE_BLOCK_BYTES - 1) / ENCODE_BLOCK_BYTES);
}

static uint32_t starts_of(const ImgPngEncodeCudaOptions *options, size_t strip)
{
    return tries_matches(options, strip) ? match_blocks(strip) : blocks_of(strip);
}

static size_t chunk_bound(size_t strip)
{
    const size_t runs = img_deflate_runs_bound(strip), matches = img_deflate_matches_bound(strip);
    return ENCODE_CHUNK_HEAD + ENCODE_STREAM_HEAD + (runs > matches ? runs : matches) +
           ENCODE_STREAM_TAIL + ENCODE_CHUNK_TAIL;
}

bool img_png_encode_cuda_options(ImgShape shape, int level, ImgPngEncodeCudaOptions *options)
{
    const ImgPngLevel chosen = img_png_level(level, shape.format);
    const ImgStrips strips = img_png_encode_strips(shape, level);
    size_t highest = (1 + img_png_row_bytes(shape.width, shape.format)) * (size_t)strips.first_rows;
    *options = (ImgPngEncodeCudaOptions){
        .strips = strips,
        .filters = chosen.filters,
        .sample_step = chosen.runs,
        .stream_flags = chosen.search == 0 ? NO_SEARCH : SEARCH,
        .by_value = chosen.by_value,
        .matches = chosen.matches,
        .small = chosen.by_value ? IMG_STRIP_TINY : IMG_STRIP_SMALL_INDICES,
        .probed = chosen.by_value ? IMG_STRIP_SMALL : 0,
    };
    return chosen.trying == IMG_TRY_SAMPLES && chosen.runs > 0 && highest > options->small;
}

ImgStatus img_png_encode_cuda_plan(ImgShape shape, const ImgPngEncodeCudaOptions *options,
                                   ImgPngEncodeCudaPlan *plan, ImgError *err)
{
    const ImgStrips *strips = &options->strips;
    size_t row = img_png_row_bytes(shape.width, shape.format);
    size_t first = (1 + row) * (size_t)strips->first_rows, other = (1 + row) * (size_t)strips->rows;
    uint64_t blocks = blocks_of(first) + (uint64_t)(strips->count - 1) * blocks_of(other);
    if (strips->count > STRIPS_MOST || first > STRIP_MOST || other > STRIP_MOST ||
        blocks > BLOCKS_MOST)
        return img_fail(err, IMG_E_LIMIT, "too large to be encoded on a GPU");
    const uint32_t first_starts = starts_of(options, first), starts = starts_of(options, other);
    *plan = (ImgPngEncodeCudaPlan){
        .shape = shape,
        .options = *options,
        .row_bytes = row,
        .first_blocks = blocks_of(first),
        .strip_blocks = blocks_of(other),
        .blocks = (uint32_t)blocks,
        .first_starts = first_starts,
        .strip_starts = starts,
        .starts = first_starts + (strips->count - 1) * starts,
        .output = (chunk_bound(first) + (strips->count - 1) * chunk_bound(other) + 3) / 4 * 4,
    };
    plan->workspace = lay_out(plan).end;
    return IMG_OK;
}

uint32_t img_png_encode_cuda_first_start(const ImgPngEncodeCudaPlan *plan, uint32_t strip)
{
    return strip == 0 ? 0 : plan->first_starts + (strip - 1) * plan->strip_starts;
}

size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  const ImgPngCudaStrip *made, uint32_t strip, uint32_t *starts)
{
    const ImgPngCudaBlock *own = blocks + img_png_encode_cuda_first_start(plan, strip);
    size_t count = 0;
    for (uint32_t i = 0; i < made->blocks; i++) {
        uint32_t bit = own[i].bit, left = own[i].stored;
        starts[count++] = bit;
        for (int frame = 1; frame < IMG_PNG_CUDA_FRAMES_MOST && left > STORED_MOST; frame++) {
            bit = (bit + OPENING_BITS + 7) / 8 * 8 + 8 * (LENGTHS_BYTES + STORED_MOST);
            starts[count++] = bit;
            left -= STORED_MOST;
        }
    }
    return count;
}

/* Returns a job of the match finder for one unit per strip, with at most `most` bytes each. */
static MatchJob make_matches(const ImgPngEncodeCudaPlan *plan, uint8_t *work, const MatchLayout *at,
                             size_t most)
{
    const bool by_value = plan->options.by_value;
    const size_t row = 1 + plan->row_bytes;
    return (MatchJob){
        .rows = {by_value ? (uint32_t)img_format_pixel_size(plan->shape.format) : 1, (uint32_t)row,
                 by_value ? IMG_MATCH_HASHED_OF_VALUES : IMG_MATCH_HASHED_OF_INDICES},
        .count = plan->options.strips.count,
        .most = (uint32_t)most,
        .units = (MatchUnit *)(work + at->units),
        .literals = (uint32_t *)(work + at->literals),
        .back = (uint16_t *)(work + at->back),
        .matches = (Match *)(work + at->matches),
        .exits = (uint16_t *)(work + at->exits),
        .marks = (uint32_t *)(work + at->marks),
        .counts = (MatchCounts *)(work + at->counts),
        .segments = (MatchSegment *)(work + at->segments),
        .blocks = (MatchBlock *)(work + at->blocks),
        .codes = (uint32_t *)(work + at->codes),
        .headers = (uint32_t *)(work + at->headers),
        .is_last = true,
    };
}

/* Returns the match finder's job for samples. It uses the same arrays as the job for strips. */
static MatchJob make_sampled(const MatchJob *matches, uint8_t *work, const Layout *at)
{
    MatchJob sampled = *matches;
    sampled.count *= ENCODE_SAMPLES_FOR_MATCHES;
    sampled.most = IMG_SAMPLE_OF_VALUES;
    sampled.units = (MatchUnit *)(work + at->sampled_units);
    sampled.literals = (uint32_t *)(work + at->sampled_literals);
    return sampled;
}

static uint32_t samples_of(ImgShape shape)
{
    return (uint32_t)shape.width * (uint32_t)img_format_channels(shape.format);
}

static EncodeJob make_job(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places)
{
    Layout at = lay_out(plan);
    uint8_t *work = places->workspace;
    bool packed = is_packed(plan->shape.format);
    EncodeJob job = {
        .rows = packed ? work + at.rows : places->pixels,
        .stride = packed ? plan->row_bytes : places->stride,
        .row_bytes = plan->row_bytes,
        .height = plan->shape.height,
        .pixel = (uint32_t)img_format_pixel_size(plan->shape.format),
        .pixels = places->pixels,
        .pixel_stride = places->stride,
        .packed = packed ? work + at.rows : NULL,
        .samples = samples_of(plan->shape),
        .bits = (uint32_t)plan->shape.format.bits,
        .filters = plan->options.filters,
        .sample_step = plan->options.sample_step,
        .small = plan->options.small,
        .probed = larger_size(plan->options.small, plan->options.probed),
        .by_value = plan->options.by_value,
        .filterings = filterings_of(plan),
        .strips = plan->options.strips,
        .first_blocks = plan->first_blocks,
        .strip_blocks = plan->strip_blocks,
        .first_starts = plan->first_starts,
        .strip_starts = plan->strip_starts,
        .stream_flags = plan->options.stream_flags,
        .windows = work + at.windows,
        .matches_found = (uint16_t *)(work + at.matches_found),
        .window_sums = (uint16_t *)(work + at.window_sums),
        .estimates = (EncodeEstimate *)(work + at.estimates),
        .advice = (EncodeAdvice *)(work + at.advice),
        .sample_runs = (uint32_t *)(work + at.sample_runs),
        .strip_filters = (uint32_t *)(work + at.strip_filters),
        .chosen = (uint32_t *)(work + at.chosen),
        .filtered = {work + at.filtered[ENCODE_RUNS]},
        .row_sums = {(EncodeRowSums *)(work + at.row_sums[ENCODE_RUNS])},
        .strip_sums = (EncodeRowSums *)(work + at.strip_sums),
        .blocks = (EncodeBlock *)(work + at.blocks),
        .places = (EncodePlace *)(work + at.places),
        .runs = (uint32_t *)(work + at.runs),
        .begins = (uint32_t *)(work + at.begins),
        .headers = (uint32_t *)(work + at.headers),
        .codes = (uint32_t *)(work + at.codes),
        .chunks = (EncodeChunk *)(work + at.chunks),
        .adler = (uint32_t *)(work + at.adler),
        .output = places->output,
        .size = places->size,
        .results = places->strips,
        .starts = places->blocks,
    };
    if (has_matches(plan)) {
        job.filtered[ENCODE_MATCHES] = work + at.filtered[ENCODE_MATCHES];
        job.row_sums[ENCODE_MATCHES] = (EncodeRowSums *)(work + at.row_sums[ENCODE_MATCHES]);
        job.segment_bits = (uint32_t *)(work + at.segment_bits);
        job.matches = make_matches(plan, work, &at.matches, strip_bytes(plan, 0));
        job.sampled = make_sampled(&job.matches, work, &at);
    }
    if (has_small(plan)) {
        job.probe_runs = (uint32_t *)(work + at.probe_runs);
        job.probes = make_matches(plan, work, &at.probes, IMG_SMALL_PIECE_MOST);
    }
    return job;
}

/* --- Sizes of all pictures -------------------------------------------------------------------- */

/* Includes a job in the sizes of the batch. */
static void include(EncodeBatch *batch, const EncodeJob *job)
{
    batch->count++;
    batch->of_pixel[job->pixel]++;
    batch->rows += (uint64_t)job->height;
    batch->height = larger(batch->height, (uint32_t)job->height);
    batch->strips = larger(batch->strips, job->strips.count);
    batch->blocks = larger(batch->blocks, encode_blocks(job));
    batch->chunk = larger_size(batch->chunk, chunk_bound(encode_strip_bytes(job, 0)));
    match_include(&batch->sampled, &job->sampled);
    match_include(&batch->matches, &job->matches);
    match_include(&batch->probes, &job->probes);
    if (job->packed != NULL) {
        batch->packed_rows = larger(batch->packed_rows, (uint32_t)job->height);
        batch->packed_bytes = larger_size(batch->packed_bytes, job->row_bytes);
    }
    if (job->filterings > 0) {
        batch->windows = larger(batch->windows, encode_filtered_windows(job));
        batch->window_rows = larger(batch->window_rows, (uint32_t)encode_window(job, 0, 0).rows);
    }
    if (job->matches.count > 0) {
        batch->samples = larger(batch->samples, job->strips.count * encode_samples(job));
        batch->sample_rows = larger(batch->sample_rows, (uint32_t)encode_sample(job, 0).rows);
    }
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Makes the stream `waiting` wait for all work queued so far on the stream `awaited`. */
static ImgStatus await_stream(void *waiting, void *awaited, ImgError *err)
{
    cudaEvent_t event;
    if (waiting == awaited)
        return IMG_OK;
    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), err);
    cudaError_t code = cudaEventRecord(event, (cudaStream_t)awaited);
    if (code == cudaSuccess)
        code = cudaStreamWaitEvent((cudaStream_t)waiting, event, 0);
    (void)cudaEventDestroy(event); /* CUDA releases it after the wait */
    return code == cudaSuccess ? IMG_OK : img_cuda_fail(code, "cudaStreamWaitEvent", err);
}

/* Estimates from the windows of each strip whether LZ77 may make the strip smaller. The estimates
 * divide the strips into the two groups (EncodeGroup). */
static void estimate(const EncodeBatch *batch, void *stream, const ImgStages *stages)
{
    img_stage(stages, "estimates of strips");
    if (batch->windows > 0)
        img_encode_windows(batch, stream);
    img_encode_estimate(batch, stream);
}

static void find_matches(const MatchBatch *batch, void *stream)
{
    img_match_find(batch, stream);
    img_match_choose(batch, stream);
    img_match_take(batch, stream);
    img_match_codes(batch, stream);
}

static void filter_direct(const EncodeBatch *batch, void *stream, const ImgStages *stages)
{
    img_stage(stages, "filters, sums");
    img_encode_filter(batch, ENCODE_DIRECT, stream);
}

static void make_direct_codes(const EncodeBatch *batch, void *stream, const ImgStages *stages)
{
    img_stage(stages, "counts, codes");
    img_encode_codes(batch, ENCODE_DIRECT, stream);
}

/* Deflates pieces of small strips, after their rows have been filtered. */
static void probe(const EncodeBatch *batch, void *stream, const ImgStages *stages)
{
    img_stage(stages, "pieces of small strips");
    img_encode_probe(batch, stream);
    find_matches(&batch->probes, stream);
}

/* Runs the stages for the strips that LZ77 may make smaller, up to their Huffman codes. Samples of
 * the strips are deflated first. */
static void encode_sampled(const EncodeBatch *batch, void *stream, const ImgStages *stages)
{
    img_stage(stages, "samples of strips");
    img_encode_samples(batch, stream);
    find_matches(&batch->sampled, stream);
    img_stage(stages, "filters, counts of sampled strips");
    img_encode_filter(batch, ENCODE_SAMPLED, stream);
    img_encode_codes(batch, ENCODE_SAMPLED, stream);
    img_stage(stages, "matches, codes");
    find_matches(&batch->matches, stream);
}

/* Runs the stages of both groups up to the Huffman codes, at the same time if there is a second
 * stream. If there are small strips, the second stream begins after the filters, which their pieces
 * need. After success `stream` waits for the second stream. After a failure the second stream has
 * finished, so the caller may reuse the workspace. */
static ImgStatus encode_groups(const EncodeBatch *batch, void *stream, void *second_stream,
                               const ImgStages *stages, ImgError *err)
{
    const bool is_probed = batch->probes.units > 0, is_sampled = batch->matches.units > 0;
    const bool has_two = is_probed || is_sampled;
    ImgStatus status = IMG_OK;
    if (is_sampled && !is_probed)
        status = await_stream(second_stream, stream, err);
    if (status == IMG_OK)
        filter_direct(batch, stream, stages);
    if (status == IMG_OK && is_probed)
        status = await_stream(second_stream, stream, err);
    if (status != IMG_OK)
        return status;
    make_direct_codes(batch, stream, stages);
    if (is_probed)
        probe(batch, second_stream, stages);
    if (is_sampled)
        encode_sampled(batch, second_stream, stages);
    if (has_two)
        status = await_stream(stream, second_stream, err);
    if (status != IMG_OK)
        (void)cudaStreamSynchronize((cudaStream_t)second_stream);
    return status;
}

/* Runs all stages for all pictures of the batch. */
static ImgStatus run(const EncodeBatch *batch, void *stream, void *second_stream,
                     const ImgStages *stages, ImgError *err)
{
    if (batch->packed_rows > 0) {
        img_stage(stages, "rows of packed samples");
        img_encode_pack(batch, stream);
    }
    estimate(batch, stream, stages);
    /* To time the stages, both groups run on `stream`, one after the other. */
    ImgStatus status =
        encode_groups(batch, stream, stages != NULL ? stream : second_stream, stages, err);
    if (status != IMG_OK)
        return status;
    img_stage(stages, "layout");
    img_encode_layout(batch, stream);
    img_stage(stages, "symbols");
    img_encode_put(batch, stream);
    if (batch->matches.units > 0)
        img_encode_put_matches(batch, stream);
    img_stage(stages, "CRC-32");
    img_encode_crc(batch, stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream,
                              void *second_stream, const ImgStages *stages, ImgError *err)
{
    const EncodeJob job = make_job(plan, places);
    EncodeBatch batch = {.one = &job,
                         .sampled = {.one = &job.sampled},
                         .matches = {.one = &job.matches},
                         .probes = {.one = &job.probes}};
    include(&batch, &job);
    return run(&batch, stream, second_stream, stages, err);
}

/* --- Batches ---------------------------------------------------------------------------------- */

ImgPngEncodeCudaBatchBytes img_png_encode_cuda_batch_bytes(const ImgPngEncodeCudaItem *items,
                                                           size_t count)
{
    (void)items;
    return (ImgPngEncodeCudaBatchBytes){count * sizeof(EncodeJob), count * sizeof(EncodeJob)};
}

/* Makes the jobs of a batch in `jobs`, in the order of EncodeBatch.many. */
static void make_jobs(const ImgPngEncodeCudaItem *items, size_t count, EncodeJob *jobs,
                      EncodeBatch *batch)
{
    for (size_t pixel = 1; pixel <= ENCODE_PIXEL_MOST; pixel++)
        for (size_t i = 0; i < count; i++) {
            if (img_format_pixel_size(items[i].plan.shape.format) != pixel)
                continue;
            EncodeJob *job = &jobs[batch->count];
            *job = make_job(&items[i].plan, &items[i].places);
            include(batch, job);
        }
}

ImgStatus img_png_encode_cuda_batch(const ImgPngEncodeCudaItem *items, size_t count,
                                    void *workspace, void *host, void *stream, void *second_stream,
                                    const ImgStages *stages, ImgError *err)
{
    const EncodeJob *jobs = workspace;
    EncodeBatch batch = {.many = jobs,
                         .sampled = {.many = &jobs->sampled, .stride = sizeof *jobs},
                         .matches = {.many = &jobs->matches, .stride = sizeof *jobs},
                         .probes = {.many = &jobs->probes, .stride = sizeof *jobs}};
    if (count == 0)
        return IMG_OK;
    if (count > IMG_PNG_ENCODE_CUDA_BATCH_MOST)
        return img_fail(err, IMG_E_USAGE, "a batch of more than %d pictures",
                        IMG_PNG_ENCODE_CUDA_BATCH_MOST);
    make_jobs(items, count, host, &batch);
    img_stage(stages, "jobs");
    CUDA_TRY(cudaMemcpyAsync(workspace, host, count * sizeof *jobs, cudaMemcpyHostToDevice,
                             (cudaStream_t)stream),
             err);
    return run(&batch, stream, second_stream, stages, err);
}
