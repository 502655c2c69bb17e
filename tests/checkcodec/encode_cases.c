/* Compares chunks that the GPU encodes with those that the CPU codec makes of the same strips. */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/png/deflate/deflate_runs.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/filter/filter_type.h"
#include "tests/checkcodec/encode_check.h"

enum { ALL = (1 << IMG_FILTERS) - 1, PAETH = 1 << IMG_FILTER_PAETH, FRAME = 18 };

typedef struct Case {
    ImgShape shape;
    Kind kind;
    int32_t strip_rows;
    unsigned filters, sample_step;
} Case;

/* Allocates `size` bytes. Exits if there is no memory. */
static void *memory(size_t size)
{
    void *bytes = malloc(size);
    if (bytes == NULL) {
        fprintf(stderr, "check_png_encode: no memory\n");
        exit(1);
    }
    return bytes;
}

/* --- The CPU's result ------------------------------------------------------------------------- */

typedef struct Expected {
    uint8_t *bytes, *filtered;
    size_t size, filtered_size;
    /* starts of the blocks of all strips, in bits from the start of their strip */
    uint32_t *starts;
    size_t start_count;
} Expected;

static void add_chunk(Expected *expected, const uint8_t *deflated, size_t size, bool first,
                      bool last)
{
    uint8_t *start = expected->bytes + expected->size, *to = start + 4;
    memcpy(to, "IDAT", 4);
    to += 4;
    if (first) {
        *to++ = 0x78;
        *to++ = 0x01;
    }
    memcpy(to, deflated, size);
    to += size;
    if (last) {
        img_put_be32(to, libdeflate_adler32(1, expected->filtered, expected->filtered_size));
        to += 4;
    }
    img_put_be32(start, (uint32_t)(to - start - 8));
    img_put_be32(to, libdeflate_crc32(0, start + 4, (size_t)(to - start - 4)));
    expected->size += (size_t)(to + 4 - start);
}

static Expected expect(const ImgView *view, const ImgStrips *strips, const Case *wanted)
{
    Expected expected = {0};
    ImgStripFilter filter;
    ImgRunsScratch *work = memory(sizeof *work);
    work->loops = img_runs_loops();
    work->sample_step = wanted->sample_step;
    size_t row = 1 + img_png_row_bytes(view->width, view->format);
    size_t most = img_deflate_runs_bound(row * (size_t)strips->first_rows);
    uint8_t *deflated = memory(most);
    ImgBlockStarts starts;
    size_t starts_most = img_block_starts_most(row * (size_t)strips->first_rows);
    expected.filtered = memory(row * (size_t)view->height);
    expected.bytes = memory((most + FRAME) * strips->count);
    expected.starts = memory(starts_most * strips->count * sizeof *expected.starts);
    if (!img_strip_filter_init(&filter, view))
        exit(1);
    for (uint32_t i = 0; i < strips->count; i++) {
        bool last = i + 1 == strips->count;
        uint8_t *data = expected.filtered + expected.filtered_size;
        size_t size =
            img_strip_filter(&filter, img_strips_start(strips, i), img_strips_start(strips, i + 1),
                             wanted->filters, NULL, data);
        expected.filtered_size += size;
        starts.bits = expected.starts + expected.start_count;
        size_t bytes = img_deflate_runs(work, data, size, last, deflated, &starts);
        expected.start_count += starts.count;
        add_chunk(&expected, deflated, bytes, i == 0, last);
    }
    img_strip_filter_free(&filter);
    free(deflated);
    free(work);
    return expected;
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Compares the positions where the blocks of all strips begin. Writes a description of the first
 * difference to `message`. */
static ImgStatus compare_starts(const Device *device, const Expected *expected, char *message,
                                size_t room, ImgError *err)
{
    const ImgPngEncodeCudaPlan *plan = &device->plan;
    ImgPngCudaBlock *blocks = memory(plan->starts * sizeof *blocks);
    ImgPngCudaStrip *strips = memory(plan->options.strips.count * sizeof *strips);
    uint32_t *starts = memory(plan->starts * IMG_PNG_CUDA_FRAMES_MOST * sizeof *starts);
    size_t count = 0;
    ImgStatus status = device_blocks(device, blocks, err);
    if (status == IMG_OK)
        status = device_results(device, strips, err);
    for (uint32_t i = 0; i < plan->options.strips.count && status == IMG_OK; i++)
        count += img_png_encode_cuda_starts(plan, blocks, &strips[i], i, starts + count);
    if (status == IMG_OK && count != expected->start_count)
        snprintf(message, room, "%zu blocks, not %zu", count, expected->start_count);
    else if (status == IMG_OK && memcmp(starts, expected->starts, count * sizeof *starts) != 0)
        snprintf(message, room, "blocks begin elsewhere");
    free(starts);
    free(strips);
    free(blocks);
    return status;
}

/* --- Cases ------------------------------------------------------------------------------------ */

static const char *compare(const Case *wanted, const ImgView *view, char *message, size_t room)
{
    ImgStrips strips = img_strips_divide(view->height, wanted->strip_rows);
    ImgPngEncodeCudaOptions options = {.strips = strips,
                                       .filters = wanted->filters,
                                       .sample_step = wanted->sample_step,
                                       .stream_flags = 0x01};
    Expected expected = expect(view, &strips, wanted);
    Device device = {0};
    ImgError err = {IMG_OK, ""};
    uint8_t *chunks = NULL;
    size_t size = 0, at = 0;
    ImgStatus status = device_open(&device, view, &options, &err);
    if (status == IMG_OK)
        status = device_encode(&device, &err);
    if (status == IMG_OK) {
        chunks = memory(device.plan.output);
        status = device_download(&device, chunks, &size, &err);
    }
    message[0] = '\0';
    while (status == IMG_OK && at < size && at < expected.size && chunks[at] == expected.bytes[at])
        at++;
    if (status == IMG_OK)
        status = compare_starts(&device, &expected, message, room, &err);
    if (status != IMG_OK)
        snprintf(message, room, "%s", err.message);
    else if (at < expected.size || size != expected.size)
        snprintf(message, room, "%zu bytes, not %zu; the first that differs is %zu", size,
                 expected.size, at);
    device_close(&device);
    free(chunks);
    free(expected.starts);
    free(expected.bytes);
    free(expected.filtered);
    return message[0] == '\0' ? NULL : message;
}

static void check(const Case *wanted, Tally *tally)
{
    char message[256];
    if (!is_in_share(tally))
        return;
    ImgImage image = make_picture(wanted->shape, wanted->kind);
    const char *fault = compare(wanted, &image.view, message, sizeof message);
    if (fault == NULL)
        tally->passed++;
    else
        tally->failed++;
    if (fault != NULL)
        printf("failed: encode %dx%d %s %d bits, %s, strips of %d rows, filters %#x, step %u: %s\n",
               wanted->shape.width, wanted->shape.height,
               img_color_name(wanted->shape.format.color), wanted->shape.format.bits,
               KIND_NAMES[wanted->kind], wanted->strip_rows, wanted->filters, wanted->sample_step,
               fault);
    img_image_free(&image);
}

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2}, {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_GRAY, 8},
    {IMG_COLOR_GRAY_ALPHA, 8},  {IMG_COLOR_RGB, 8},  {IMG_COLOR_RGBA, 8},    {IMG_COLOR_GRAY, 16},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

static const struct {
    int32_t width, height, strip_rows;
} SIZES[] = {{1, 1, 1}, {7, 5, 2}, {33, 17, 17}, {61, 40, 7}};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

/* Checks every format and kind of picture at a few odd sizes. The filters and `sample_step` change
 * from case to case. */
static void check_small(Tally *tally)
{
    static const unsigned filters[] = {ALL, PAETH, 1 << IMG_FILTER_NONE};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int s = 0; s < SIZE_COUNT; s++)
            for (Kind kind = 0; kind < KINDS; kind++) {
                Case wanted = {{SIZES[s].width, SIZES[s].height, FORMATS[f]},
                               kind,
                               SIZES[s].strip_rows,
                               filters[(f + s + (int)kind) % 3],
                               1U << (f + (int)kind) % 3};
                check(&wanted, tally);
            }
}

/* Checks rows so long that the filter kernel divides them, `sample_step` above 1, several blocks
 * per strip, and noise that needs several stored blocks. */
static void check_blocks(Tally *tally)
{
    static const Case cases[] = {
        {{3001, 6, {IMG_COLOR_RGB, 8}}, SMOOTH, 3, ALL, 2},
        {{999, 47, {IMG_COLOR_RGB, 8}}, SMOOTH, 47, ALL, 2},
        {{999, 47, {IMG_COLOR_RGB, 8}}, SPECKS, 47, ALL, 4},
        {{1234, 119, {IMG_COLOR_GRAY, 8}}, NOISE, 60, PAETH, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i], tally);
}

static void check_large(Tally *tally)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (Kind kind = 0; kind < KINDS; kind++) {
            Case wanted = {{1201 + f, 1003 - (int)kind, FORMATS[f]}, kind, 64 + f, ALL, 2};
            check(&wanted, tally);
            wanted.strip_rows = 501;
            wanted.filters = PAETH;
            wanted.sample_step = 4;
            check(&wanted, tally);
        }
}

void check_random(int cases, uint64_t seed, int32_t most_side, Tally *tally)
{
    for (int i = 0; i < cases; i++) {
        uint32_t side =
            /* The bound of the sides is random itself, so that small sides are more likely than
             * large ones. */
            1 + pick(&seed, (uint32_t)most_side);
        int32_t width = 1 + (int32_t)pick(&seed, side), height = 1 + (int32_t)pick(&seed, side);
        Case wanted = {.shape = {width, height, FORMATS[pick(&seed, FORMAT_COUNT)]},
                       .kind = (Kind)pick(&seed, KINDS),
                       .strip_rows = 1 + (int32_t)pick(&seed, (uint32_t)height),
                       .filters = 1 + pick(&seed, ALL),
                       .sample_step = 1 + pick(&seed, 4)};
        check(&wanted, tally);
    }
}

void check_encoder(bool large, Tally *tally)
{
    check_small(tally);
    check_blocks(tally);
    if (large)
        check_large(tally);
}
