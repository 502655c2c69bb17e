/* memory_codec: decodes random PNG files in memory, as a whole and by rows, and encodes them, in
 * one process. Compares the memory that the codec uses in addition to the pixels with the memory
 * that it planned. README.md has more.
 *
 *     memory_codec [--seed N] [--cases N | --only N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/encode.h"
#include "io/png/decode/band.h"
#include "io/png/thread_count.h"
#include "io/source.h"
#include "tests/checkcodec/png_files.h"
#include "tests/memory/peak.h"

/* BESIDE is the number of bytes that plans leave out: IMG_PNG_OWN_BYTES (io/png/encode.h),
 * and 1 MiB for tables. */
enum { BESIDE = IMG_PNG_OWN_BYTES + (1 << 20), THREADS = 8, CASES = 1000 };
enum { USUAL = 1200, LEVELS = 10 };

typedef struct Totals {
    uint64_t runs, refused, wrong;
    /* largest number of bytes that a case used in addition to its plan */
    uint64_t most;
    uint64_t paths[IMG_PNG_ON_DEVICE + 1];
} Totals;

typedef struct Case {
    uint64_t number;
    ImgShape shape;
    int threads, level;
    bool interlaced;
    Bytes file;
} Case;

/* --- Files ------------------------------------------------------------------------------------ */

static uint32_t below(void *context, uint32_t bound)
{
    (void)context;
    return random_below(bound);
}

static ImgShape draw_shape(void)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 1},  {IMG_COLOR_GRAY, 4},       {IMG_COLOR_GRAY, 8},
        {IMG_COLOR_GRAY, 16}, {IMG_COLOR_PALETTE, 8},    {IMG_COLOR_PALETTE, 2},
        {IMG_COLOR_RGB, 8},   {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGBA, 8},
        {IMG_COLOR_RGB, 16},  {IMG_COLOR_RGBA, 16}};
    ImgShape shape = draw_sides(below, NULL, USUAL);
    shape.format = formats[random_below(sizeof formats / sizeof *formats)];
    return shape;
}

static Bytes make_file(ImgShape shape)
{
    const Pattern pattern = (Pattern)random_below(PATTERNS);
    if (random_below(3) == 0 && shape.format.color != IMG_COLOR_PALETTE)
        return make_own(shape, pattern, (int)random_below(LEVELS), (int)random_below(2));
    const Packing packing = {
        .level = (int)random_below(LEVELS),
        .strategy = (int)random_below(5),
        .window_bits = random_below(2) > 0 ? 15 : 9 + (int)random_below(7),
        .memory_level = 1 + (int)random_below(9),
        .flush = random_below(2) > 0 ? Z_FULL_FLUSH : Z_BLOCK,
        .flush_rows = random_below(2) > 0 ? 0 : 1 + (int)random_below(9),
        .part_bytes = random_below(2) > 0 ? 0 : 1 + (int)random_below(70000),
    };
    Bytes rows = make_rows(shape, pattern);
    Bytes stream = make_stream(&rows, filtered_row_bytes(shape), &packing);
    Bytes file = make_png(shape, &stream, &packing);
    free(rows.data);
    free(stream.data);
    return file;
}

static Case draw_case(uint64_t seed, uint64_t number)
{
    random_seed(seed * UINT64_C(1000003) + number);
    Case drawn = {.number = number, .shape = draw_shape()};
    drawn.threads = 1 + (int)random_below(THREADS);
    drawn.level = (int)random_below(LEVELS);
    drawn.interlaced = random_below(4) == 0;
    drawn.file = make_file(drawn.shape);
    return drawn;
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void report(const Case *run, const char *how, ImgStatus status, uint64_t planned,
                   size_t taken, Totals *totals)
{
    totals->runs++;
    totals->refused += status != IMG_OK;
    if (taken > planned && taken - planned > totals->most)
        totals->most = taken - planned;
    if (taken <= planned + BESIDE)
        return;
    totals->wrong++;
    printf("WRONG: case %llu, %s: %zu bytes, %llu planned: %d x %d, %s of %d bits, %zu bytes of "
           "file, %d threads, level %d%s\n",
           (unsigned long long)run->number, how, taken, (unsigned long long)planned,
           run->shape.width, run->shape.height, img_color_name(run->shape.format.color),
           run->shape.format.bits, run->file.size, run->threads, run->level,
           run->interlaced ? ", interlaced" : "");
}

static ImgSource *open_file(const Case *run)
{
    static const ImgLimits limits = {.max_pixels = UINT64_MAX, .max_memory = UINT64_MAX};
    const ImgInputBytes bytes = {.memory = run->file.data, .size = run->file.size};
    ImgSource *source = NULL;
    if (img_source_open_bytes(&bytes, true, &limits, &source, NULL) != IMG_OK ||
        img_source_load(source, NULL) != IMG_OK)
        abort();
    return source;
}

static uint64_t bytes_of(ImgShape shape)
{
    size_t bytes;
    return img_shape_bytes(shape, &bytes, NULL) == IMG_OK ? bytes : 0;
}

static void decode(const Case *run, ImgImage *image, ImgMetadata *metadata, Totals *totals)
{
    ImgSource *source = open_file(run);
    const ImgPngDecodeOptions options = {.threads = run->threads};
    ImgPngDecodeReport how;
    heap_peak_start();
    const ImgStatus status = img_source_decode(source, &options, image, &how, NULL);
    const size_t taken = heap_peak_end();
    totals->paths[how.strategy] += status == IMG_OK;
    report(run, "decoded as a whole", status,
           bytes_of(run->shape) + img_source_decode_bytes(source, run->threads), taken, totals);
    *metadata = img_source_take_metadata(source);
    metadata->interlaced = run->interlaced;
    img_source_close(source);
}

static void take(void *context, const ImgView *rows, int32_t first)
{
    *(int32_t *)context = first + rows->height;
}

static void decode_rows(const Case *run, Totals *totals)
{
    ImgSource *source = open_file(run);
    const ImgPngDecodeOptions options = {.threads = run->threads};
    ImgPngDecodeReport how;
    int32_t rows;
    const ImgRowSink sink = {.take = take, .context = &rows};
    if (!img_source_can_decode_rows(source)) {
        img_source_close(source);
        return;
    }
    heap_peak_start();
    const ImgStatus status = img_source_decode_rows(source, &options, &sink, &how, NULL);
    const size_t taken = heap_peak_end();
    const uint64_t planned =
        img_band_bytes(run->shape) + img_source_decode_bytes(source, run->threads);
    report(run, "by rows", status, planned, taken, totals);
    img_source_close(source);
}

/* Appends data to `context`, an array of bytes. If `context` is NULL, drops the data. */
static ImgStatus keep_bytes(void *context, const void *data, size_t size, ImgError *err)
{
    (void)err;
    if (context != NULL)
        put(context, data, size);
    return IMG_OK;
}

static ImgStatus encode_to(const Case *run, const ImgImage *image, const ImgMetadata *metadata,
                           Bytes *bytes)
{
    ImgOutput *output = NULL;
    const ImgPngEncodeOptions options = {.level = run->level, .threads = run->threads};
    if (img_output_open_function(keep_bytes, bytes, &output, NULL) != IMG_OK)
        abort();
    ImgStatus status = img_png_encode(image, metadata, &options, output, NULL, NULL);
    if (status == IMG_OK)
        return img_output_commit(&output, NULL);
    img_output_discard(&output);
    return status;
}

static void encode(const Case *run, const ImgImage *image, const ImgMetadata *metadata,
                   Totals *totals)
{
    heap_peak_start();
    const ImgStatus status = encode_to(run, image, metadata, NULL);
    const size_t taken = heap_peak_end();
    report(run, "encoded", status, img_png_encode_bytes(run->shape, run->level, run->threads, 1),
           taken, totals);
}

/* Decodes an interlaced file that the encoder wrote, and compares its memory with the plan. */
static void decode_interlaced(const Case *run, const ImgImage *image, const ImgMetadata *metadata,
                              Totals *totals)
{
    Case again = *run;
    ImgImage same = IMG_IMAGE_NONE;
    ImgMetadata its = IMG_METADATA_NONE;
    again.file = (Bytes){0};
    if (encode_to(run, image, metadata, &again.file) == IMG_OK)
        decode(&again, &same, &its, totals);
    img_metadata_free(&its);
    img_image_free(&same);
    free(again.file.data);
}

static void do_case(uint64_t seed, uint64_t number, Totals *totals)
{
    Case run = draw_case(seed, number);
    ImgImage image = IMG_IMAGE_NONE;
    ImgMetadata metadata = IMG_METADATA_NONE;
    decode(&run, &image, &metadata, totals);
    decode_rows(&run, totals);
    if (image.view.data != NULL)
        encode(&run, &image, &metadata, totals);
    if (image.view.data != NULL && run.interlaced)
        decode_interlaced(&run, &image, &metadata, totals);
    img_metadata_free(&metadata);
    img_image_free(&image);
    free(run.file.data);
}

int main(int argc, char **argv)
{
    const CaseOptions options = case_options(argc, argv, CASES);
    Totals totals = {0};
    for (uint64_t i = 0; i < options.count; i++)
        do_case(options.seed, options.first + i, &totals);
    printf("%llu runs of seed %llu, %llu refused, at most %llu bytes beside a plan, %llu wrong\n",
           (unsigned long long)totals.runs, (unsigned long long)options.seed,
           (unsigned long long)totals.refused, (unsigned long long)totals.most,
           (unsigned long long)totals.wrong);
    for (int path = 0; path <= IMG_PNG_ON_DEVICE; path++)
        printf("  %s: %llu files\n", img_png_strategy_name((ImgPngStrategy)path),
               (unsigned long long)totals.paths[path]);
    return totals.runs == 0 || totals.wrong > 0;
}
