/* Private to the decoder: its fast strategies. All of them fail with IMG_E_FORMAT at the first
 * doubt, and the pixels are undefined then. */
#ifndef IMGTOOL_IO_PNG_DECODE_STRATEGIES_H
#define IMGTOOL_IO_PNG_DECODE_STRATEGIES_H

#include "io/png/decode/band.h"
#include "io/png/decode/pixels.h"
#include "io/png/idat.h"
#include "io/png/index/index.h"
#include "io/png/watch.h"
#include "kernels/core/parallel/parallel.h"

/* What all strategies work on. The stream has a valid header of two bytes and four bytes at the
 * end, which are compared by the caller. */
typedef struct ImgPngJob {
    const ImgIdat *idat;
    ImgPixels pixels; /* without data where rows are handed on */
    ImgBand *band;    /* how they are, in sequence or by the pipeline; NULL: the image is filled */
    ImgTeam *team;    /* may be NULL */
    int threads;
    uint64_t piece_bytes; /* of the stream, from one entry to the next; 0: what is fastest */
    ImgWatch *watch;      /* may be NULL */
} ImgPngJob;

#define IMG_SEGMENT_OPEN UINT64_MAX

/* A part of the stream that can be inflated without what comes before it, and that holds whole
 * rows, of which the first refers to none above. */
typedef struct ImgSegment {
    uint64_t start; /* bits of the stream; a block starts there */
    uint64_t end;   /* where another one has to start, or IMG_SEGMENT_OPEN: after the last block */
    int32_t first_row, rows;
} ImgSegment;

/* What a thread needs for segments, one after another. NULL where there is no memory. */
typedef struct ImgSegmentTools ImgSegmentTools;
ImgSegmentTools *img_segment_tools_create(void);
void img_segment_tools_free(ImgSegmentTools *tools);

/* On the calling thread. Writes the Adler-32 of the inflated bytes, and the bit of the stream at
 * which it came to an end. */
ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err);

/* All of the image, on the calling thread. */
ImgStatus img_sequence_decode(const ImgPngJob *job, uint32_t *adler, uint64_t *end, ImgError *err);

/* Memory that decoding in sequence takes. */
uint64_t img_segment_bytes(ImgShape shape);

/* All of the image from a stream that can be entered at the places of the index, which is not
 * believed: each strip has to end just where the next one starts, so that the result is what
 * decoding in sequence gives. */
ImgStatus img_strips_decode(const ImgPngJob *job, const ImgPngIndex *index, uint32_t *adler,
                            uint64_t *end, ImgError *err);

/* All of the image, one thread inflating and the others undoing filters. */
ImgStatus img_pipeline_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                              uint64_t *end, ImgError *err);

/* Memory that it takes, with filtered rows of `filtered_row` bytes. */
uint64_t img_pipeline_bytes(uint64_t filtered_row);

/* All of the image, on job->threads threads. The first block starts at bit `first_bit`. Says at how
 * many places the stream was entered. Whatever it finds wrong, img_segment_decode finds wrong too.
 */
ImgStatus img_speculative_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                                 uint64_t *end, size_t *pieces, ImgError *err);

/* Memory that it takes for a stream of that many bytes that inflates to `inflated`, with filtered
 * rows of `filtered_row` bytes. */
uint64_t img_speculative_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row,
                               int threads);

#endif
