/* Private: writes a PNG whose compressed pixels are those of another file, without decoding or
 * encoding them. */
#ifndef IMGTOOL_IO_PNG_ENCODE_KEEP_H
#define IMGTOOL_IO_PNG_ENCODE_KEEP_H

#include "io/metadata/metadata.h"
#include "io/output/output.h"
#include "io/png/idat.h"
#include "kernels/core/image.h"

/* The file to write. All pointers are borrowed. */
typedef struct ImgPngKept {
    ImgShape shape; /* shape of the pixels */
    /* Metadata to write, except indexes. `interlaced` must be that of the file with the pixels. */
    const ImgMetadata *metadata;
    /* Indexes of the file with the pixels, which describe its IDAT chunks; NULL: write none. */
    const ImgMetadata *indexes;
    const ImgIdat *idat; /* the IDAT chunks to copy, which a decoder must have accepted */
} ImgPngKept;

/* Returns the size in bytes of the file that img_png_write_kept writes. */
uint64_t img_png_kept_bytes(const ImgPngKept *kept);

ImgStatus img_png_write_kept(const ImgPngKept *kept, ImgOutput *output, ImgError *err);

#endif
