/* Computes the workspace of the decoder and runs its stages in order, for one file or a batch. */
#include "io/png/cuda/decode/decode_job.h"
#include "kernels/core/cuda/cuda_util.h"

enum {
    ALIGNMENT = 256,
    /* Largest stream in bytes; bit positions even slightly past its end fit 32 bits. */
    STREAM_MOST = 1 << 28,
    /* Bytes of zeros after the stream. The stream and these bytes together are rounded down to a
     * multiple of 16 bytes, which leaves at least 17 zeros. */
    STREAM_PADDING = 32,
    /* Largest number of found blocks. The sort compares each block with all others, so more would
     * take too long. */
    SORTED_MOST = 1 << 18,
};
/* Largest inflated size in bytes. Offsets up to a few pixels past the last row then fit 31 bits. */
#define INFLATED_MOST (((uint64_t)1 << 31) - 4096)

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Returns the largest expected number of bit positions that pass the first tests of the search for
 * blocks. One position per 64 bytes (512 bits) is twice the rate in noise. */
static uint32_t possible_most(uint32_t stream_bytes)
{
    return stream_bytes / 64 + 1024;
}

/* Returns the largest expected number of found blocks. Blocks are seldom shorter than 2 KB, except
 * in uniform areas, where an encoder may start a block every few rows. */
static uint32_t found_most(uint32_t stream_bytes, uint32_t height)
{
    uint32_t flat = height / 4 < stream_bytes / 64 ? height / 4 : stream_bytes / 64;
    return stream_bytes / 2048 + flat + 256;
}

static uint32_t stored_most(uint32_t stream_bytes)
{
    return stream_bytes / 4096 + 4096;
}

static uint32_t subs_most(uint32_t stream_bytes, uint32_t blocks)
{
    return stream_bytes / (DECODE_STEP / 8) + 2 * blocks + 2;
}

/* Returns the largest number of chunks of found and extra blocks. The found blocks cover the stream
 * at most once, and so do the extra blocks. Each block may end with one incomplete chunk; there is
 * room for two per block, to be safe. */
static uint32_t chunks_most(uint32_t stream_bytes, uint32_t blocks)
{
    return 2 * (stream_bytes / (DECODE_STEP / 8 * DECODE_CHUNK)) + 2 * blocks + 2;
}

static uint32_t stream_words(uint32_t stream_bytes)
{
    return (stream_bytes + STREAM_PADDING) / 16 * 4;
}

static uint64_t row_bytes_of(ImgShape shape)
{
    uint64_t bits = (uint64_t)shape.width * (uint64_t)img_format_channels(shape.format) *
                    (uint64_t)shape.format.bits;
    return (bits + 7) / 8;
}

/* Returns the size of the inflated stream in bytes: the rows with their filter types. */
static uint64_t inflated_of(ImgShape shape)
{
    return (1 + row_bytes_of(shape)) * (uint64_t)shape.height;
}

/* Returns the distance in bytes to the left neighbour that the PNG filters use. */
static uint32_t filter_pixel(ImgFormat format)
{
    uint32_t bits = (uint32_t)(img_format_channels(format) * format.bits);
    return bits < 8 ? 1 : bits / 8;
}

/* Returns the largest number of bands. Two consecutive bands together have more than
 * DECODE_BAND_ROWS rows; otherwise they would be one band. */
static uint32_t most_bands(uint32_t height)
{
    return 2 * (height / (DECODE_BAND_ROWS + 1) + 1);
}

/* Returns the number of carry words. One set per DECODE_BAND_ROWS rows suffices. A band that
 * receives carry words follows a full band, so at most one such band starts within DECODE_BAND_ROWS
 * rows. */
static size_t carry_words(ImgShape shape)
{
    uint32_t pixel = filter_pixel(shape.format);
    size_t slots = ((uint32_t)shape.height - 1) / DECODE_BAND_ROWS + 1;
    return slots * pixel * decode_carry_pixels((uint32_t)row_bytes_of(shape), pixel) / 2;
}

/* Reserves `size` bytes of the workspace, rounded up to ALIGNMENT. Returns their address. If `base`
 * is NULL only the size is computed, and the result is NULL. */
static void *take(uint8_t *base, size_t *used, size_t size)
{
    void *at = base == NULL ? NULL : base + *used;
    *used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Sets the addresses of the arrays in the workspace and returns its size in bytes. Arrays that must
 * start as zeros come first; `*zeros` is their total size in bytes. */
static size_t lay_out(const ImgPngCudaPlan *plan, uint8_t *base, DecodeJob *job, size_t *zeros)
{
    size_t used = 0, blocks;
    job->possible_most = possible_most(plan->stream_bytes);
    job->found_most = found_most(plan->stream_bytes, (uint32_t)plan->shape.height);
    job->stored_most = stored_most(plan->stream_bytes);
    job->band_places = most_bands((uint32_t)plan->shape.height);
    blocks = (size_t)job->found_most + DECODE_EXTRAS;
    job->counters = take(base, &used, sizeof *job->counters);
    job->crcs = take(base, &used, plan->parts * sizeof *job->crcs);
    job->carry = take(base, &used, carry_words(plan->shape) * sizeof *job->carry);
    *zeros = used;
    job->stream = take(base, &used, stream_words(plan->stream_bytes) * sizeof *job->stream);
    job->possible = take(base, &used, job->possible_most * sizeof *job->possible);
    job->found = take(base, &used, job->found_most * sizeof *job->found);
    job->blocks = take(base, &used, blocks * sizeof *job->blocks);
    job->codes = take(base, &used, blocks * sizeof *job->codes);
    job->subs =
        take(base, &used, subs_most(plan->stream_bytes, job->found_most) * sizeof *job->subs);
    job->extra_subs =
        take(base, &used, subs_most(plan->stream_bytes, DECODE_EXTRAS) * sizeof *job->subs);
    job->sub_results = take(
        base, &used, subs_most(plan->stream_bytes, job->found_most) * sizeof *job->sub_results);
    job->chunks_most = chunks_most(plan->stream_bytes, (uint32_t)blocks);
    job->chunks = take(base, &used, job->chunks_most * sizeof *job->chunks);
    job->stored = take(base, &used, job->stored_most * sizeof *job->stored);
    job->bands = take(base, &used, job->band_places * sizeof *job->bands);
    job->cells =
        take(base, &used, (plan->inflated + (size_t)DECODE_CELLS_BEHIND) * sizeof *job->cells);
    job->bytes = take(base, &used, plan->inflated);
    return used;
}

/* Rows with few bytes take 88 ns each on an H200 (README.md, "Filters"). A CPU takes about 3 ns per
 * byte, which is faster for rows of fewer than NARROW bytes. With fewer than TALL rows the GPU
 * takes less than 6 ms, so it is used anyway. */
bool img_png_cuda_is_quick(ImgShape shape)
{
    enum { TALL = 1 << 16, NARROW = 30 };
    return shape.height < TALL || 1 + row_bytes_of(shape) >= NARROW;
}

bool img_png_cuda_plan(ImgShape shape, uint64_t stream_bytes, uint64_t parts, ImgPngCudaPlan *plan)
{
    DecodeJob job;
    size_t zeros;
    uint64_t row_bytes = row_bytes_of(shape), inflated = inflated_of(shape);
    if (inflated > INFLATED_MOST || stream_bytes >= STREAM_MOST || parts >= STREAM_MOST)
        return false;
    *plan = (ImgPngCudaPlan){
        shape, (uint32_t)row_bytes, (uint32_t)inflated, (uint32_t)stream_bytes, (uint32_t)parts, 0,
        0};
    plan->workspace_bytes = lay_out(plan, NULL, &job, &zeros);
    plan->blocks_most = job.found_most;
    return true;
}

void img_png_cuda_list_parts(const ImgIdat *idat, const uint8_t *file, ImgPngCudaPart *parts,
                             ImgPngCudaFile *device_file)
{
    uint32_t pieces = 0;
    for (size_t i = 0; i < idat->count; i++) {
        const ImgIdatPart *part = &idat->parts[i];
        parts[i] = (ImgPngCudaPart){(uint64_t)(idat->file + part->at - file), part->size,
                                    (uint32_t)part->start, pieces};
        pieces += (part->size + DECODE_PIECE - 1) / DECODE_PIECE;
    }
    device_file->part_count = (uint32_t)idat->count;
    device_file->stream_bytes = (uint32_t)idat->size;
    device_file->pieces = pieces;
    device_file->blocks = NULL;
    device_file->block_count = 0;
}

/* --- Running ---------------------------------------------------------------------------------- */

static void describe(ImgShape shape, const ImgPngCudaFile *file, const ImgPngCudaPixels *pixels,
                     DecodeJob *job)
{
    ImgFormat format = shape.format;
    job->file = file->bytes;
    job->parts = file->parts;
    job->part_count = file->part_count;
    job->pieces = file->pieces;
    job->stream_bytes = file->stream_bytes;
    job->end_bit = (file->stream_bytes - IMG_ZLIB_ADLER_BYTES) * 8;
    job->stream_words = stream_words(file->stream_bytes);
    job->height = (uint32_t)shape.height;
    job->width = (uint32_t)shape.width;
    job->row_bytes = (uint32_t)row_bytes_of(shape);
    job->inflated = (uint32_t)inflated_of(shape);
    job->bits = (uint32_t)format.bits;
    job->pixel = filter_pixel(format);
    job->samples = job->width * (uint32_t)img_format_channels(format);
    job->pixels = pixels->data;
    job->stride = pixels->stride;
}

/* Takes the block starts from the file's list, or searches for them if the file has no list or a
 * list that is too long. Block starts that were found must be sorted, which limits their number; a
 * list is sorted already. */
static void take_or_find(DecodeJob *job, const ImgPngCudaFile *file, void *stream)
{
    if (file->block_count > 0 && file->block_count <= job->found_most) {
        img_decode_take_list(job, file->blocks, file->block_count, stream);
        return;
    }
    if (job->found_most > SORTED_MOST)
        job->found_most = SORTED_MOST;
    img_decode_find(job, stream);
}

ImgStatus img_png_cuda_decode(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file,
                              void *workspace, const ImgPngCudaPixels *pixels, uint32_t *status,
                              void *stream, const ImgStages *stages, ImgError *err)
{
    DecodeJob job = {.status = status};
    size_t zeros;
    if (file->stream_bytes > plan->stream_bytes || file->part_count > plan->parts)
        return img_fail(err, IMG_E_USAGE, "a stream that is larger than planned");
    (void)lay_out(plan, workspace, &job, &zeros);
    if (file->stream_bytes <= IMG_ZLIB_HEADER_BYTES + IMG_ZLIB_ADLER_BYTES) {
        CUDA_TRY(cudaMemsetAsync(status, 0, sizeof *status, (cudaStream_t)stream), err);
        return IMG_OK;
    }
    describe(plan->shape, file, pixels, &job);
    img_stage(stages, "zeros, IDAT chunks");
    CUDA_TRY(cudaMemsetAsync(workspace, 0, zeros, (cudaStream_t)stream), err);
    img_decode_gather(&job, stream);
    img_stage(stages, "CRC-32");
    img_decode_crc(&job, stream);
    img_stage(stages, "search for blocks");
    take_or_find(&job, file, stream);
    img_stage(stages, "codes, subsequences");
    img_decode_blocks(&job, stream);
    img_stage(stages, "chain of blocks");
    img_decode_chain(&job, stream);
    img_stage(stages, "symbols");
    img_decode_write(&job, stream);
    img_stage(stages, "copies, Adler-32");
    img_decode_copies(&job, stream);
    img_stage(stages, "filters undone");
    img_decode_unfilter(&job, stream);
    img_stage(stages, "verdict");
    img_decode_verdict(&job, stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* Largest stream, and largest inflated size, of a file of a batch. In a batch, one thread block
 * inflates each file. A larger file is decoded faster alone, by many thread blocks. */
enum { BATCH_STREAM_MOST = 16 << 20, BATCH_INFLATED_MOST = 64 << 20 };

bool img_png_cuda_suits_batch(ImgShape shape, uint64_t stream_bytes, uint64_t parts)
{
    return stream_bytes > IMG_ZLIB_HEADER_BYTES + IMG_ZLIB_ADLER_BYTES &&
           stream_bytes <= BATCH_STREAM_MOST && inflated_of(shape) <= BATCH_INFLATED_MOST &&
           parts <= BATCH_STREAM_MOST;
}

/* Sets the addresses of the arrays of one file that must start as zeros. */
static void lay_out_zeros(const ImgPngCudaItem *item, uint8_t *base, size_t *used, DecodeJob *job)
{
    job->counters = take(base, used, sizeof *job->counters);
    job->crcs = take(base, used, item->file.part_count * sizeof *job->crcs);
    job->carry = take(base, used, carry_words(item->shape) * sizeof *job->carry);
}

/* Returns the memory for the records of a thread block (decode_records.cuh): 8 bytes each. The
 * steps of a stream are not longer than its first one, or than one for the whole stream. */
static size_t record_bytes(uint32_t stream_bytes)
{
    const uint32_t step = decode_step_most(stream_bytes);
    return (size_t)decode_records_most(step) * DECODE_CHUNK * 8;
}

/* Sets the addresses of the other arrays of one file. */
static void lay_out_rest(const ImgPngCudaItem *item, uint8_t *base, size_t *used, DecodeJob *job)
{
    const uint32_t stream_bytes = item->file.stream_bytes;
    const size_t inflated = (size_t)inflated_of(item->shape);
    job->band_places = most_bands((uint32_t)item->shape.height);
    job->stream = take(base, used, stream_words(stream_bytes) * sizeof *job->stream);
    job->records = take(base, used, record_bytes(stream_bytes));
    job->bands = take(base, used, job->band_places * sizeof *job->bands);
    job->cells = take(base, used, (inflated + DECODE_CELLS_BEHIND) * sizeof *job->cells);
    job->bytes = take(base, used, inflated + DECODE_BYTES_BEHIND);
}

ImgPngCudaBatchBytes img_png_cuda_batch_bytes(const ImgPngCudaItem *items, size_t count)
{
    ImgPngCudaBatchBytes bytes = {0, count * sizeof(DecodeJob)};
    DecodeJob job;
    for (size_t i = 0; i < count; i++) {
        lay_out_zeros(&items[i], NULL, &bytes.device, &job);
        lay_out_rest(&items[i], NULL, &bytes.device, &job);
    }
    (void)take(NULL, &bytes.device, bytes.host);
    return bytes;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Includes a job in the sizes of the batch. */
static void count_job(const DecodeJob *job, DecodeBatch *batch)
{
    batch->count++;
    batch->stream_words = larger(batch->stream_words, job->stream_words);
    batch->pieces = larger(batch->pieces, job->pieces);
    batch->parts = larger(batch->parts, job->part_count);
    batch->bands = larger(batch->bands, job->band_places);
    batch->of_pixel[job->pixel]++;
    if (job->bits >= 8)
        return;
    batch->packed_samples = larger(batch->packed_samples, job->samples);
    batch->packed_rows = larger(batch->packed_rows, job->height);
}

/* Makes the jobs of the batch in `jobs`, in the order of DecodeJob.pixel. Sets *zeros to the bytes
 * at the start of the workspace that must be zeros, and *used to the bytes of all arrays. */
static void make_jobs(const ImgPngCudaItem *items, size_t count, uint8_t *workspace,
                      uint32_t *statuses, DecodeJob *jobs, DecodeBatch *batch, size_t *zeros,
                      size_t *used)
{
    size_t made = 0;
    for (uint32_t pixel = 1; pixel <= DECODE_PIXEL_MOST; pixel++)
        for (size_t i = 0; i < count; i++) {
            if (filter_pixel(items[i].shape.format) != pixel)
                continue;
            DecodeJob *job = &jobs[made++];
            *job = (DecodeJob){.status = statuses + i};
            describe(items[i].shape, &items[i].file, &items[i].pixels, job);
            lay_out_zeros(&items[i], workspace, used, job);
        }
    *zeros = *used;
    for (size_t k = 0; k < count; k++) {
        lay_out_rest(&items[jobs[k].status - statuses], workspace, used, &jobs[k]);
        count_job(&jobs[k], batch);
    }
}

ImgStatus img_png_cuda_decode_batch(const ImgPngCudaItem *items, size_t count, void *workspace,
                                    void *host, uint32_t *statuses, void *stream,
                                    const ImgStages *stages, ImgError *err)
{
    DecodeBatch batch = {.count = 0};
    size_t zeros = 0, used = 0;
    if (count == 0)
        return IMG_OK;
    if (count > IMG_PNG_CUDA_BATCH_MOST)
        return img_fail(err, IMG_E_USAGE, "a batch of more than %d files", IMG_PNG_CUDA_BATCH_MOST);
    make_jobs(items, count, workspace, statuses, host, &batch, &zeros, &used);
    batch.jobs = (const DecodeJob *)((uint8_t *)workspace + used);
    img_stage(stages, "zeros, jobs, IDAT chunks");
    CUDA_TRY(cudaMemsetAsync(workspace, 0, zeros, (cudaStream_t)stream), err);
    CUDA_TRY(cudaMemcpyAsync((void *)batch.jobs, host, count * sizeof *batch.jobs,
                             cudaMemcpyHostToDevice, (cudaStream_t)stream),
             err);
    img_decode_gather_many(&batch, stream);
    img_stage(stages, "CRC-32");
    img_decode_crc_many(&batch, stream);
    img_stage(stages, "streams");
    img_decode_streams(&batch, stream);
    img_stage(stages, "filters undone");
    img_decode_unfilter_many(&batch, stream);
    img_stage(stages, "verdict");
    img_decode_verdict_many(&batch, stream);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
