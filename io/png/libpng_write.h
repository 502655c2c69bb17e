/* Private: writing a PNG through libpng, with every other chunk exactly as it was read. */
#ifndef IMGTOOL_IO_PNG_LIBPNG_WRITE_H
#define IMGTOOL_IO_PNG_LIBPNG_WRITE_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/watch.h"
#include "kernels/core/image.h"

/* `level` is zlib's, 0..9. `watch`, which may be NULL, counts rows. Streams to
 * `output`: of the picture no more than a few rows are copied. */
ImgStatus img_libpng_encode(const ImgImage *image, const ImgMetadata *metadata, int level,
                            ImgWatch *watch, ImgOutput *output, ImgError *err);

/* What libpng takes for rows that long, at most. */
uint64_t img_libpng_encode_bytes(ImgShape shape);

#endif
