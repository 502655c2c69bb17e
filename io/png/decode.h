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
    const ImgChunk *index; /* from img_png_index_find; NULL: none */
    ImgTeam *team;         /* supplies the threads; may be NULL */
    int threads;           /* at least 1 */
    size_t piece_bytes;    /* compressed bytes per piece of a speculative decoder, inflated bytes
                            * per portion of the pipeline; 0: the fastest size */
    const ImgPngStrategy
        *only;             /* for tests: use only this strategy, without a fallback; it fails with
                            * IMG_E_UNSUPPORTED for a file that it does not handle. NULL: choose */
    ImgProgress *progress; /* receives the progress; NULL: not wanted */
} ImgPngDecodeOptions;

/* Describes how a picture was decoded. */
typedef struct ImgPngDecodeReport {
    ImgPngStrategy strategy;
    const char *reason; /* reason for using libpng, for users: "interlaced"; else "" */
    int threads;
    size_t pieces;   /* pieces of the stream that were decoded independently */
    bool extra_data; /* data after the last row, or after the end of the stream, was dropped */
} ImgPngDecodeReport;

/* Decodes into `view`, which has the shape of the header. `data` passed img_png_header and
 * img_png_scan. Any damage is IMG_E_FORMAT; the pixels are undefined then. `report` may be NULL. */
ImgStatus img_png_decode_into(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* Like img_png_decode_into, but allocates the image; on failure `image` is IMG_IMAGE_NONE. */
ImgStatus img_png_decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                         const ImgPngDecodeOptions *options, ImgImage *image,
                         ImgPngDecodeReport *report, ImgError *err);

/* Returns true if a picture with this header can be decoded row by row, at the speed of our own
 * decoders. */
bool img_png_can_decode_rows(const ImgPngHeader *header);

/* Decodes row by row, with any strategy except strips. After IMG_E_FORMAT all rows passed to the
 * sink are invalid, and img_png_decode has the final verdict. For pictures of fewer than 8 bits
 * libpng decodes the rows, and its verdict is final. Fails with IMG_E_UNSUPPORTED for interlaced
 * pictures. */
ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* Returns the bytes of memory that decoding by rows needs besides the file. */
uint64_t img_png_rows_bytes(ImgShape shape);

/* Returns an upper bound of the bytes that decoding needs besides the file and the pixels. The
 * compressed stream has `stream_bytes`. */
uint64_t img_png_decode_bytes(ImgShape shape, uint64_t stream_bytes, int threads);

/* Returns "libpng", "in sequence", "pipelined", "by strips", "speculative" or "on the GPU". */
const char *img_png_strategy_name(ImgPngStrategy strategy);

#endif
