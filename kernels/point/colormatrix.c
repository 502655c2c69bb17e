/* colormatrix: any linear transformation of colours, given as a matrix. */
#include "kernels/point/points.h"

typedef struct Params {
    ImgNumbers matrix; /* weights of the matrix, in millionths, row by row */
} Params;

enum { UNIT = 1000000, MOST = 127 * UNIT };

static const ImgParam params[] = {
    {.name = "matrix",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, matrix),
     .default_value = "1,0,0,0,1,0,0,0,1",
     .min = -MOST,
     .max = MOST,
     .help = "numbers, row by row, separated by commas or semicolons. 9 numbers: 3 rows of "
             "R,G,B weights; 12: 3 rows of R,G,B,offset; 16: 4 rows of R,G,B,A; 20: 4 rows of "
             "R,G,B,A,offset. The default changes nothing"},
    {.name = NULL}};

/* Size of the matrix. `columns` includes the column of offsets. */
typedef struct Size {
    int32_t rows, columns, weights;
} Size;

static Size size_of(const Params *own)
{
    const int32_t count = own->matrix.count;
    if (count == 9 || count == 12)
        return (Size){3, count / 3, 3};
    return count == 16 || count == 20 ? (Size){4, count / 4, 4} : (Size){0, 0, 0};
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Size size = size_of(params_of_call);
    ImgStatus status = img_channels_shape(src, params_of_call, dst, err);
    if (status != IMG_OK)
        return status;
    if (size.rows == 0)
        return img_fail(err, IMG_E_USAGE,
                        "colormatrix: the matrix has %d numbers; give 9 (3 x 3), 12 (3 x 4), 16 (4 "
                        "x 4) or 20 (4 x 5), row by row",
                        ((const Params *)params_of_call)->matrix.count);
    if (src.format.color != IMG_COLOR_RGB && src.format.color != IMG_COLOR_RGBA)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "colormatrix: a gray picture has no colours to mix; use linear");
    if (size.rows == 4)
        dst->format.color = IMG_COLOR_RGBA;
    return IMG_OK;
}

static int64_t weight_of(int32_t millionths)
{
    const int64_t doubled = (int64_t)millionths * 2 * IMG_POINT_ONE;
    return (doubled + (millionths < 0 ? -UNIT : UNIT)) / (2 * UNIT);
}

/* Adds the matrix to `points`. Pictures without alpha count as opaque, so the weight of alpha is
 * added to the offset. */
static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    const Size size = size_of(own);
    const bool has_alpha = img_format_has_alpha(points->format);
    ImgPointRow rows[4] = {{{0}, 0}, {{0}, 0}, {{0}, 0}, {{0, 0, 0, IMG_POINT_ONE}, 0}};
    for (int32_t i = 0; i < size.rows; i++) {
        rows[i].weight[3] = 0;
        for (int32_t k = 0; k < size.columns; k++) {
            const int64_t weight = weight_of(own->matrix.values[i * size.columns + k]);
            if (k < 3 || (k < size.weights && has_alpha))
                rows[i].weight[k] = weight;
            else
                rows[i].offset += weight;
        }
    }
    return img_points_matrix(points, size.rows == 4 ? IMG_COLOR_RGBA : points->format.color, rows,
                             err);
}

const ImgOp img_op_colormatrix = {
    .name = "colormatrix",
    .group = IMG_GROUP_TONE,
    .synopsis = "Mix channels by a matrix",
    .help = "Each row of the matrix gives one channel of the result: the weighted sum of red, "
            "green, blue and, with four weights, alpha. If the row has an offset, it is added; "
            "1 is the full range. Results are rounded and clamped.\n\n"
            "Three rows keep alpha. Four rows compute it, too, and a picture without alpha "
            "counts as opaque. Numbers are rounded to millionths. Gray pictures are "
            "rejected, because they have no colours to mix; use linear.",
    .example = "--matrix '0.393,0.769,0.189;0.349,0.686,0.168;0.272,0.534,0.131'",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
