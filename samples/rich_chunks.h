/* Ancillary chunks for samples/metadata.png and the orientation samples. */
#ifndef IMGTOOL_SAMPLES_RICH_CHUNKS_H
#define IMGTOOL_SAMPLES_RICH_CHUNKS_H

#include "samples/png_file.h"

enum { RICH_CHUNKS_MAX = 20, EXIF_SIZE = 26 };

/* Fills `extras` with nearly every chunk that an RGB picture can have. Returns their number. Their
 * data are valid until the next call. */
size_t rich_chunks(PngExtra extras[RICH_CHUNKS_MAX]);

/* Writes a minimal eXIf with only the orientation, in either byte order. */
void exif_make(uint8_t exif[EXIF_SIZE], int orientation, bool big_endian);

#endif
