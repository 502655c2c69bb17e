/* Declares the functions that draw the sample pictures and create their chunks. */
#ifndef IMGTOOL_SAMPLES_PICTURES_H
#define IMGTOOL_SAMPLES_PICTURES_H

#include "samples/png_file.h"

/* --- test_card.c: the picture on all small samples -------------------------------------------- */

/* Draws a letter F on a diagonal gradient, in any colour type and depth. All rotations and mirror
 * images of it look different, so a wrong rotation is visible at a glance. Adds a palette to
 * palette pictures. */
Picture test_card(uint32_t width, uint32_t height, int color, int depth);

/* Adds the tRNS chunk that suits the colour type: the colour of the letter, or increasing alpha
 * values for a palette. Must be called only for gray, RGB and palette pictures. */
void test_card_add_trns(Picture *picture);

/* --- landscape.c ------------------------------------------------------------------------------ */

/* Draws the large sample, an 8-bit RGB picture of a lake below mountains at sunset. */
Picture landscape(uint32_t width, uint32_t height);

/* --- rich_chunks.c: chunks of metadata.png and the orientation samples ------------------------ */

enum { RICH_CHUNKS_MAX = 20, EXIF_SIZE = 26 };

/* Fills `extras` with nearly every type of chunk that an RGB picture can have. Returns the number
 * of chunks. Their data is valid until the next call. */
size_t rich_chunks(PngExtra extras[RICH_CHUNKS_MAX]);

/* Writes a minimal eXIf chunk that contains only the orientation, in either byte order. */
void exif_make(uint8_t exif[EXIF_SIZE], int orientation, bool big_endian);

#endif
