/* Inflates a segment of the stream in portions that stay in the second-level cache, and unfilters
 * each before the next. */
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/decode/strategies.h"
#include "kernels/core/minmax.h"

enum { PORTION = 1 << 19 };

struct ImgSegmentTools {
    const ImgPixels *pixels;
    ImgBand *band; /* as ImgPngJob.band */
    ImgWatch *watch;
    const ImgSegment *segment;
    ImgIdatScratch scratch;
    ImgInflate inflate;
    uint8_t *buffer, *buffer_end; /* excluding the slack after it */
    ImgInflateRoom room;
    uint8_t *row;         /* first filtered row that is not unfiltered yet */
    const uint8_t *added; /* start of the bytes that are not in the checksum yet */
    int32_t rows_done;
    uint64_t left; /* inflated bytes to come */
    uint32_t adler;
    size_t capacity; /* bytes at `buffer`, excluding the slack */
};

typedef ImgSegmentTools Work;

static ImgStatus fail(ImgError *err)
{
    return img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) cannot be decoded");
}

/* Returns the buffer size: the window, an incomplete group of rows, and the portion. */
static size_t buffer_bytes(size_t row, int32_t group, int32_t rows, uint64_t inflated)
{
    size_t portion = inflated < PORTION ? (size_t)inflated + 1 : PORTION;
    return IMG_INFLATE_WINDOW + row * (size_t)img_min32(group, rows) + portion;
}

static ImgStatus start(Work *work, const ImgPngJob *job, const ImgSegment *segment, ImgError *err)
{
    size_t row = img_pixels_filtered_bytes(&job->pixels);
    work->left = (uint64_t)row * (uint64_t)segment->rows;
    size_t size = buffer_bytes(row, img_pixels_group(job->pixels.pixel), segment->rows, work->left);
    if (size > work->capacity) {
        free(work->buffer);
        work->capacity = 0;
        work->buffer = malloc(size + IMG_INFLATE_ROOM_SLACK);
        if (work->buffer == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
        work->capacity = size;
    }
    work->pixels = &job->pixels;
    work->band = job->band;
    work->watch = job->watch;
    work->segment = segment;
    work->buffer_end = work->buffer + size;
    work->room.begin = work->room.at = work->row = work->buffer;
    work->added = work->buffer;
    work->rows_done = 0;
    work->adler = 1;
    img_inflate_start(&work->inflate, segment->start);
    return IMG_OK;
}

/* Leaves room for one byte after the last row, so that excess data is detected. */
static void set_limit(Work *work)
{
    size_t room = (size_t)(work->buffer_end - work->room.at);
    work->room.limit = work->room.at + (work->left < room ? (size_t)work->left + 1 : room);
}

/* The first row of a segment within the image must not refer to the row above. */
static bool starts_alone(const Work *work)
{
    return work->segment->first_row == 0 || work->row[0] <= 1;
}

static bool undo(const Work *work, int32_t first, int32_t count, bool top)
{
    if (work->band != NULL)
        return img_band_undo(work->band, work->row, count);
    if (!img_pixels_undo(work->pixels, work->row, first, count, top, 0, work->pixels->row_bytes))
        return false;
    img_pixels_settle(work->pixels, top ? first : first - 1, first + count - 1);
    return true;
}

/* Unfilters the rows that are complete. */
static bool undo_rows(Work *work)
{
    size_t row = img_pixels_filtered_bytes(work->pixels);
    int32_t ready = (int32_t)((size_t)(work->room.at - work->row) / row);
    int32_t first = work->segment->first_row + work->rows_done;
    if (work->rows_done + ready < work->segment->rows)
        ready -= ready % img_pixels_group(work->pixels->pixel);
    if (ready == 0)
        return true;
    bool top = work->rows_done == 0;
    if (top && !starts_alone(work))
        return false;
    if (!undo(work, first, ready, top))
        return false;
    work->row += row * (size_t)ready;
    work->rows_done += ready;
    return img_watch_rows(work->watch, (uint64_t)ready);
}

/* Returns false if there is more output than expected, or it is invalid. */
static bool take_output(Work *work)
{
    size_t size = (size_t)(work->room.at - work->added);
    if (size > work->left)
        return false;
    work->left -= size;
    work->adler = libdeflate_adler32(work->adler, work->added, size);
    work->added = work->room.at;
    return undo_rows(work);
}

/* Makes room: moves the bytes that are still needed to the start. */
static void slide(Work *work)
{
    uint8_t *keep = work->room.begin;
    if (work->room.at - keep > IMG_INFLATE_WINDOW)
        keep = work->room.at - IMG_INFLATE_WINDOW;
    if (work->row < keep)
        keep = work->row;
    size_t shift = (size_t)(keep - work->buffer);
    memmove(work->buffer, keep, (size_t)(work->room.at - keep));
    work->room.begin = work->buffer;
    work->room.at -= shift;
    work->row -= shift;
    work->added = work->room.at;
}

static bool is_at_end(const Work *work, ImgInflateStop stop)
{
    if (work->segment->end == IMG_SEGMENT_OPEN)
        return stop == IMG_INFLATE_END;
    return stop == IMG_INFLATE_BLOCK && work->inflate.position == work->segment->end;
}

static bool inflate_all(Work *work, const ImgIdat *idat)
{
    bool has_end = work->segment->end != IMG_SEGMENT_OPEN;
    ImgInflateData data = img_idat_portion(idat, work->segment->start / 8, &work->scratch);
    for (;;) {
        set_limit(work);
        ImgInflateStop stop = img_inflate(&work->inflate, &data, &work->room, has_end);
        if (stop == IMG_INFLATE_DAMAGED || !take_output(work))
            return false;
        if (is_at_end(work, stop))
            return work->left == 0;
        if (stop == IMG_INFLATE_END || (has_end && work->inflate.position >= work->segment->end))
            return false;
        if (stop == IMG_INFLATE_NEED_INPUT)
            data = img_idat_portion(idat, work->inflate.position / 8, &work->scratch);
        if (stop == IMG_INFLATE_OUTPUT_FULL)
            slide(work);
    }
}

ImgSegmentTools *img_segment_tools_create(void)
{
    ImgSegmentTools *tools = malloc(sizeof *tools);
    if (tools != NULL) {
        tools->buffer = NULL;
        tools->capacity = 0;
    }
    return tools;
}

void img_segment_tools_free(ImgSegmentTools *tools)
{
    if (tools != NULL)
        free(tools->buffer);
    free(tools);
}

ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err)
{
    ImgStatus status = start(tools, job, segment, err);
    if (status == IMG_OK && !inflate_all(tools, job->idat))
        status = fail(err);
    if (status != IMG_OK)
        return status;
    int32_t last = segment->first_row + segment->rows;
    if (tools->band == NULL)
        img_pixels_settle(tools->pixels, last - 1, last);
    *adler = tools->adler;
    *end = tools->inflate.position;
    return IMG_OK;
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
