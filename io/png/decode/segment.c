/* Decodes a segment of the stream (fast_decoders.h) in portions that fit the second-level cache.
 * Each portion is unfiltered before the next one is inflated. */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/decode/fast_decoders.h"
#include "io/png/filter/filter.h"
#include "kernels/core/minmax.h"

enum { PORTION = 1 << 19 };

struct ImgSegmentTools {
    const ImgPixels *pixels;
    /* Unfilters the rows and passes them to a sink (the same as ImgPngJob.band). NULL: the rows are
     * stored in the image. */
    ImgBand *band;
    ImgView to; /* the rows that img_segment_rows fills */
    /* A copy of the last row in `to` that was unfiltered, in the byte order of the file. NULL: rows
     * are stored in the image, or passed to `band`. */
    uint8_t *above;
    /* Number of rows of the segment after which inflating pauses; segment->rows: never. */
    int32_t wanted;
    ImgInflateData data; /* the section of the stream that is being inflated */
    ImgProgress *progress;
    const ImgSegment *segment;
    ImgIdatScratch scratch;
    ImgInflate inflate;
    /* Start and end of the output buffer, not counting the slack bytes after it. */
    uint8_t *buffer, *buffer_end;
    ImgInflateRoom room;
    uint8_t *row;         /* address of the first filtered row that is not yet unfiltered */
    const uint8_t *added; /* address of the first byte that is not yet included in the checksum */
    int32_t rows_done;
    uint64_t left; /* number of inflated bytes that are still expected */
    uint32_t adler;
    size_t capacity; /* size of the output buffer in bytes, not counting the slack */
};

static ImgStatus fail(ImgError *err)
{
    return img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) cannot be decoded");
}

/* Returns the size in bytes of the output buffer. It holds the window that matches refer to, an
 * incomplete group of rows, and a portion. */
static size_t buffer_bytes(size_t row, int32_t group, int32_t rows, uint64_t inflated)
{
    size_t portion = inflated < PORTION ? (size_t)inflated + 1 : PORTION;
    return IMG_INFLATE_WINDOW + row * (size_t)img_min32(group, rows) + portion;
}

static ImgStatus start(ImgSegmentTools *tools, const ImgPngJob *job, const ImgSegment *segment,
                       ImgError *err)
{
    size_t row = img_pixels_filtered_bytes(&job->pixels);
    tools->left = (uint64_t)row * (uint64_t)segment->rows;
    size_t size =
        buffer_bytes(row, img_pixels_group(job->pixels.pixel), segment->rows, tools->left);
    if (size > tools->capacity) {
        free(tools->buffer);
        tools->capacity = 0;
        tools->buffer = malloc(size + IMG_INFLATE_ROOM_SLACK);
        if (tools->buffer == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
        tools->capacity = size;
    }
    tools->pixels = &job->pixels;
    tools->band = job->band;
    tools->progress = job->progress;
    tools->segment = segment;
    tools->buffer_end = tools->buffer + size;
    tools->room.begin = tools->room.at = tools->row = tools->buffer;
    tools->added = tools->buffer;
    tools->rows_done = 0;
    tools->adler = 1;
    tools->wanted = segment->rows;
    tools->data = img_idat_portion(job->idat, segment->start / 8, &tools->scratch);
    img_inflate_start(&tools->inflate, segment->start);
    return IMG_OK;
}

/* Sets the limit at which inflating stops: the end of the rows that are wanted, or of the buffer if
 * that comes first. If all rows of the segment are wanted, the limit is one byte later, so that
 * excess data is detected. */
static void set_limit(ImgSegmentTools *tools)
{
    size_t room = (size_t)(tools->buffer_end - tools->room.at);
    uint64_t most = tools->left + 1;
    if (tools->wanted < tools->segment->rows)
        most = img_pixels_filtered_bytes(tools->pixels) *
                   (uint64_t)(tools->wanted - tools->rows_done) -
               (uint64_t)(tools->room.at - tools->row);
    tools->room.limit = tools->room.at + (most < room ? (size_t)most : room);
}

/* Returns true if the segment's first row can be unfiltered without the row above. The top row of
 * the image always can; other rows need filter type 0 or 1. */
static bool starts_alone(const ImgSegmentTools *tools)
{
    return tools->segment->first_row == 0 || tools->row[0] <= 1;
}

/* Unfilters the next `count` rows to the view of the caller. */
static bool unfilter_to(ImgSegmentTools *tools, int32_t count, bool top)
{
    const size_t bytes = tools->pixels->row_bytes;
    const int32_t done = tools->to.height - (tools->wanted - tools->rows_done);
    const ImgView to = img_view_crop(&tools->to, 0, done, tools->to.width, count);
    const ImgPixels pixels = img_pixels_of(&to);
    const ImgUnfilter unfilter = {
        .pixel = pixels.pixel,
        .row_bytes = bytes,
        .filtered = tools->row,
        .rows = to.data,
        .stride = to.stride,
        .above = top ? NULL : tools->above,
        .count = count,
    };
    if (!img_png_unfilter(&unfilter, 0, bytes))
        return false;
    memcpy(tools->above, to.data + (size_t)(count - 1) * to.stride, bytes);
    img_pixels_to_native(&pixels, 0, count);
    return true;
}

static bool unfilter(ImgSegmentTools *tools, int32_t first, int32_t count, bool top)
{
    if (tools->above != NULL)
        return unfilter_to(tools, count, top);
    if (tools->band != NULL)
        return img_band_unfilter(tools->band, tools->row, count);
    if (!img_pixels_unfilter(tools->pixels, tools->row, first, count, top, 0,
                             tools->pixels->row_bytes))
        return false;
    img_pixels_to_native(tools->pixels, top ? first : first - 1, first + count - 1);
    return true;
}

/* Unfilters the rows that are complete. Leaves an incomplete group of rows for the next call,
 * except at the end of the segment. */
static bool unfilter_rows(ImgSegmentTools *tools)
{
    size_t row = img_pixels_filtered_bytes(tools->pixels);
    int32_t ready = (int32_t)((size_t)(tools->room.at - tools->row) / row);
    int32_t first = tools->segment->first_row + tools->rows_done;
    ready = img_min32(ready, tools->wanted - tools->rows_done);
    if (tools->rows_done + ready < tools->wanted)
        ready -= ready % img_pixels_group(tools->pixels->pixel);
    if (ready == 0)
        return true;
    bool top = tools->rows_done == 0;
    if (top && !starts_alone(tools))
        return false;
    if (!unfilter(tools, first, ready, top))
        return false;
    tools->row += row * (size_t)ready;
    tools->rows_done += ready;
    return img_progress_add_rows(tools->progress, (uint64_t)ready);
}

/* Adds the new output to the checksum and unfilters its complete rows. Returns false if there is
 * more output than expected, or if a row is invalid. */
static bool take_output(ImgSegmentTools *tools)
{
    size_t size = (size_t)(tools->room.at - tools->added);
    if (size > tools->left)
        return false;
    tools->left -= size;
    tools->adler = libdeflate_adler32(tools->adler, tools->added, size);
    tools->added = tools->room.at;
    return unfilter_rows(tools);
}

/* Moves the window and the rows that are not yet unfiltered to the start of the buffer. This makes
 * room for the next portion. */
static void slide(ImgSegmentTools *tools)
{
    uint8_t *keep = tools->room.begin;
    if (tools->room.at - keep > IMG_INFLATE_WINDOW)
        keep = tools->room.at - IMG_INFLATE_WINDOW;
    if (tools->row < keep)
        keep = tools->row;
    size_t shift = (size_t)(keep - tools->buffer);
    memmove(tools->buffer, keep, (size_t)(tools->room.at - keep));
    tools->room.begin = tools->buffer;
    tools->room.at -= shift;
    tools->row -= shift;
    tools->added = tools->room.at;
}

static bool is_at_end(const ImgSegmentTools *tools, ImgInflateStop stop)
{
    if (tools->segment->end == IMG_SEGMENT_OPEN)
        return stop == IMG_INFLATE_END;
    return stop == IMG_INFLATE_BLOCK && tools->inflate.position == tools->segment->end;
}

/* Inflates and unfilters until `wanted` rows are done. If all rows are wanted, continues to the end
 * of the segment. */
static bool inflate_wanted(ImgSegmentTools *tools, const ImgIdat *idat)
{
    const bool has_end = tools->segment->end != IMG_SEGMENT_OPEN;
    const bool pauses = tools->wanted < tools->segment->rows;
    for (;;) {
        if (pauses && !unfilter_rows(tools))
            return false;
        if (pauses && tools->rows_done == tools->wanted)
            return true;
        set_limit(tools);
        ImgInflateStop stop = img_inflate(&tools->inflate, &tools->data, &tools->room, has_end);
        if (stop == IMG_INFLATE_DAMAGED || !take_output(tools))
            return false;
        if (is_at_end(tools, stop))
            return tools->left == 0;
        if (stop == IMG_INFLATE_END || (has_end && tools->inflate.position >= tools->segment->end))
            return false;
        if (stop == IMG_INFLATE_NEED_INPUT)
            tools->data = img_idat_portion(idat, tools->inflate.position / 8, &tools->scratch);
        if (stop == IMG_INFLATE_OUTPUT_FULL)
            slide(tools);
    }
}

ImgSegmentTools *img_segment_tools_create(void)
{
    ImgSegmentTools *tools = malloc(sizeof *tools);
    if (tools != NULL) {
        tools->buffer = tools->above = NULL;
        tools->capacity = 0;
    }
    return tools;
}

void img_segment_tools_free(ImgSegmentTools *tools)
{
    if (tools != NULL) {
        free(tools->buffer);
        free(tools->above);
    }
    free(tools);
}

ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err)
{
    ImgStatus status = start(tools, job, segment, err);
    if (status == IMG_OK && !inflate_wanted(tools, job->idat))
        status = fail(err);
    if (status != IMG_OK)
        return status;
    int32_t last = segment->first_row + segment->rows;
    if (tools->band == NULL)
        img_pixels_to_native(tools->pixels, last - 1, last);
    *adler = tools->adler;
    *end = tools->inflate.position;
    return IMG_OK;
}

ImgStatus img_segment_begin(const ImgPngJob *job, const ImgSegment *segment, ImgSegmentTools *tools,
                            ImgError *err)
{
    tools->above = malloc(job->pixels.row_bytes);
    if (tools->above == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    const ImgStatus status = start(tools, job, segment, err);
    tools->wanted = 0;
    return status;
}

ImgStatus img_segment_rows(ImgSegmentTools *tools, const ImgIdat *idat, const ImgView *to,
                           ImgError *err)
{
    tools->to = *to;
    tools->wanted += to->height;
    return inflate_wanted(tools, idat) ? IMG_OK : fail(err);
}

void img_segment_end(const ImgSegmentTools *tools, uint32_t *adler, uint64_t *end)
{
    *adler = tools->adler;
    *end = tools->inflate.position;
}

ImgStatus img_sequence_decode(const ImgPngJob *job, uint32_t *adler, uint64_t *end, ImgError *err)
{
    ImgSegment all = {8 * IMG_ZLIB_HEADER_BYTES, IMG_SEGMENT_OPEN, 0, job->pixels.view.height};
    ImgSegmentTools *tools = img_segment_tools_create();
    if (tools == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    ImgStatus status = img_segment_decode(job, &all, tools, adler, end, err);
    img_segment_tools_free(tools);
    return status;
}

uint64_t img_segment_bytes(ImgShape shape)
{
    size_t pixel = img_format_pixel_size(shape.format);
    return sizeof(ImgSegmentTools) + buffer_bytes(1 + (size_t)shape.width * pixel,
                                                  img_pixels_group(pixel), shape.height,
                                                  UINT64_MAX);
}
