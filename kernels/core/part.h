/* Parts of a result: which rectangle of the source gives some rows, or a rectangle, of the result.
 * With them, the executor processes a picture in bands of rows. */
#ifndef IMGTOOL_KERNELS_CORE_PART_H
#define IMGTOOL_KERNELS_CORE_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/impl.h"
#include "kernels/core/param_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A range of rows of a picture, from `first` up to but not including `end`. */
typedef struct ImgRows {
    int32_t first, end;
} ImgRows;

/* A rectangle of pixels. (`x`, `y`) is its upper left corner. */
typedef struct ImgRect {
    int32_t x, y, width, height;
} ImgRect;

/* The computation of some rows of a result from a part of the source. The operation runs with
 * `params` on the rectangle `src` of the source, with the function `run` of any implementation. Its
 * result contains the wanted rows from row `skip` on; rows before and after them are not used. */
typedef struct ImgPart {
    ImgRect src;
    int32_t skip;
    ImgParams params;
} ImgPart;

/* How to compute a picture in parts. A point operation needs none of these functions. Any other
 * operation without them runs on whole pictures only. */
typedef struct ImgOpBands {
    /* Describes in *part how to compute the rows `wanted` of the result from a rectangle of the
     * source. Before the call, *part describes the computation of the whole result with `params`;
     * the function changes what differs for the part. The rectangle is as small as possible, but
     * never empty. ImgOp.shape must accept it with the parameters of the part. The result of the
     * part must contain the wanted rows, and have the width and the format of the whole result. The
     * constants of the whole picture must be right for the part too, unless there is
     * `part_constants`. Returns false if these rows cannot be computed from a part. NULL means that
     * a point operation reads the rows `wanted` of the source, and that any other operation has no
     * parts. Call img_op_part instead. */
    bool (*part)(ImgShape src, const void *params, ImgRows wanted, ImgPart *part);
    /* Like `part`, but for a rectangle `wanted` of the result (a tile), which becomes the whole
     * result of the part. Needed by operations in which a long row depends on a slanted strip of
     * the source, which only a large rectangle contains. A small tile depends on a small rectangle.
     * Returns false if whole rows depend on small rectangles too. NULL means always false. Call
     * img_op_tile instead. */
    bool (*tile)(ImgShape src, const void *params, ImgRect wanted, ImgPart *part);
    /* Computes the constants of a part from the constants `whole` of the whole picture, which has
     * the shape `src`. NULL means that all parts use the constants of the whole picture. Call
     * img_op_part_constants instead. */
    ImgStatus (*part_constants)(ImgShape src, const ImgPart *part, const ImgConstants *whole,
                                ImgConstants *constants, ImgError *err);
} ImgOpBands;

/* Operations that keep the position of pixels have parts that start at a multiple of this number of
 * rows. So patterns that repeat every few rows, such as dithering, do not shift. */
enum { IMG_ROWS_STEP = 8 };

/* Describes in *part how to compute the rows `wanted` of the result from a rectangle of the source.
 * The constants of the part come from img_op_part_constants. Returns false if these rows cannot be
 * computed from a part. Before the files of a step are loaded, the rectangle is right, but the
 * parameters of the part may be wrong. */
bool img_op_part(const ImgOp *op, ImgShape src, const void *params, ImgRows wanted, ImgPart *part);

/* Like img_op_part, but for the rectangle `wanted` of the result (a tile). The result of the part
 * is only this rectangle, and `skip` is 0. Returns false if the operation has no tiles with these
 * parameters; img_op_part may succeed then. */
bool img_op_tile(const ImgOp *op, ImgShape src, const void *params, ImgRect wanted, ImgPart *part);

/* Sets *constants to the constants of a part or a tile, which the caller releases. If it sets them
 * to zeros, the part needs the constants of the whole picture. `whole` must come from
 * img_op_prepare with the whole picture's shape `src` and parameters. */
ImgStatus img_op_part_constants(const ImgOp *op, ImgShape src, const ImgPart *part,
                                const ImgConstants *whole, ImgConstants *constants, ImgError *err);

/* Implements ImgOp.bands.part for operations that keep the position of pixels: the rows `wanted` of
 * the result depend on the rows `needed` of the source, which contain them. Rounds the first row
 * down to a multiple of IMG_ROWS_STEP. Returns true. */
bool img_part_of_rows(ImgRows needed, ImgRows wanted, ImgPart *part);

#ifdef __cplusplus
}
#endif
#endif
