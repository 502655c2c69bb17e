/* Private: decodes the pixels of a PNG in memory, with the fastest strategy that the file
 * allows. */
#ifndef IMGTOOL_IO_PNG_DECODE_H
#define IMGTOOL_IO_PNG_DECODE_H

#include "io/png/chunks.h"
#include "io/png/decode/strategy.h"
#include "io/png/progress.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/row_source.h"
#include "kernels/core/store.h"

typedef struct ImgPngDecodeOptions {
    /* The index of strips from img_png_index_find; NULL if the file has none. */
    const ImgChunk *index;
    ImgTeam *team; /* existing threads to use instead of starting new ones; may be NULL */
    int threads;   /* number of threads to use, at least 1 */
    /* Size of a unit of work in bytes; 0 selects the fastest size. For speculative decoding:
     * compressed bytes of a piece. For the pipeline: inflated bytes of a portion, which one thread
     * inflates at a time and other threads then unfilter. */
    size_t piece_bytes;
    /* Memory in bytes for the buffers of the decoder; 0: no limit. If this is little, speculative
     * decoding chooses smaller pieces, but its smallest pieces may still need more.
     * IMG_PNG_LEAST_ROOM excludes speculative decoding. */
    uint64_t room;
    /* For tests: the only strategy to try. If this strategy does not support the file, decoding
     * fails with IMG_E_UNSUPPORTED. NULL: the decoder chooses a strategy. */
    const ImgPngStrategy *only;
    ImgProgress *progress;   /* receives the progress, and can cancel the work; may be NULL */
    const ImgPieces *pieces; /* reads the file; NULL: it is in memory */
    ImgStore *store;         /* holds the pixels of the view; NULL: they are in memory */
} ImgPngDecodeOptions;

/* Describes how a picture was decoded. */
typedef struct ImgPngDecodeReport {
    ImgPngStrategy strategy;
    /* The reason why libpng was used, in words for the user, such as "interlaced". Empty if another
     * strategy was used. */
    const char *reason;
    int threads;
    size_t pieces; /* number of pieces of the compressed stream that were decoded independently */
    /* True if there was more data after the last row, or after the end of the compressed stream.
     * This data was ignored. */
    bool extra_data;
} ImgPngDecodeReport;

/* Decodes into `view`, which must have the width, height and format of the header. `data`, or the
 * file that options->pieces reads, must have been accepted by img_png_header and img_png_scan.
 * Fails with IMG_E_FORMAT if the image data is damaged; the pixels are then undefined. `report` may
 * be NULL. */
ImgStatus img_png_decode_into(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgView *view, ImgPngDecodeReport *report, ImgError *err);

/* Allocates an image and decodes into it as img_png_decode_into does. On failure `image` is
 * IMG_IMAGE_NONE. */
ImgStatus img_png_decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                         const ImgPngDecodeOptions *options, ImgImage *image,
                         ImgPngDecodeReport *report, ImgError *err);

/* Returns true if a picture with this header can be decoded row by row: if it is not interlaced. */
bool img_png_can_decode_rows(const ImgPngHeader *header);

/* Decodes row by row and passes each row to `sink`. May use any strategy except decoding by strips.
 * Fails with IMG_E_UNSUPPORTED for interlaced pictures.
 *
 * After IMG_E_FORMAT all rows that `sink` received are invalid, but the file need not be damaged:
 * only img_png_decode can determine that. Pictures with fewer than 8 bits per sample are decoded by
 * libpng, on one thread. */
ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err);

/* Decodes rows on request, in sequence, on the calling thread. */
typedef struct ImgPngRows ImgPngRows;

/* Returns true if rows of a picture with this header can be decoded on request: if it is not
 * interlaced and has at least 8 bits per sample. */
bool img_png_can_request_rows(const ImgPngHeader *header);

/* Prepares decoding a file for which img_png_can_request_rows returns true. `data` and what
 * `options` points to stay borrowed until img_png_rows_end, which must be called even after a
 * failure. Errors are those of img_png_decode_rows. */
ImgStatus img_png_rows_begin(const uint8_t *data, const ImgPngHeader *header,
                             const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                             ImgPngRows **rows, ImgError *err);

/* Decodes the next to->height rows (at least 1) into `to`. With the last row, checks the end of the
 * file. Errors are those of img_png_decode_rows. */
ImgStatus img_png_rows_next(ImgPngRows *rows, const ImgView *to, ImgError *err);

/* Frees `rows`, which may be NULL. */
void img_png_rows_end(ImgPngRows *rows);

/* Returns the memory in bytes that img_png_decode_rows needs besides the file. */
uint64_t img_png_rows_bytes(ImgShape shape);

/* Returns an upper bound of the memory in bytes that decoding needs besides the file and the
 * pixels. `room` is ImgPngDecodeOptions.room, and `stream_bytes` is the size of the compressed
 * stream in bytes. */
uint64_t img_png_decode_bytes(ImgShape shape, uint64_t stream_bytes, int threads, uint64_t room);

/* Returns the name of a strategy: "libpng", "in sequence", "pipelined", "by strips", "speculative"
 * or "on the GPU". */
const char *img_png_strategy_name(ImgPngStrategy strategy);

#endif
