/* Point operations as a series of stages: tables, matrices and the like, each of which rounds to
 * whole samples. An operation only defines its stages (ImgOp.points). CPU loops, CUDA kernels and
 * the merging of neighbours in a pipeline are shared.
 *
 * Samples are integers from 0 to 2^bits - 1; alpha is straight. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINTS_H
#define IMGTOOL_KERNELS_CORE_POINT_POINTS_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_POINT_STAGES_MAX = 20, IMG_POINT_CHANNELS = 4 };

typedef enum ImgPointKind {
    IMG_POINT_TABLE, /* each sample is looked up in the table of its channel */
    /* each new sample is a weighted sum of the pixel's samples, rounded and clamped */
    IMG_POINT_MATRIX,
    IMG_POINT_OVER,        /* the pixel is composed over a background, and alpha is removed */
    IMG_POINT_PREMULTIPLY, /* colours are multiplied by alpha, rounded */
    /* colours are divided by alpha, rounded and clamped; 0 where alpha is 0 */
    IMG_POINT_UNPREMULTIPLY,
    IMG_POINT_CUBE, /* three colours are looked up in a lattice of colours */
    /* samples of 16 bits become 8 bits: colours are dithered by their position, alpha is rounded */
    IMG_POINT_DITHER,
} ImgPointKind;

/* out = clamp((sum of weight[i] * in[i] + offset) >> shift). Weights have `shift` binary places.
 * The offset includes the half that makes the shift round to nearest, ties up. */
typedef struct ImgPointSum {
    int64_t offset;
    int32_t weight[IMG_POINT_CHANNELS];
} ImgPointSum;

typedef struct ImgPointStage {
    ImgPointKind kind;
    int32_t from, to; /* channels before and after */
    /* bits of samples before and after; they differ only for TABLE and DITHER */
    int32_t from_bits, to_bits;
    int32_t shift;     /* for MATRIX: binary places of the weights */
    int32_t is_narrow; /* for MATRIX: not 0 if all sums fit 32 bits with a sign */
    /* For TABLE: index of the first of the channel's 2^from_bits entries, or -1 if the channel does
     * not change. For CUBE and DITHER, only [0] is used, for the nodes or the thresholds. In an
     * ImgPoints, the nodes of a CUBE are lattices[table[0]]. */
    int32_t table[IMG_POINT_CHANNELS];
    uint16_t background[IMG_POINT_CHANNELS]; /* for OVER: sample of each channel */
    int32_t size;                            /* for CUBE: number of nodes along an edge */
    ImgPointSum sum[IMG_POINT_CHANNELS];     /* for MATRIX: one sum per new channel */
} ImgPointStage;

/* Stages under construction, to which operations add. */
typedef struct ImgPoints {
    /* formats of pixels before all stages, and after the last stage so far */
    ImgFormat from, format;
    /* true: only for planning memory; the stages are final, but tables have no entries */
    bool is_sketch;
    int32_t count, lattice_count;
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
    const uint16_t *lattices[IMG_POINT_STAGES_MAX]; /* nodes of the lattices; borrowed */
    uint16_t *tables;                               /* entries of all tables; NULL in a sketch */
    /* number of entries: used now, and the largest so far */
    size_t entries, room;
} ImgPoints;

/* Returns the number of channels without alpha: 1 or 3. */
static inline int32_t img_point_colors(ImgFormat format)
{
    return img_format_channels(format) - (img_format_has_alpha(format) ? 1 : 0);
}

/* The channels to which a table applies. */
typedef enum ImgPointChannels { IMG_POINT_COLORS, IMG_POINT_ALL, IMG_POINT_EACH } ImgPointChannels;

/* Adds tables: one for all colours, one for all channels with alpha, or one for each colour, one
 * after another. The caller must fill the 2^bits entries of each, for the format so far, with
 * samples of `to_bits` bits. 8 and 16 bits may change into each other only with IMG_POINT_ALL.
 * Returns NULL if there is nothing to fill; img_points_filled then returns the reason. The pointer
 * is valid until the next stage is added. */
uint16_t *img_points_table(ImgPoints *points, ImgPointChannels which, int to_bits, ImgError *err);

/* Does the same as img_points_table, for new values of at least 8 bits: samples of fewer bits are
 * scaled to 8 first. Afterwards points->format.bits is the depth of the table. */
uint16_t *img_points_values(ImgPoints *points, ImgPointChannels which, ImgError *err);

/* Returns the status for a function that has filled such a table. A sketch has no table to fill. */
static inline ImgStatus img_points_filled(const ImgPoints *points, const uint16_t *table)
{
    return table != NULL || points->is_sketch ? IMG_OK : IMG_E_MEMORY;
}

/* Adds the conversion of all samples to the nearest ones of 8 or 16 bits. */
ImgStatus img_points_depth(ImgPoints *points, int bits, ImgError *err);

/* Adds a matrix. Each row makes one channel of `color` (not a palette) from the weights of the
 * channels so far and an offset. All are in units of 2^-24, and offsets are relative to the maximum
 * 2^bits - 1. Weights lie between -128 and 128 and offsets between -1024 and 1024; otherwise it
 * returns IMG_E_UNSUPPORTED. A sum is exact to 0.01 of a sample before it is rounded. */
enum { IMG_POINT_ONE = 1 << 24 };
typedef struct ImgPointRow {
    int64_t weight[IMG_POINT_CHANNELS], offset;
} ImgPointRow;
ImgStatus img_points_matrix(ImgPoints *points, ImgColor color, const ImgPointRow *rows,
                            ImgError *err);

/* Adds OVER, PREMULTIPLY or UNPREMULTIPLY; the format must have alpha. `background` has 16 bits per
 * component, and is for OVER only. */
ImgStatus img_points_alpha(ImgPoints *points, ImgPointKind kind, const uint16_t *background,
                           ImgError *err);

/* Adds a lattice of size^3 colours, in which red changes fastest. `nodes` has four numbers for
 * each: red, green, blue and 0, where 65535 stands for one. Colours in between are interpolated in
 * tetrahedra: along the path of nodes from the darkest to the lightest corner of the cell. The path
 * takes the axis with the largest fraction first. The sum is exact before it is rounded. For RGB
 * and RGBA of 8 or 16 bits; alpha is unchanged. Nodes are borrowed until img_points_pack has copied
 * them. */
enum { IMG_POINT_CUBE_MOST = 129, IMG_POINT_NODE = 4 };
ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err);

/* Adds ordered dithering from 16 to 8 bits. The threshold of a colour's position decides whether it
 * becomes the next lower or the next higher sample. The mean of equal colours over 8 x 8 pixels is
 * preserved. Values that 8 bits can represent exactly, such as black and white, do not change.
 * Alpha is rounded. */
enum { IMG_POINT_DITHER_EDGE = 8, IMG_POINT_DITHER_STEP = 65535 / 255 };
ImgStatus img_points_dither(ImgPoints *points, ImgError *err);

/* Returns points without stages. Release with img_points_free. */
ImgPoints img_points_start(ImgFormat from);
void img_points_free(ImgPoints *points);

/* Merges successive tables into one, and removes unused entries. */
ImgStatus img_points_compose(ImgPoints *points, ImgError *err);

/* Adds the stages of steps, the first of which must be a point operation. Sets *joined to the
 * number of successive steps that fit. *shape must be the shape of the source, and becomes that of
 * the result. */
ImgStatus img_points_join(const ImgStep *steps, size_t count, ImgPoints *points, ImgShape *shape,
                          size_t *joined, ImgError *err);

/* The input of implementations: the stages. Their tables follow in the same block. */
typedef struct ImgPointProgram {
    ImgFormat from, to;
    int32_t count;
    /* offset of the tables from the start of the program, in bytes; a multiple of 256 */
    int32_t tables_at;
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
} ImgPointProgram;

static inline const uint16_t *img_point_tables(const ImgPointProgram *program)
{
    return (const uint16_t *)((const char *)program + program->tables_at);
}

ImgStatus img_points_pack(const ImgPoints *points, ImgConstants *constants, ImgError *err);

/* Returns the bytes that img_points_pack would allocate for a sketch. This is an upper bound,
 * because tables may turn out to be equal. */
size_t img_points_packed_bytes(const ImgPoints *points);

/* Returns numerator / denominator, rounded to nearest, ties up, and clamped to 0..maximum. The
 * denominator must be positive. */
static inline uint16_t img_point_rounded(int64_t numerator, int64_t denominator, int64_t maximum)
{
    if (numerator <= 0)
        return 0;
    const int64_t value = (2 * numerator + denominator) / (2 * denominator);
    return (uint16_t)(value < maximum ? value : maximum);
}

/* --- Parts of descriptors --------------------------------------------------------------------- */

/* Implements ImgOp.prepare. Computes nothing if, with these parameters, the operation is not a
 * point operation. */
ImgStatus img_point_prepare(const ImgOp *op, ImgShape src, const void *params,
                            ImgConstants *constants, ImgError *err);
extern const ImgImpl img_point_impls[];

/* The members of a descriptor that all point operations have in common; `list` is the list of
 * implementations. */
#define IMG_POINT_OPERATION_BY(list)                                                               \
    .needs_channels = true, .prepare = img_point_prepare, .cpu_ns_per_byte = 0.1, .impls = (list)
#define IMG_POINT_OPERATION IMG_POINT_OPERATION_BY(img_point_impls)

/* Several point operations in one pass. It is not in the list of operations. */
extern const ImgOp img_op_points;

#ifdef __cplusplus
}
#endif
#endif
