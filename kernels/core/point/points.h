/* What a point operation does to a pixel, as a series of stages: tables, matrices and the like,
 * each of which rounds to whole samples. An operation only says its stages (ImgOp.points); loops
 * for the CPU, kernels for CUDA and the joining of neighbours in a pipeline are the same for all.
 *
 * Samples are whole numbers from 0 to 2^bits - 1, alpha is straight. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINTS_H
#define IMGTOOL_KERNELS_CORE_POINT_POINTS_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_POINT_STAGES_MAX = 20, IMG_POINT_CHANNELS = 4 };

typedef enum ImgPointKind {
    IMG_POINT_TABLE,  /* each sample becomes what its channel's table says */
    IMG_POINT_MATRIX, /* each new sample is a weighted sum of the pixel's, rounded and clamped */
    IMG_POINT_OVER,   /* the pixel over a background; alpha goes */
    IMG_POINT_PREMULTIPLY,   /* colours times alpha, rounded */
    IMG_POINT_UNPREMULTIPLY, /* colours divided by alpha, rounded and clamped; 0 where alpha is 0 */
    IMG_POINT_CUBE,          /* three colours become what a lattice of colours says */
    IMG_POINT_DITHER,        /* 16 bits become 8: colours by their place, alpha rounded */
} ImgPointKind;

/* out = clamp((sum of weight[i] * in[i] + offset) >> shift): weights with `shift` binary places,
 * offset with the half that rounds to nearest (ties up). */
typedef struct ImgPointSum {
    int64_t offset;
    int32_t weight[IMG_POINT_CHANNELS];
} ImgPointSum;

typedef struct ImgPointStage {
    ImgPointKind kind;
    int32_t from, to;                  /* channels before and after */
    int32_t from_bits, to_bits;        /* of samples; they differ for TABLE and DITHER */
    int32_t shift;                     /* MATRIX */
    int32_t is_narrow;                 /* MATRIX: no sum leaves 32 bits with a sign */
    int32_t table[IMG_POINT_CHANNELS]; /* TABLE: where the channel's 2^from_bits entries begin among
                                          all; -1: it is left alone. CUBE and DITHER: [0] alone,
                                          nodes and thresholds; nodes of a CUBE in an ImgPoints are
                                          `lent` under that number */
    uint16_t background[IMG_POINT_CHANNELS]; /* OVER */
    int32_t size;                            /* CUBE: nodes along an edge */
    ImgPointSum sum[IMG_POINT_CHANNELS];     /* MATRIX */
} ImgPointStage;

/* What operations add stages to. */
typedef struct ImgPoints {
    ImgFormat from, format; /* of pixels before all stages, and behind those there are */
    bool is_sketch;         /* for plans of memory: stages are as they will be, without entries */
    int32_t count, lent_count;
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
    const uint16_t *lent[IMG_POINT_STAGES_MAX]; /* nodes of lattices; borrowed */
    uint16_t *tables;                           /* of a sketch NULL */
    size_t entries, room;                       /* of tables, now and the most that there were */
} ImgPoints;

/* Channels without alpha: 1 or 3. */
static inline int32_t img_point_colors(ImgFormat format)
{
    return img_format_channels(format) - (img_format_has_alpha(format) ? 1 : 0);
}

/* Which channels a table is for. */
typedef enum ImgPointChannels { IMG_POINT_COLORS, IMG_POINT_ALL, IMG_POINT_EACH } ImgPointChannels;

/* Adds tables: one for all colours, one for all channels with alpha, or one for each colour, behind
 * each other. The caller fills them: 2^bits entries each, of the format so far, with samples of
 * `to_bits` (8 and 16 may change into each other with IMG_POINT_ALL only). NULL: there is nothing
 * to fill, and img_points_filled tells why. The pointer is good until the next stage is added. */
uint16_t *img_points_table(ImgPoints *points, ImgPointChannels which, int to_bits, ImgError *err);

/* The same for new values, of the depth so far, but of at least 8 bits: samples of fewer become
 * those of 8 first. points->format.bits is the depth of the table afterwards. */
uint16_t *img_points_values(ImgPoints *points, ImgPointChannels which, ImgError *err);

/* What a function that filled such a table returns; a sketch has no table to fill. */
static inline ImgStatus img_points_filled(const ImgPoints *points, const uint16_t *table)
{
    return table != NULL || points->is_sketch ? IMG_OK : IMG_E_MEMORY;
}

/* All samples become the nearest ones of another depth, 8 or 16 bits. */
ImgStatus img_points_depth(ImgPoints *points, int bits, ImgError *err);

/* A matrix of rows that each make a channel of `color` (not a palette): weights of the channels so
 * far and an offset in samples of which 2^bits - 1 is one, all in units of 2^-24. Weights lie
 * between -128 and 128, offsets between -1024 and 1024: else IMG_E_UNSUPPORTED. A sum is exact to
 * 0.01 of a sample before it is rounded. */
enum { IMG_POINT_ONE = 1 << 24 };
typedef struct ImgPointRow {
    int64_t weight[IMG_POINT_CHANNELS], offset;
} ImgPointRow;
ImgStatus img_points_matrix(ImgPoints *points, ImgColor color, const ImgPointRow *rows,
                            ImgError *err);

/* OVER, PREMULTIPLY and UNPREMULTIPLY, which need alpha; `background` of 16 bits, of OVER only. */
ImgStatus img_points_alpha(ImgPoints *points, ImgPointKind kind, const uint16_t *background,
                           ImgError *err);

/* A lattice of size^3 colours, red changing fastest: `nodes` has four numbers each, red, green,
 * blue and 0, of which 65535 is one. Between them colours are interpolated in tetrahedra: the sum
 * of the nodes on the way from the cell's darkest corner to its lightest, along the axis with the
 * largest fraction first, exact before it is rounded. Of RGB and RGBA of 8 or 16 bits; alpha stays.
 * Borrowed until img_points_pack has copied them. */
enum { IMG_POINT_CUBE_MOST = 129, IMG_POINT_NODE = 4 };
ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err);

/* Samples of 16 bits become 8, by ordered dithering: a colour becomes the next lower or the next
 * higher sample, whichever the threshold for its place says, so that over 8 x 8 pixels the mean of
 * equal ones is theirs. What 8 bits have exactly stays, such as black and white. Alpha is rounded.
 */
enum { IMG_POINT_DITHER_EDGE = 8, IMG_POINT_DITHER_STEP = 65535 / 255 };
ImgStatus img_points_dither(ImgPoints *points, ImgError *err);

/* No stages yet. Ends with img_points_free. */
ImgPoints img_points_start(ImgFormat from);
void img_points_free(ImgPoints *points);

/* Tables that follow each other become one, and what is left of them is given up. */
ImgStatus img_points_compose(ImgPoints *points, ImgError *err);

/* Adds the stages of steps, the first of which is a point operation: of as many as follow each
 * other and fit, which *joined says. *shape, at first of the source, becomes that of the result. */
ImgStatus img_points_join(const ImgStep *steps, size_t count, ImgPoints *points, ImgShape *shape,
                          size_t *joined, ImgError *err);

/* What implementations get: stages, and behind them in the same block their tables. */
typedef struct ImgPointProgram {
    ImgFormat from, to;
    int32_t count;
    int32_t tables_at; /* bytes from the program's start; a multiple of 256 */
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
} ImgPointProgram;

static inline const uint16_t *img_point_tables(const ImgPointProgram *program)
{
    return (const uint16_t *)((const char *)program + program->tables_at);
}

ImgStatus img_points_pack(const ImgPoints *points, ImgConstants *constants, ImgError *err);

/* What that makes, in bytes, of a sketch: at most, as tables may turn out to be equal. */
size_t img_points_packed_bytes(const ImgPoints *points);

/* numerator / denominator, which is positive, rounded to nearest, ties up, and clamped. */
static inline uint16_t img_point_rounded(int64_t numerator, int64_t denominator, int64_t maximum)
{
    if (numerator <= 0)
        return 0;
    const int64_t value = (2 * numerator + denominator) / (2 * denominator);
    return (uint16_t)(value < maximum ? value : maximum);
}

/* --- What descriptors share ------------------------------------------------------------------- */

/* ImgOp.prepare; makes nothing where the parameters make the operation none on points. */
ImgStatus img_point_prepare(const ImgOp *op, ImgShape src, const void *params,
                            ImgConstants *constants, ImgError *err);
extern const ImgImpl img_point_impls[];

/* The part of a descriptor that is the same for all point operations; `list`: implementations. */
#define IMG_POINT_OPERATION_BY(list)                                                               \
    .needs_channels = true, .prepare = img_point_prepare, .cpu_ns_per_byte = 0.1, .impls = (list)
#define IMG_POINT_OPERATION IMG_POINT_OPERATION_BY(img_point_impls)

/* Several point operations in one pass: not in the list of operations. */
extern const ImgOp img_op_points;

#ifdef __cplusplus
}
#endif
#endif
