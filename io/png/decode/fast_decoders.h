/* Private to the decoder: the fast strategies. Each fails with IMG_E_FORMAT as soon as it finds an
 * error; the pixels are then undefined.
 *
 * A piece is a section of the stream that is inflated without the data before it. A segment is a
 * section of the stream that also starts at a row; its first row refers to no row above. A strip is
 * a segment that an index in the file lists. */
#ifndef IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H
#define IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H

#include "io/png/decode/band.h"
#include "io/png/decode/pixels.h"
#include "io/png/idat.h"
#include "io/png/index/index.h"
#include "io/png/progress.h"
#include "kernels/core/parallel/parallel.h"

/* The input of all strategies. The stream must have a valid two-byte header. The strategies do not
 * check the Adler-32 at its end; the caller does. */
typedef struct ImgPngJob {
    const ImgIdat *idat;
    ImgPixels pixels; /* image to fill; without memory if rows go to a sink */
    /* Passes rows to a sink; NULL: the image is filled. Only for decoding in sequence or
     * pipelined. */
    ImgBand *band;
    ImgTeam *team; /* threads that are reused; may be NULL */
    int threads;
    uint64_t piece_bytes;  /* compressed bytes of a piece; 0: the fastest size */
    ImgProgress *progress; /* may be NULL */
} ImgPngJob;

#define IMG_SEGMENT_OPEN UINT64_MAX

/* A section of the stream that can be inflated without the data before it. It holds whole rows, and
 * its first row refers to no row above. */
typedef struct ImgSegment {
    uint64_t start; /* bit position at which a block starts */
    /* Bit position at which another block must start; IMG_SEGMENT_OPEN: the end of the last
     * block. */
    uint64_t end;
    int32_t first_row, rows;
} ImgSegment;

/* Buffers in which a thread decodes one segment after another. img_segment_tools_create returns
 * NULL if memory is short. */
typedef struct ImgSegmentTools ImgSegmentTools;
ImgSegmentTools *img_segment_tools_create(void);
void img_segment_tools_free(ImgSegmentTools *tools);

/* Decodes a segment on the calling thread. Sets `*adler` to the Adler-32 of the inflated bytes, and
 * `*end` to the bit position at which inflating ended. */
ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err);

/* Decodes the whole image on the calling thread. */
ImgStatus img_sequence_decode(const ImgPngJob *job, uint32_t *adler, uint64_t *end, ImgError *err);

/* Returns the memory in bytes for decoding in sequence. */
uint64_t img_segment_bytes(ImgShape shape);

/* Decodes the whole image by the strips of the index, in parallel. Verifies the index: each strip
 * must end exactly where the next one starts, so that the result equals that of decoding in
 * sequence. */
ImgStatus img_strips_decode(const ImgPngJob *job, const ImgPngIndex *index, uint32_t *adler,
                            uint64_t *end, ImgError *err);

/* Decodes the whole image as a pipeline: one thread inflates, the others unfilter. The first block
 * starts at bit `first_bit`. */
ImgStatus img_pipeline_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                              uint64_t *end, ImgError *err);

/* Returns the memory in bytes for the pipeline, for filtered rows of `filtered_row` bytes. */
uint64_t img_pipeline_bytes(uint64_t filtered_row);

/* Decodes the whole image on job->threads threads by speculation. The first block starts at bit
 * `first_bit`. Sets `*pieces` to the number of pieces that were inflated independently. Rejects
 * only streams that img_segment_decode also rejects. */
ImgStatus img_speculative_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                                 uint64_t *end, size_t *pieces, ImgError *err);

/* Returns the memory in bytes for speculative decoding of a stream of `stream_bytes` bytes that
 * inflates to `inflated` bytes, with filtered rows of `filtered_row` bytes. */
uint64_t img_speculative_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row,
                               int threads);

#endif
