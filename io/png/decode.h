/* Private: decodes the pixels of a PNG in memory, with the fastest strategy that the file
 * allows. */
#ifndef IMGTOOL_IO_PNG_DECODE_H
#define IMGTOOL_IO_PNG_DECODE_H

#include "io/png/chunks.h"
#include "io/png/decode/strategy.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/row_sink.h"

typedef struct ImgPngDecodeOptions {
    const ImgChunk *index; /* the index of strips, from img_png_index_find; NULL: none */
    ImgTeam *team;         /* supplies the threads; may be NULL */
    int threads;           /* at least 1 */
    /* Size of a unit of work; 0: the fastest size. Compressed bytes per piece for speculative
     * decoding, inflated bytes per portion for the pipeline. */
    size_t piece_bytes;
    /* For tests: the only strategy to use, without a fallback; it fails with IMG_E_UNSUPPORTED
     * if it does not support the file. NULL: choose a strategy. */
    const ImgPngStrategy *only;
    ImgProgress *progress; /* receives the progress; NULL: not wanted */
} ImgPngDecodeOptions;

/* Describes how a picture was decoded. */
typedef struct ImgPngDecodeReport {
    ImgPngStrategy strategy;
    /* Reason for using libpng, for the user: "interlaced"; "" if another strategy was used. */
    const char *reason;
    int threads;
    size_t pieces; /* number of pieces of the stream that were decoded independently */
    /* True if data after the last row, or after the end of the stream, was dropped. */
    bool extra_data;
} ImgPngDecodeReport;

/* Decodes into `view`, which must have the shape of the header. `data` must have passed
 * img_png_header and img_png_scan. Fails with IMG_E_FORMAT for any damage; the pixels are then
 * undefined. `report` may be NULL. */
ImgStatus img_png_decode_into(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* Decodes as img_png_decode_into does, into an image that it allocates. On failure `image` is
 * IMG_IMAGE_NONE. */
ImgStatus img_png_decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                         const ImgPngDecodeOptions *options, ImgImage *image,
                         ImgPngDecodeReport *report, ImgError *err);

/* Returns true if a picture with this header can be decoded row by row with our own decoders, which
 * are fast. */
bool img_png_can_decode_rows(const ImgPngHeader *header);

/* Decodes row by row, with any strategy except strips. Fails with IMG_E_UNSUPPORTED for interlaced
 * pictures.
 *
 * After IMG_E_FORMAT all rows passed to the sink are invalid; img_png_decode then decides whether
 * the file is damaged. Exception: for pictures of fewer than 8 bits libpng decodes the rows, and
 * its decision is final. */
ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* Returns the memory in bytes for decoding by rows, besides the file. */
uint64_t img_png_rows_bytes(ImgShape shape);

/* Returns an upper bound of the memory in bytes for decoding, besides the file and the pixels. The
 * compressed stream has `stream_bytes` bytes. */
uint64_t img_png_decode_bytes(ImgShape shape, uint64_t stream_bytes, int threads);

/* Returns the name of a strategy: "libpng", "in sequence", "pipelined", "by strips", "speculative"
 * or "on the GPU". */
const char *img_png_strategy_name(ImgPngStrategy strategy);

#endif
