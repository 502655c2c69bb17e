/* Private to the decoder: the fast strategies. Each fails with IMG_E_FORMAT as soon as anything
 * looks wrong; the pixels are undefined then. */
#ifndef IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H
#define IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H

#include "io/png/decode/band.h"
#include "io/png/decode/pixels.h"
#include "io/png/idat.h"
#include "io/png/index/index.h"
#include "io/png/progress.h"
#include "kernels/core/parallel/parallel.h"

/* The input of all strategies. The stream has a valid two-byte header. The caller compares the four
 * bytes at its end. */
typedef struct ImgPngJob {
    const ImgIdat *idat;
    ImgPixels pixels; /* without pixels if rows go to a sink */
    ImgBand *band; /* passes rows to a sink (in sequence or pipelined); NULL: the image is filled */
    ImgTeam *team; /* may be NULL */
    int threads;
    uint64_t piece_bytes;  /* bytes of the stream per piece; 0: the fastest size */
    ImgProgress *progress; /* may be NULL */
} ImgPngJob;

#define IMG_SEGMENT_OPEN UINT64_MAX

/* A part of the stream that can be inflated without the data before it. It holds whole rows, and
 * its first row refers to none above. */
typedef struct ImgSegment {
    uint64_t start; /* bit position; a block starts there */
    uint64_t end;   /* where another block must start; IMG_SEGMENT_OPEN: after the last block */
    int32_t first_row, rows;
} ImgSegment;

/* Buffers that a thread needs to decode segments one after another. NULL if memory is short. */
typedef struct ImgSegmentTools ImgSegmentTools;
ImgSegmentTools *img_segment_tools_create(void);
void img_segment_tools_free(ImgSegmentTools *tools);

/* Decodes a segment on the calling thread. Writes the Adler-32 of the inflated bytes and the bit
 * position where inflating ended. */
ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err);

/* Decodes the whole image on the calling thread. */
ImgStatus img_sequence_decode(const ImgPngJob *job, uint32_t *adler, uint64_t *end, ImgError *err);

/* Returns the bytes of memory that decoding in sequence needs. */
uint64_t img_segment_bytes(ImgShape shape);

/* Decodes the whole image, one strip of the index per task. The index is verified: each strip must
 * end exactly where the next one starts, so that the result equals decoding in sequence. */
ImgStatus img_strips_decode(const ImgPngJob *job, const ImgPngIndex *index, uint32_t *adler,
                            uint64_t *end, ImgError *err);

/* Decodes the whole image: one thread inflates, the others unfilter. */
ImgStatus img_pipeline_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                              uint64_t *end, ImgError *err);

/* Returns the bytes of memory that the pipeline needs, for filtered rows of `filtered_row`
 * bytes. */
uint64_t img_pipeline_bytes(uint64_t filtered_row);

/* Decodes the whole image on job->threads threads. The first block starts at bit `first_bit`.
 * *pieces is the number of pieces that were inflated independently. It rejects only what
 * img_segment_decode rejects too. */
ImgStatus img_speculative_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                                 uint64_t *end, size_t *pieces, ImgError *err);

/* Returns the bytes of memory for a stream of `stream_bytes` that inflates to `inflated` bytes,
 * with filtered rows of `filtered_row` bytes. */
uint64_t img_speculative_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row,
                               int threads);

#endif
