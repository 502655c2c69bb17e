/* Private: decoding the pixels of a PNG in memory, by the fastest strategy that the file allows. */
#ifndef IMGTOOL_IO_PNG_DECODE_H
#define IMGTOOL_IO_PNG_DECODE_H

#include "io/png/chunks.h"
#include "io/png/decode/path.h"
#include "io/png/watch.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/row_sink.h"

typedef struct ImgPngDecodeOptions {
    const ImgChunk *index;  /* from img_png_index_find; NULL: there is none */
    ImgTeam *team;          /* where threads come from; may be NULL */
    int threads;            /* at least 1 */
    size_t piece_bytes;     /* compressed bytes from one entry to the next, inflated ones of a
                             * portion of the pipeline; 0: what is fastest */
    const ImgPngPath *only; /* NULL, or a strategy for tests: where it fails, so does the decoder,
                             * with IMG_E_UNSUPPORTED for what it does not do. */
    ImgWatch *watch;        /* NULL: nobody asks how far it is */
} ImgPngDecodeOptions;

/* How it went. */
typedef struct ImgPngDecodeReport {
    ImgPngPath path;
    const char *reason; /* why by libpng, for users: "interlaced"; else "" */
    int threads;
    size_t pieces;   /* how many places of the stream were entered */
    bool extra_data; /* past the last row, or past the end of the stream: dropped */
} ImgPngDecodeReport;

/* `data` passed img_png_header and img_png_scan. Any damage is IMG_E_FORMAT; the pixels of `view`,
 * which has the shape of the header, are undefined then. `report` may be NULL. */
ImgStatus img_png_decode_into(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* The same to an image of its own; on failure `image` is IMG_IMAGE_NONE. */
ImgStatus img_png_decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                         const ImgPngDecodeOptions *options, ImgImage *image,
                         ImgPngDecodeReport *report, ImgError *err);

/* May its rows be handed on as they are decoded, at the speed of ours, as far as the header says?
 */
bool img_png_comes_by_rows(const ImgPngHeader *header);

/* The same row by row, by all strategies but strips. Any doubt is IMG_E_FORMAT, after which all
 * that the sink got is void, and img_png_decode has the verdict. Of fewer than 8 bits libpng gives
 * the rows, and its verdict. IMG_E_UNSUPPORTED for interlaced pictures, which have none. */
ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* How much memory that takes beside the file. */
uint64_t img_png_rows_bytes(ImgShape shape);

/* About how much memory that takes beside the file and the pixels, at most; the stream has
 * `stream_bytes`. */
uint64_t img_png_decode_bytes(ImgShape shape, uint64_t stream_bytes, int threads);

/* "libpng", "in sequence", "pipelined", "by strips", "speculative", "on the GPU". */
const char *img_png_path_name(ImgPngPath path);

#endif
