/* Reads and writes pictures in the simple PNM formats, for the programs that make pictures to
 * measure with. */
#ifndef IMGTOOL_TESTS_PEERS_PNM_H
#define IMGTOOL_TESTS_PEERS_PNM_H

#include <stdint.h>

/* A picture with the samples of the file: one byte each, or two bytes with the most significant
 * first. */
typedef struct Pnm {
    uint32_t width, height;
    uint32_t channels; /* number of channels, 1 or 3 */
    uint32_t bytes;    /* bytes per sample, 1 or 2 */
    uint8_t *data;
} Pnm;

/* Reads or writes a binary PGM or PPM (P5, P6) without comments. On failure both functions end the
 * program with a message. The caller frees `data`. */
Pnm pnm_read(const char *path);
void pnm_write(const char *path, const Pnm *pnm);

#endif
