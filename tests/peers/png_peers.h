/* Other PNG decoders, as their documentation uses them, in memory: to pixels that are allocated,
 * packed, to be freed. NULL after a message on stderr, or where the library was not there at build
 * time. */
#ifndef IMGTOOL_TESTS_PEERS_PNG_PEERS_H
#define IMGTOOL_TESTS_PEERS_PNG_PEERS_H

#include <stdbool.h>

#include "tests/peers/png_ours.h"

/* Of 8 or 16 bits, in native byte order; `rgba`: as RGBA of 8 bits, else as the file has them. */
typedef uint8_t *PeerDecode(const File *file, ImgShape shape, bool rgba);

PeerDecode peer_libpng, peer_spng, peer_lodepng, peer_stb;

bool peer_has_spng(void), peer_has_lodepng(void), peer_has_stb(void);

#endif
