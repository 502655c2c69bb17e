/* On filtered photographs matches buy nothing, on graphics they halve the file. Sizes are compared
 * on a sample, because no simple count of repeats tells the two apart. */
#include "io/png/strategy.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

enum { BANDS = 8, BAND_ROWS = 8, MIN_ROWS = 2 * BANDS * BAND_ROWS, OUT_BYTES = 1 << 14 };

/* Below this nobody waits for the slower way. */
static const size_t SMALL_IMAGE = (size_t)256 << 10;

typedef struct Trial {
    z_stream z;
    size_t size;
    uint8_t out[OUT_BYTES];
} Trial;

static bool start(Trial *trial, int level, int strategy)
{
    trial->z = (z_stream){0};
    trial->size = 0;
    return deflateInit2(&trial->z, level, Z_DEFLATED, 15, 8, strategy) == Z_OK;
}

static void compress_row(Trial *trial, uint8_t *row, size_t size, int flush)
{
    trial->z.next_in = row;
    trial->z.avail_in = (uInt)size;
    do {
        trial->z.next_out = trial->out;
        trial->z.avail_out = OUT_BYTES;
        deflate(&trial->z, flush);
        trial->size += OUT_BYTES - trial->z.avail_out;
    } while (trial->z.avail_out == 0);
}

static void filter_sub(const uint8_t *row, size_t size, size_t pixel, uint8_t *out)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(row[i] - (i < pixel ? 0 : row[i - pixel]));
}

static bool compare(Trial *runs, Trial *matches, const ImgView *view, uint8_t *row)
{
    size_t pixel = img_format_pixel_size(view->format);
    size_t size = (size_t)view->width * pixel;
    int32_t step = view->height / BANDS;
    for (int32_t top = 0; top < view->height; top += step) {
        for (int32_t y = top; y < top + BAND_ROWS && y < view->height; y++) {
            filter_sub(view->data + (size_t)y * view->stride, size, pixel, row);
            compress_row(runs, row, size, Z_NO_FLUSH);
            compress_row(matches, row, size, Z_NO_FLUSH);
        }
    }
    compress_row(runs, row, 0, Z_FINISH);
    compress_row(matches, row, 0, Z_FINISH);
    return runs->size <= matches->size;
}

bool img_png_prefers_runs(const ImgView *view)
{
    size_t size = (size_t)view->width * img_format_pixel_size(view->format);
    if (view->height < MIN_ROWS || size > UINT32_MAX || size * (size_t)view->height < SMALL_IMAGE)
        return false;
    bool answer = false;
    Trial *trials = malloc(2 * sizeof *trials);
    uint8_t *row = malloc(size);
    if (trials != NULL && row != NULL && start(&trials[0], 1, Z_RLE)) {
        if (start(&trials[1], 2, Z_DEFAULT_STRATEGY)) {
            answer = compare(&trials[0], &trials[1], view, row);
            deflateEnd(&trials[1].z);
        }
        deflateEnd(&trials[0].z);
    }
    free(row);
    free(trials);
    return answer;
}
