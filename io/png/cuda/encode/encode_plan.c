/* How a picture is divided and where its parts lie, from its shape alone. */
#include "io/png/cuda/encode/encode_job.h"
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/deflate/deflate_runs.h"
#include "io/png/encode.h"
#include "io/png/encode/level.h"
#include "io/png/encode/rows.h"
#include "io/png/filter/filter_type.h"
#include "kernels/core/cuda/cuda_util.h"

enum {
    ALIGNMENT = 256,
    STRIPS_MOST = 65535,  /* a dimension of a grid */
    STRIP_MOST = 1 << 28, /* bytes: bits of a strip fit 32 bits */
    BLOCKS_MOST = 1 << 24,
    NO_SEARCH = 0x01, /* the second byte of the zlib stream: nothing that a decoder asks for */
    STORED_MOST = 65535,
    OPENING_BITS = 3, /* of a stored block; whole bytes follow: the length twice, the data */
    LENGTHS_BYTES = 4,
};

_Static_assert((int)ENCODE_BLOCK_BYTES == (int)IMG_RUNS_BLOCK_BYTES, "the same blocks");
_Static_assert((int)ENCODE_BLOCK_BYTES <= IMG_PNG_CUDA_FRAMES_MOST * STORED_MOST,
               "room for frames");
_Static_assert((int)ENCODE_SYMBOLS == (int)IMG_SYMBOLS, "the same codes");

/* Parts of the workspace, in bytes from its start. */
typedef struct Layout {
    size_t rows, windows, matches_found, window_sums, estimates, strip_filters, filtered, row_sums;
    size_t blocks, places, runs, matches, headers, codes, chunks, adler;
    size_t end;
} Layout;

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

static Layout lay_out(const ImgPngEncodeCudaPlan *plan)
{
    size_t height = (size_t)plan->shape.height, blocks = plan->blocks, end = 0;
    size_t strips = plan->options.strips.count;
    size_t windows = plan->options.estimates ? strips * IMG_WINDOWS : 0;
    Layout at;
    at.rows = take(&end, is_packed(plan->shape.format) ? height * plan->row_bytes : 0);
    at.windows = take(&end, windows * ENCODE_WAYS * ENCODE_WINDOW_ROOM);
    at.matches_found = take(&end, windows * ENCODE_WINDOW_LOOKUPS * sizeof(uint16_t));
    at.window_sums = take(&end, windows * IMG_WINDOW_MOST * sizeof(uint16_t));
    at.estimates = take(&end, windows * sizeof(EncodeEstimate));
    at.strip_filters = take(&end, strips * sizeof(uint32_t));
    at.filtered = take(&end, height * (1 + plan->row_bytes) + ENCODE_TAIL);
    at.row_sums = take(&end, height * sizeof(EncodeRowSums));
    at.blocks = take(&end, blocks * sizeof(EncodeBlock));
    at.places = take(&end, blocks * sizeof(EncodePlace));
    at.runs = take(&end, blocks * ENCODE_BLOCK_WORDS * sizeof(uint32_t));
    at.matches = take(&end, blocks * ENCODE_BLOCK_WORDS * sizeof(uint32_t));
    at.headers = take(&end, blocks * ENCODE_HEADER_WORDS * sizeof(uint32_t));
    at.codes = take(&end, blocks * ENCODE_SYMBOLS * sizeof(uint32_t));
    at.chunks = take(&end, strips * sizeof(EncodeChunk));
    at.adler = take(&end, sizeof(uint32_t));
    at.end = end;
    return at;
}

static uint32_t blocks_of(size_t strip)
{
    return (uint32_t)((strip + ENCODE_BLOCK_BYTES - 1) / ENCODE_BLOCK_BYTES);
}

static size_t chunk_bound(size_t strip)
{
    return ENCODE_CHUNK_HEAD + ENCODE_STREAM_HEAD + img_deflate_runs_bound(strip) +
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
        .stream_flags = NO_SEARCH,
        .estimates = chosen.matches,
        .small = IMG_STRIP_SMALL,
    };
    return chosen.by_value && chosen.trying == IMG_TRY_SAMPLES && chosen.runs > 0 &&
           highest > IMG_STRIP_SMALL;
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
    *plan = (ImgPngEncodeCudaPlan){
        .shape = shape,
        .options = *options,
        .row_bytes = row,
        .first_blocks = blocks_of(first),
        .strip_blocks = blocks_of(other),
        .blocks = (uint32_t)blocks,
        .output = (chunk_bound(first) + (strips->count - 1) * chunk_bound(other) + 3) / 4 * 4,
    };
    plan->workspace = lay_out(plan).end;
    return IMG_OK;
}

uint32_t img_png_encode_cuda_first_block(const ImgPngEncodeCudaPlan *plan, uint32_t strip)
{
    return strip == 0 ? 0 : plan->first_blocks + (strip - 1) * plan->strip_blocks;
}

size_t img_png_encode_cuda_starts(const ImgPngEncodeCudaPlan *plan, const ImgPngCudaBlock *blocks,
                                  uint32_t strip, uint32_t *starts)
{
    size_t count = 0;
    uint32_t end = img_png_encode_cuda_first_block(plan, strip + 1);
    for (uint32_t i = img_png_encode_cuda_first_block(plan, strip); i < end; i++) {
        uint32_t bit = blocks[i].bit, left = blocks[i].stored;
        starts[count++] = bit;
        for (int frame = 1; frame < IMG_PNG_CUDA_FRAMES_MOST && left > STORED_MOST; frame++) {
            bit = (bit + OPENING_BITS + 7) / 8 * 8 + 8 * (LENGTHS_BYTES + STORED_MOST);
            starts[count++] = bit;
            left -= STORED_MOST;
        }
    }
    return count;
}

/* Where the level has Paeth's filter only, windows are filtered once. */
static uint32_t ways_of(const ImgPngEncodeCudaOptions *options)
{
    if (!options->estimates)
        return 0;
    return options->filters == 1 << IMG_FILTER_PAETH ? 1 : ENCODE_WAYS;
}

static EncodeJob make_job(const ImgPngEncodeCudaPlan *plan, const ImgPngEncodeCudaPlaces *places)
{
    Layout at = lay_out(plan);
    uint8_t *work = places->workspace;
    bool packed = is_packed(plan->shape.format);
    return (EncodeJob){
        .rows = packed ? work + at.rows : places->pixels,
        .stride = packed ? plan->row_bytes : places->stride,
        .row_bytes = plan->row_bytes,
        .height = plan->shape.height,
        .pixel = (uint32_t)img_format_pixel_size(plan->shape.format),
        .filters = plan->options.filters,
        .sample_step = plan->options.sample_step,
        .small = plan->options.small,
        .ways = ways_of(&plan->options),
        .strips = plan->options.strips,
        .first_blocks = plan->first_blocks,
        .strip_blocks = plan->strip_blocks,
        .stream_flags = plan->options.stream_flags,
        .windows = work + at.windows,
        .matches_found = (uint16_t *)(work + at.matches_found),
        .window_sums = (uint16_t *)(work + at.window_sums),
        .estimates = (EncodeEstimate *)(work + at.estimates),
        .strip_filters = (uint32_t *)(work + at.strip_filters),
        .filtered = work + at.filtered,
        .row_sums = (EncodeRowSums *)(work + at.row_sums),
        .blocks = (EncodeBlock *)(work + at.blocks),
        .places = (EncodePlace *)(work + at.places),
        .runs = (uint32_t *)(work + at.runs),
        .matches = (uint32_t *)(work + at.matches),
        .headers = (uint32_t *)(work + at.headers),
        .codes = (uint32_t *)(work + at.codes),
        .chunks = (EncodeChunk *)(work + at.chunks),
        .adler = (uint32_t *)(work + at.adler),
        .output = places->output,
        .size = places->size,
        .results = places->strips,
        .starts = places->blocks,
    };
}

ImgStatus img_png_encode_cuda(const ImgPngEncodeCudaPlan *plan,
                              const ImgPngEncodeCudaPlaces *places, void *stream,
                              const ImgStages *stages, ImgError *err)
{
    EncodeJob job = make_job(plan, places);
    size_t most = (1 + plan->row_bytes) * (size_t)plan->options.strips.first_rows;
    if (is_packed(plan->shape.format)) {
        img_stage(stages, "rows of packed samples");
        img_encode_pack(plan, places, (uint8_t *)job.rows, stream);
    }
    if (job.ways > 0) {
        img_stage(stages, "estimates of strips");
        img_encode_windows(&job, stream);
        img_encode_estimate(&job, stream);
    }
    img_stage(stages, "filters, sums");
    img_encode_filter(&job, stream);
    img_stage(stages, "counts, codes");
    img_encode_codes(&job, plan->blocks, stream);
    img_stage(stages, "layout");
    img_encode_layout(&job, plan->blocks, stream);
    img_stage(stages, "symbols");
    img_encode_put(&job, plan->blocks, stream);
    img_stage(stages, "CRC-32");
    img_encode_crc(&job, chunk_bound(most), stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
