/* The matrix that the round-trip tests walk: every colour type, depth, interlacing and tRNS, and
 * for each every operation, with what it must do to a pixel written down once more, on its own. */
#ifndef IMGTOOL_TESTS_MATRIX_H
#define IMGTOOL_TESTS_MATRIX_H

#include "samples/png_file.h"

typedef struct Input {
    char name[64]; /* "rgb-8-interlaced-trns": a file name without extension */
    const PngKind *kind;
    bool interlaced, trns;
    uint32_t width, height;
} Input;

enum { INPUTS_MAX = 128, CROP_X = 3, CROP_Y = 2, CROP_WIDTH = 17, CROP_HEIGHT = 9 };

/* Fills the list for pictures of this size; returns how many there are. */
size_t matrix_inputs(uint32_t width, uint32_t height, Input inputs[INPUTS_MAX]);

/* Draws it: noise over a test card, so that neighbouring pixels differ. Free `samples`. */
Picture matrix_draw(const Input *input);

typedef struct Point {
    uint32_t x, y;
} Point;

typedef struct Operation {
    const char *name;         /* "rotate-90": part of a file name */
    const char *arguments[6]; /* of imgtool, NULL-terminated */
    const char *peer[6];      /* of ImageMagick and GraphicsMagick for the same, NULL-terminated */
    bool swaps;               /* width and height change places */
    /* Where in the source, of w by h pixels, the pixel p of the result lies. */
    Point (*from)(Point p, uint32_t w, uint32_t h);
} Operation;

extern const Operation operations[];
extern const size_t operation_count;

/* Crop needs a picture that its rectangle fits into. */
bool operation_applies(const Operation *operation, const Input *input);

/* What the operation must make of the picture. Free `samples`. */
Picture operation_expect(const Operation *operation, const Picture *source);

#endif
