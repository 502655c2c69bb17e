/* Point operations as a series of stages, such as tables and matrices. Each stage rounds to whole
 * samples. An operation only defines its stages (ImgOp.points.stages). All operations share the CPU
 * loops, the CUDA kernels and the merging of adjacent operations in a pipeline.
 *
 * Samples are integers from 0 to 2^bits - 1; alpha is straight (not premultiplied). */
#ifndef IMGTOOL_KERNELS_POINT_POINTS_H
#define IMGTOOL_KERNELS_POINT_POINTS_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_POINT_STAGES_MAX = 20, IMG_POINT_CHANNELS = 4 };

typedef enum ImgPointKind {
    IMG_POINT_TABLE, /* each sample is looked up in the table of its channel */
    /* each new sample is a weighted sum of all samples of the pixel, rounded and clamped */
    IMG_POINT_MATRIX,
    /* the pixel is composed over a background colour, and alpha is removed */
    IMG_POINT_OVER,
    IMG_POINT_PREMULTIPLY, /* colours are multiplied by alpha / maximum and rounded */
    /* colours are divided by alpha / maximum, rounded and clamped; 0 where alpha is 0 */
    IMG_POINT_UNPREMULTIPLY,
    IMG_POINT_CUBE, /* the three colours are looked up in a lattice of colours and interpolated */
    /* samples get fewer bits: colours are dithered by position, alpha is rounded */
    IMG_POINT_DITHER,
} ImgPointKind;

/* A row of a matrix: result = clamp((sum of weight[i] * sample[i] + offset) >> shift). Weights have
 * `shift` fractional bits. The offset includes the half that makes the shift round to nearest, ties
 * up. */
typedef struct ImgPointSum {
    int64_t offset;
    int32_t weight[IMG_POINT_CHANNELS];
} ImgPointSum;

typedef struct ImgPointStage {
    ImgPointKind kind;
    int32_t from, to; /* number of channels before and after the stage */
    /* bits per sample before and after the stage; they differ only for IMG_POINT_TABLE and
     * IMG_POINT_DITHER */
    int32_t from_bits, to_bits;
    int32_t shift;     /* for IMG_POINT_MATRIX: number of fractional bits of the weights */
    int32_t is_narrow; /* for IMG_POINT_MATRIX: not 0 if all sums fit a signed 32-bit integer */
    /* For IMG_POINT_TABLE: index of the first of the channel's 2^from_bits entries, or -1 if the
     * channel does not change. IMG_POINT_CUBE and IMG_POINT_DITHER use only table[0], for the nodes
     * or the thresholds. In an ImgPoints, the nodes of a cube are lattices[table[0]]. */
    int32_t table[IMG_POINT_CHANNELS];
    /* for IMG_POINT_OVER: the background's sample of each channel */
    uint16_t background[IMG_POINT_CHANNELS];
    /* For IMG_POINT_CUBE: number of nodes along an edge of the lattice. For IMG_POINT_DITHER:
     * distance between consecutive new samples in units of the old ones. */
    int32_t size;
    /* for IMG_POINT_MATRIX: one row for each channel of the result */
    ImgPointSum sum[IMG_POINT_CHANNELS];
} ImgPointStage;

/* A series of stages under construction. Point operations append their stages to it. */
typedef struct ImgPoints {
    /* pixel formats before all stages, and after the last stage so far */
    ImgFormat from, format;
    /* true: used only to plan memory; it has the same stages as for a run, but no table is
     * allocated */
    bool is_sketch;
    int32_t count, lattice_count;
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
    /* nodes of the lattices, borrowed from the operations */
    const uint16_t *lattices[IMG_POINT_STAGES_MAX];
    uint16_t *tables; /* entries of all tables; NULL in a sketch */
    /* number of table entries in use now, and the largest number so far */
    size_t entries, room;
} ImgPoints;

/* Returns the number of channels of `format`, 1 or 3, without alpha. */
static inline int32_t img_point_colors(ImgFormat format)
{
    return img_format_channels(format) - (img_format_has_alpha(format) ? 1 : 0);
}

/* Channels that tables change: one table for all colours, one for all channels including alpha, or
 * a table for each colour. */
typedef enum ImgPointChannels { IMG_POINT_COLORS, IMG_POINT_ALL, IMG_POINT_EACH } ImgPointChannels;

/* Adds a stage of tables and returns the entries. The caller must fill them: 2^bits entries per
 * table, for the current format, with samples of `to_bits` bits. With IMG_POINT_EACH, the tables of
 * the colours follow one another. Conversions between 8 and 16 bits require IMG_POINT_ALL. Returns
 * NULL if there is nothing to fill; img_points_filled then returns the reason. The pointer is valid
 * until the next stage is added. */
uint16_t *img_points_table(ImgPoints *points, ImgPointChannels which, int to_bits, ImgError *err);

/* Works like img_points_table, for new values of at least 8 bits. Samples of fewer bits are first
 * scaled to 8 bits. Afterwards points->format.bits is the depth of the table. */
uint16_t *img_points_values(ImgPoints *points, ImgPointChannels which, ImgError *err);

/* Returns the status after `table`, a result of img_points_table, has been filled. NULL means that
 * memory was short, except in a sketch, which has no tables. */
static inline ImgStatus img_points_filled(const ImgPoints *points, const uint16_t *table)
{
    return table != NULL || points->is_sketch ? IMG_OK : IMG_E_MEMORY;
}

/* Adds the conversion of all samples to `bits` bits (1, 2, 4, 8 or 16), rounded to nearest. */
ImgStatus img_points_depth(ImgPoints *points, int bits, ImgError *err);

/* The number one in the fixed-point numbers of an ImgPointRow. */
enum { IMG_POINT_ONE = 1 << 24 };
/* The weights and the offset from which a matrix computes one new channel, in units of 2^-24.
 * Offsets are relative to the largest sample, 2^bits - 1. */
typedef struct ImgPointRow {
    int64_t weight[IMG_POINT_CHANNELS], offset;
} ImgPointRow;
/* Adds a matrix. It has a row for each channel of `color`, which must not be a palette. Returns
 * IMG_E_UNSUPPORTED if a weight is not between -128 and 128, or an offset not between -1024 and
 * 1024. A sum is exact to 0.01 of a sample before it is rounded. */
ImgStatus img_points_matrix(ImgPoints *points, ImgColor color, const ImgPointRow *rows,
                            ImgError *err);

/* Adds a stage that uses alpha: IMG_POINT_OVER, IMG_POINT_PREMULTIPLY or IMG_POINT_UNPREMULTIPLY.
 * The format must have alpha. `background` is only for IMG_POINT_OVER; it has 16 bits per
 * component. */
ImgStatus img_points_alpha(ImgPoints *points, ImgPointKind kind, const uint16_t *background,
                           ImgError *err);

/* Largest number of nodes along an edge of a lattice; number of values stored for a node. */
enum { IMG_POINT_CUBE_MOST = 129, IMG_POINT_NODE = 4 };
/* Adds a lattice of size^3 colours, in which red changes fastest. `nodes` has four numbers for each
 * colour: red, green, blue and 0; 65535 is full intensity. Other colours are interpolated in
 * tetrahedra: along a path of nodes from the darkest to the lightest corner of the cell. The path
 * follows the axis with the largest fraction first. The sum is exact before it is rounded. Supports
 * RGB and RGBA of 8 or 16 bits; alpha does not change. `nodes` is borrowed until img_points_pack
 * has copied them. */
ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err);

/* Edge of the dither pattern in pixels; distance between consecutive 8-bit samples in units of
 * 16-bit samples. */
enum { IMG_POINT_DITHER_EDGE = 8, IMG_POINT_DITHER_16_TO_8 = 65535 / 255 };
/* Adds ordered dithering to `bits` bits (1, 2, 4 or 8), which must be fewer than before. The
 * threshold of a pixel's position determines whether a colour becomes the next lower or the next
 * higher sample. This preserves the mean of equal colours over 8 x 8 pixels. Values that the new
 * depth can represent exactly, such as black and white, do not change. Alpha is rounded. */
ImgStatus img_points_dither(ImgPoints *points, int bits, ImgError *err);

/* Returns points in format `from`, without stages. Release them with img_points_free. */
ImgPoints img_points_start(ImgFormat from);
void img_points_free(ImgPoints *points);

/* Merges adjacent stages of tables into one, and removes table entries that are not used any
 * more. */
ImgStatus img_points_compose(ImgPoints *points, ImgError *err);

/* Adds the stages of successive point operations, beginning with the first step, as many as fit.
 * The first step must be a point operation. Sets *joined to the number of steps whose stages were
 * added. Changes *shape from the shape of the source to the shape of the result. */
ImgStatus img_points_join(const ImgStep *steps, size_t count, ImgPoints *points, ImgShape *shape,
                          size_t *joined, ImgError *err);

/* The form of the stages that all implementations read. The tables follow the struct in the same
 * block. */
typedef struct ImgPointProgram {
    ImgFormat from, to;
    int32_t count;
    /* bytes from the start of the program to its tables; a multiple of 256 */
    int32_t tables_at;
    ImgPointStage stages[IMG_POINT_STAGES_MAX];
} ImgPointProgram;

static inline const uint16_t *img_point_tables(const ImgPointProgram *program)
{
    return (const uint16_t *)((const char *)program + program->tables_at);
}

ImgStatus img_points_pack(const ImgPoints *points, ImgConstants *constants, ImgError *err);

/* Returns the bytes that img_points_pack would allocate if the tables of a sketch existed. This is
 * an upper bound, because equal tables are stored once. */
size_t img_points_packed_bytes(const ImgPoints *points);

/* Returns numerator / denominator, rounded to nearest (ties up) and clamped to 0..maximum.
 * `denominator` must be positive. */
static inline uint16_t img_point_rounded(int64_t numerator, int64_t denominator, int64_t maximum)
{
    if (numerator <= 0)
        return 0;
    const int64_t value = (2 * numerator + denominator) / (2 * denominator);
    return (uint16_t)(value < maximum ? value : maximum);
}

/* --- Parts of descriptors --------------------------------------------------------------------- */

/* Implements ImgOp.constants.prepare: packs the stages of the operation. Computes nothing if, with
 * these parameters, the operation is not a point operation. */
ImgStatus img_point_prepare(const ImgOp *op, ImgShape src, const void *params,
                            ImgConstants *constants, ImgError *err);
extern const ImgImpl img_point_impls[];

/* Initialises the members of an ImgOp that all point operations have in common. `list` is the list
 * of implementations. */
#define IMG_POINT_OPERATION_BY(list)                                                               \
    .cost.cpu_ns_per_byte = 0.1, .constants.prepare = img_point_prepare, .impls = (list)
#define IMG_POINT_OPERATION IMG_POINT_OPERATION_BY(img_point_impls)

/* The operation that performs several point operations in one pass. Users cannot name it: it is not
 * in the list of operations. */
extern const ImgOp img_op_points;

/* --- Rows on the CPU -------------------------------------------------------------------------- */

/* point_loops.c is compiled once for each processor level, as a variant. */
/* Processes `width` pixels of row `y`. They begin at the start of the row or at a multiple of 8
 * pixels, because dither thresholds repeat every 8 pixels. The buffers need no alignment and must
 * not overlap. */
typedef void ImgPointRows(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                          int32_t width, int32_t y);

ImgPointRows img_point_rows_portable, img_point_rows_avx2, img_point_rows_avx512;
/* Variant for processors with AVX-512 VBMI, whose instruction looks up bytes in a table of two
 * registers. */
ImgPointRows img_point_rows_vbmi;

#ifdef __cplusplus
}
#endif
#endif
