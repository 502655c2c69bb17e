/* The matrix of the round-trip tests: every colour type, bit depth, interlacing and tRNS, and every
 * operation for each. The effect of an operation on a pixel is written down here independently of
 * imgtool. */
#ifndef IMGTOOL_TESTS_ROUNDTRIP_MATRIX_H
#define IMGTOOL_TESTS_ROUNDTRIP_MATRIX_H

#include "samples/png_file.h"

typedef struct Input {
    char name[64]; /* name of the file without extension, such as "rgb-8-interlaced-trns" */
    const PngKind *kind;
    bool interlaced, trns;
    uint32_t width, height;
} Input;

enum { INPUTS_MAX = 128, CROP_X = 3, CROP_Y = 2, CROP_WIDTH = 17, CROP_HEIGHT = 9 };

/* Fills the list with all inputs of this size. Returns their number. */
size_t matrix_inputs(uint32_t width, uint32_t height, Input inputs[INPUTS_MAX]);

/* Draws an input: noise over a test card, so that neighbouring pixels differ. The caller frees
 * `samples`. */
Picture matrix_draw(const Input *input);

typedef struct Point {
    uint32_t x, y;
} Point;

typedef struct Operation {
    const char *name;         /* part of the result's file name, such as "rotate-90" */
    const char *arguments[6]; /* arguments for imgtool, NULL-terminated */
    /* arguments with the same effect for ImageMagick and GraphicsMagick, NULL-terminated */
    const char *peer[6];
    /* true if the operation exchanges width and height */
    bool swaps;
    /* Returns the position in a source of w by h pixels from which pixel `p` of the result
     * comes. */
    Point (*from)(Point p, uint32_t w, uint32_t h);
} Operation;

extern const Operation operations[];
extern const size_t operation_count;

/* Returns true if the operation can be applied to the input. Crop needs a picture that contains its
 * rectangle. */
bool operation_applies(const Operation *operation, const Input *input);

/* Returns the expected result of the operation on `source`. The caller frees `samples`. */
Picture operation_expect(const Operation *operation, const Picture *source);

#endif
