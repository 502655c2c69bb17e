/* Random numbers, contents of pictures that reveal wrong kernels, and random values of parameters
 * (draw.c, draw_file.c). */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FILL_H
#define IMGTOOL_TESTS_CHECKKERNELS_FILL_H

#include "kernels/core/image.h"
#include "kernels/core/params.h"

/* The random generator xorshift64* (Vigna 2016). Equal seeds give equal numbers on every machine.
 * The state is never 0. */
typedef struct Random {
    uint64_t state;
} Random;

uint64_t random_next(Random *random);

/* Returns a generator of random numbers. Generators with different `seed` or `stream` give
 * independent numbers. */
Random random_start(uint64_t seed, uint64_t stream);

/* Returns a random number from 0 to `bound` - 1. */
uint32_t random_below(Random *random, uint32_t bound);

typedef enum Fill {
    FILL_RANDOM,
    /* each pixel encodes its position, so a pixel that is copied from a wrong position always
     * shows */
    FILL_PLACE,
    FILL_BRIGHT, /* all bits are set, except in the first and last pixel of each row */
    FILL_COUNT,
} Fill;

const char *fill_name(Fill fill);
void fill_view(const ImgView *view, Fill fill, Random *random);

/* --- Random values of parameters -------------------------------------------------------------- */

/* Writes a random value of `param` to `text`, as a user would type it. The value suits a picture of
 * this shape. `defaults` are the default parameters of the operation. `param` must be neither a
 * choice, because all choices are tried, nor a file, because draw_file makes files. */
void draw_value(const ImgParam *param, ImgShape shape, const ImgParams *defaults, Random *random,
                char text[IMG_PARAM_TEXT]);

/* Sets a parameter of type IMG_PARAM_FILE to one of a few files. The files are made in memory and
 * stay there until the program ends. */
void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params);

#endif
