/* Checks the strips of the encoder: see judge_codec.h. */
#include <string.h>
#include <zlib.h>

#include "io/png/encode/rows.h"
#include "io/png/encode/strip.h"
#include "io/png/filter/filter.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/pixels/judge_codec.h"

/* Returns the number of bytes from a pixel to the next one, as PNG's filters count it. It is 1 for
 * pixels smaller than a byte. */
static size_t filter_distance(ImgFormat format)
{
    return format.bits < 8 ? 1 : img_format_pixel_size(format);
}

/* Inflates a strip. Only the last strip ends the stream, so an empty last block is appended to the
 * others. */
static Inflated inflated(const uint8_t *bytes, size_t size, bool last)
{
    static const uint8_t end[2] = {3, 0};
    FuzzBytes stream = {0};
    fuzz_put(&stream, bytes, size);
    if (!last)
        fuzz_put(&stream, end, sizeof end);
    const Inflated result = zlib_inflated(stream.data, stream.size);
    expect(result.is_sound && result.used == stream.size, "zlib rejects a strip");
    free(stream.data);
    return result;
}

/* Checks the rows of a strip. The filter of the first row must not use the row above it, so that
 * each strip can be decoded without the others. */
static void judge_rows_of_strip(const ImgView *view, const ImgStrip *strip, uint8_t *filtered,
                                size_t size)
{
    const size_t row = img_png_row_bytes(view->width, view->format),
                 rows = (size_t)(strip->to - strip->from);
    expect(size == (1 + row) * rows, "%zu bytes of %zu rows of %zu", size, rows, row);
    uint8_t *undone = allocate(row * rows), *buffer = allocate(row);
    const ImgUnfilter unfilter = {
        filter_distance(view->format), row, filtered, undone, row, NULL, (int32_t)rows};
    expect(img_png_unfilter_reference(&unfilter, 0, row), "an invalid filter type");
    expect(filtered[0] < IMG_FILTER_UP, "the first row has filter %d", filtered[0]);
    for (size_t y = 0; y < rows; y++)
        expect(memcmp(undone + y * row, img_png_row(view, strip->from + (int32_t)y, buffer), row) ==
                   0,
               "row %d has different pixels", strip->from + (int32_t)y);
    free(buffer);
    free(undone);
}

static void judge_strip(ImgStripWorker *worker, const ImgView *view, const ImgStrip *strip,
                        size_t room)
{
    const size_t most = img_strip_blocks_most(view, strip->to - strip->from);
    uint8_t *out = allocate(room);
    uint32_t *starts = allocate(most * sizeof *starts);
    uint64_t *begins = allocate((most + 1) * sizeof *begins);
    ImgStripResult result;
    expect(img_strip_encode(worker, strip, out, starts, &result), "no memory");
    expect(result.size <= room && result.blocks <= most && result.strategy < IMG_STRIP_STRATEGIES,
           "%zu bytes in room for %zu", result.size, room);
    Inflated filtered = inflated(out, result.size, strip->last);
    expect(filtered.size == result.data &&
               adler32(1, filtered.bytes, (uInt)filtered.size) == result.adler,
           "reported size or Adler-32 is wrong");
    judge_rows_of_strip(view, strip, filtered.bytes, filtered.size);
    if (result.blocks > 0 && strip->last) {
        const size_t count = list_blocks(out, result.size, begins, most + 1);
        expect(count == result.blocks, "%zu blocks, but %zu reported", count, result.blocks);
        for (size_t i = 0; i < count; i++)
            expect(begins[i] == starts[i], "start of block %zu is wrong", i);
    }
    free(filtered.bytes);
    free(begins);
    free(starts);
    free(out);
}

void judge_strips(Choices *choices, const ImgView *view)
{
    const int32_t rows = 1 + (int32_t)choose_below(choices, 64) % view->height;
    const ImgPngLevel level = img_png_level((int)choose_below(choices, 10), view->format);
    ImgStripWorker *worker = img_strip_worker_create(view, &level, rows);
    expect(worker != NULL, "no memory");
    for (int32_t y = 0; y < view->height; y += rows) {
        const int32_t end = view->height - y < rows ? view->height : y + rows;
        const ImgStrip strip = {y, end, end == view->height};
        judge_strip(worker, view, &strip, img_strip_bound(view, rows));
    }
    img_strip_worker_free(worker);
}
