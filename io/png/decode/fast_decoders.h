/* Private to the decoder: the fast strategies. Each strategy fails with IMG_E_FORMAT as soon as it
 * finds an error; the pixels are then undefined.
 *
 * A piece is a section of the stream that is inflated without the data before it. A segment is such
 * a section that begins with a whole row, and its first row refers to no row above. A strip is a
 * segment that an index in the file lists. */
#ifndef IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H
#define IMGTOOL_IO_PNG_DECODE_FAST_DECODERS_H

#include "io/png/decode/band.h"
#include "io/png/decode/pixels.h"
#include "io/png/idat.h"
#include "io/png/index/index.h"
#include "io/png/progress.h"
#include "kernels/core/parallel/parallel.h"

/* The input of all strategies. The caller must have checked the two-byte zlib header of the stream.
 * The caller also checks the Adler-32 at the end of the stream. */
typedef struct ImgPngJob {
    const ImgIdat *idat;
    ImgPixels pixels; /* image to fill; has no memory if rows go to a sink */
    /* Passes rows to a sink. NULL: the rows are stored in the image. Must be NULL for decoding by
     * strips. */
    ImgBand *band;
    ImgTeam *team; /* existing threads to use instead of starting new ones; may be NULL */
    int threads;
    /* Size of a unit of work in bytes, as ImgPngDecodeOptions.piece_bytes (io/png/decode.h); 0
     * selects the fastest size. */
    uint64_t piece_bytes;
    uint64_t room;         /* memory for buffers in bytes; with less, smaller pieces are chosen */
    ImgProgress *progress; /* receives the progress, and can cancel the decoding; may be NULL */
} ImgPngJob;

#define IMG_SEGMENT_OPEN UINT64_MAX

/* A section of the compressed stream that can be inflated without the data before it. It contains
 * whole rows, and its first row does not refer to the row above. */
typedef struct ImgSegment {
    uint64_t start; /* bit position in the stream at which the first block starts */
    /* Bit position at which the block after the segment must start. IMG_SEGMENT_OPEN: the segment
     * ends with the last block of the stream. */
    uint64_t end;
    int32_t first_row, rows;
} ImgSegment;

/* Buffers of a thread that decodes segments. A thread uses them for one segment after another.
 * img_segment_tools_create returns NULL if memory is short. */
typedef struct ImgSegmentTools ImgSegmentTools;
ImgSegmentTools *img_segment_tools_create(void);
void img_segment_tools_free(ImgSegmentTools *tools);

/* Decodes a segment on the calling thread. Sets `*adler` to the Adler-32 of the inflated bytes.
 * Sets `*end` to the bit position in the stream at which the segment ended. */
ImgStatus img_segment_decode(const ImgPngJob *job, const ImgSegment *segment,
                             ImgSegmentTools *tools, uint32_t *adler, uint64_t *end, ImgError *err);

/* Prepares decoding a segment in parts: img_segment_rows then decodes as many rows as `to` has, in
 * order. `job` and `segment` are borrowed until the last row is decoded. With the last row of the
 * segment, checks its end; img_segment_end then returns the same as img_segment_decode. */
ImgStatus img_segment_begin(const ImgPngJob *job, const ImgSegment *segment, ImgSegmentTools *tools,
                            ImgError *err);
ImgStatus img_segment_rows(ImgSegmentTools *tools, const ImgIdat *idat, const ImgView *to,
                           ImgError *err);
void img_segment_end(const ImgSegmentTools *tools, uint32_t *adler, uint64_t *end);

/* Decodes the whole image on the calling thread. Sets `*adler` to the Adler-32 of all inflated
 * bytes, and `*end` to the bit position after the last block. */
ImgStatus img_sequence_decode(const ImgPngJob *job, uint32_t *adler, uint64_t *end, ImgError *err);

/* Returns the memory in bytes that one thread needs to decode segments of a picture of this
 * shape. */
uint64_t img_segment_bytes(ImgShape shape);

/* Decodes the strips of the whole image in parallel. Verifies the index: each strip must end
 * exactly where the next one starts. So the pixels are the same as with decoding in sequence. */
ImgStatus img_strips_decode(const ImgPngJob *job, const ImgPngIndex *index, uint32_t *adler,
                            uint64_t *end, ImgError *err);

/* Decodes the whole image as a pipeline: one thread inflates, the others unfilter. `first_bit` is
 * the bit position of the first block. */
ImgStatus img_pipeline_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                              uint64_t *end, ImgError *err);

/* Returns the memory in bytes that the pipeline needs. `filtered_row` is the size of a filtered row
 * in bytes. */
uint64_t img_pipeline_bytes(uint64_t filtered_row);

/* Decodes the whole image on job->threads threads, which inflate from guessed block starts and
 * verify them later. `first_bit` is the bit position of the first block. Sets `*pieces` to the
 * number of pieces that were inflated independently. Fails with IMG_E_FORMAT only if
 * img_sequence_decode would fail too. Fails with IMG_E_UNSUPPORTED if too few block starts were
 * found. */
ImgStatus img_speculative_decode(const ImgPngJob *job, uint64_t first_bit, uint32_t *adler,
                                 uint64_t *end, size_t *pieces, ImgError *err);

/* Returns the memory in bytes that speculative decoding needs if it may use `room` bytes. The
 * result can exceed `room`, because pieces have a smallest size. The stream has `stream_bytes`
 * bytes and inflates to `inflated` bytes. A filtered row has `filtered_row` bytes. */
uint64_t img_speculative_bytes(uint64_t stream_bytes, uint64_t inflated, size_t filtered_row,
                               int threads, uint64_t room);

#endif
