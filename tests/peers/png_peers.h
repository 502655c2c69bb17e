/* PNG decoders of other libraries, used in the way that their documentation shows. They decode from
 * memory, and return packed pixels, which the caller frees. They return NULL after a message on
 * stderr, or if the library was missing at build time. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_PEERS_H
#define IMGTOOL_TESTS_PEERS_PNG_PEERS_H

#include <stdbool.h>

#include "tests/peers/png_ours.h"

/* Decodes a PNG file of the given shape. If `rgba` is true, the pixels are RGBA with 8 bits per
 * sample. Otherwise they have the format of the file; samples of 16 bits are in native byte
 * order. */
typedef uint8_t *PeerDecode(const File *file, ImgShape shape, bool rgba);

PeerDecode peer_libpng, peer_spng, peer_lodepng, peer_stb;

bool peer_has_spng(void), peer_has_lodepng(void), peer_has_stb(void);

#endif
