/* Pictures in the simplest of formats, for the programs that make images to measure with. */
#ifndef IMGTOOL_TESTS_PEERS_PNM_H
#define IMGTOOL_TESTS_PEERS_PNM_H

#include <stdint.h>

/* Samples as in the file: one byte each, or two with the high one first. */
typedef struct Pnm {
    uint32_t width, height;
    uint32_t channels; /* 1 or 3 */
    uint32_t bytes;    /* a sample: 1 or 2 */
    uint8_t *data;
} Pnm;

/* Binary PGM or PPM (P5, P6) without comments. Both end the program with a message on failure; free
 * `data`. */
Pnm pnm_read(const char *path);
void pnm_write(const char *path, const Pnm *pnm);

#endif
