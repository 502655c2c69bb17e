/* Point operations on a row. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). A program of one table for bytes is applied to the row directly. Otherwise
 * pixels are split into one plane per channel in the first-level cache, where compilers vectorise
 * plain loops. */
#include <string.h>

#include "kernels/core/fixed/quotient.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/point/point_arithmetic.h"
#include "kernels/point/point_rows_bytes.h"

enum { CHUNK = 1024 };

typedef uint16_t Sample16 __attribute__((aligned(1), may_alias));

/* --- Planes ----------------------------------------------------------------------------------- */

typedef struct Planes {
    uint16_t at[IMG_POINT_CHANNELS][CHUNK] __attribute__((aligned(64)));
} Planes;

#define LOAD_PLANES(name, Sample)                                                                  \
    static void name(const uint8_t *bytes, int32_t channels, int32_t width, Planes *planes)        \
    {                                                                                              \
        const Sample *from = (const Sample *)bytes;                                                \
        uint16_t *restrict a = planes->at[0], *restrict b = planes->at[1];                         \
        uint16_t *restrict c = planes->at[2], *restrict d = planes->at[3];                         \
        if (channels == 1)                                                                         \
            for (int32_t i = 0; i < width; i++)                                                    \
                a[i] = from[i];                                                                    \
        else if (channels == 2)                                                                    \
            for (int32_t i = 0; i < width; i++)                                                    \
                a[i] = from[2 * i], b[i] = from[2 * i + 1];                                        \
        else if (channels == 3)                                                                    \
            for (int32_t i = 0; i < width; i++)                                                    \
                a[i] = from[3 * i], b[i] = from[3 * i + 1], c[i] = from[3 * i + 2];                \
        else                                                                                       \
            for (int32_t i = 0; i < width; i++)                                                    \
                a[i] = from[4 * i], b[i] = from[4 * i + 1], c[i] = from[4 * i + 2],                \
                d[i] = from[4 * i + 3];                                                            \
    }

#define STORE_PLANES(name, Sample)                                                                 \
    static void name(const Planes *planes, int32_t channels, int32_t width, uint8_t *bytes)        \
    {                                                                                              \
        Sample *restrict to = (Sample *)bytes;                                                     \
        const uint16_t *a = planes->at[0], *b = planes->at[1];                                     \
        const uint16_t *c = planes->at[2], *d = planes->at[3];                                     \
        if (channels == 1)                                                                         \
            for (int32_t i = 0; i < width; i++)                                                    \
                to[i] = (Sample)a[i];                                                              \
        else if (channels == 2)                                                                    \
            for (int32_t i = 0; i < width; i++)                                                    \
                to[2 * i] = (Sample)a[i], to[2 * i + 1] = (Sample)b[i];                            \
        else if (channels == 3)                                                                    \
            for (int32_t i = 0; i < width; i++)                                                    \
                to[3 * i] = (Sample)a[i], to[3 * i + 1] = (Sample)b[i],                            \
                       to[3 * i + 2] = (Sample)c[i];                                               \
        else                                                                                       \
            for (int32_t i = 0; i < width; i++)                                                    \
                to[4 * i] = (Sample)a[i], to[4 * i + 1] = (Sample)b[i],                            \
                       to[4 * i + 2] = (Sample)c[i], to[4 * i + 3] = (Sample)d[i];                 \
    }

LOAD_PLANES(load_8, uint8_t)
LOAD_PLANES(load_16, Sample16)
STORE_PLANES(store_8, uint8_t)
STORE_PLANES(store_16, Sample16)

/* --- Colours in a lattice --------------------------------------------------------------------- */

/* Vectors with the three colours of a node or of a pixel in adjacent lanes. */
typedef uint16_t Node __attribute__((vector_size(8)));
typedef uint32_t Colors __attribute__((vector_size(16)));

static inline Colors load_node(const uint16_t *nodes, uint32_t node)
{
    Node colors;
    memcpy(&colors, nodes + (size_t)node * IMG_POINT_NODE, sizeof colors);
    return __builtin_convertvector(colors, Colors);
}

/* Divides sums below 65535 * 65536 by 65535, rounded to nearest: half of 65535 is added first. A
 * value is q * 65535 + r = q * 65536 + (r - q) with quotient q. So its upper 16 bits are q, or q -
 * 1 if r < q. Adding these bits and 1 to the value makes its upper 16 bits q in both cases. */
static inline Colors cube_rounded(Colors sum)
{
    const Colors halved = sum + IMG_POINT_NODE_ONE / 2;
    return (halved + 1 + (halved >> 16)) >> 16;
}

/* Number of pixels for which the surrounding nodes are computed before the nodes are read. */
enum { CELLS = 64 };
typedef struct Cells {
    uint32_t node[4][CELLS], weight[4][CELLS];
} Cells;

static inline void find_cells(const uint16_t *a, const uint16_t *b, const uint16_t *c,
                              int32_t count, uint32_t size, uint32_t maximum, Cells *cells)
{
    for (int32_t i = 0; i < count; i++) {
        const ImgPointCell cell = img_point_cell(a[i], b[i], c[i], size, maximum);
        for (int k = 0; k < 4; k++) {
            cells->node[k][i] = cell.node[k];
            cells->weight[k][i] = cell.weight[k];
        }
    }
}

static inline Colors color_of(const uint16_t *nodes, const Cells *cells, int32_t i)
{
    Colors sum = cells->weight[0][i] * load_node(nodes, cells->node[0][i]);
    for (int k = 1; k < 4; k++)
        sum += cells->weight[k][i] * load_node(nodes, cells->node[k][i]);
    return cube_rounded(sum);
}

static inline void change_in_cube(const uint16_t *nodes, uint32_t size, uint32_t maximum,
                                  Planes *planes, int32_t width)
{
    Cells cells;
    for (int32_t x = 0; x < width; x += CELLS) {
        uint16_t *a = planes->at[0] + x, *b = planes->at[1] + x, *c = planes->at[2] + x;
        const int32_t count = width - x < CELLS ? width - x : CELLS;
        find_cells(a, b, c, count, size, maximum, &cells);
        for (int32_t i = 0; i < count; i++) {
            const Colors color = color_of(nodes, &cells, i);
            a[i] = (uint16_t)color[0];
            b[i] = (uint16_t)color[1];
            c[i] = (uint16_t)color[2];
        }
    }
}

/* Applies a lattice. Passes constant maxima to the loop, so that the compiler can divide faster. */
static void change_by_cube(const ImgPointStage *stage, const uint16_t *tables, Planes *planes,
                           int32_t width)
{
    const uint16_t *nodes = tables + stage->table[0];
    if (stage->from_bits == 8)
        change_in_cube(nodes, (uint32_t)stage->size, 255, planes, width);
    else
        change_in_cube(nodes, (uint32_t)stage->size, 65535, planes, width);
}

/* --- Gray from bytes -------------------------------------------------------------------------- */

/* A frequent first stage: the weighted sum of 8-bit red, green and blue. It reads interleaved bytes
 * directly and multiplies pairs of signed 16-bit numbers. The weight of green may need 17 bits, so
 * it is split between two pairs. */

/* Returns true if the first stage is a sum of red, green and blue whose weights fit: the weights of
 * red and blue, and each half of the weight of green, must fit signed 16-bit numbers. */
static bool is_gray_sum(const ImgPointProgram *program)
{
    const ImgPointStage *stage = program->stages;
    const int32_t *weight = stage->sum[0].weight;
    return V_HAS_SHUFFLE && program->count > 0 && program->from.bits == 8 &&
           stage->kind == IMG_POINT_MATRIX && stage->from == 3 && stage->to == 1 &&
           stage->is_narrow != 0 && weight[0] == (int16_t)weight[0] &&
           weight[2] == (int16_t)weight[2] && weight[1] / 2 == (int16_t)(weight[1] / 2) &&
           weight[1] - weight[1] / 2 == (int16_t)(weight[1] - weight[1] / 2);
}

/* Computes the weighted sums of V_WORDS pixels. The two pixels after them must be readable.
 * pack_i32 clamps the sums to 16 bits; minimum and maximum then clamp them to 8 bits. */
static inline vi16 gray_of(const ImgPointStage *stage, const uint8_t *from)
{
    const int32_t *weight = stage->sum[0].weight, half = weight[1] / 2;
    const VPairs first = pairs_all((int16_t)weight[0], (int16_t)half);
    const VPairs second = pairs_all((int16_t)(weight[1] - half), (int16_t)weight[2]);
    VPairs red_green, green_blue;
    load_rgb(from, &red_green, &green_blue);
    VSums sums = sums_add(sums_all((int32_t)stage->sum[0].offset), red_green, first);
    sums = sums_shift(sums_add(sums, green_blue, second), stage->shift);
    return min_i16(max_i16(pack_i32(sums.low, sums.high), all_i16(0)), all_i16(255));
}

/* Computes the weighted sums of `width` pixels, at most CHUNK. Pixels at the end of the row are
 * copied first, so that whole vectors are readable. */
static void sum_gray(const ImgPointStage *stage, const uint8_t *from, int32_t width, Planes *planes)
{
    _Static_assert(CHUNK % V_WORDS == 0, "a plane has whole vectors");
    uint16_t *to = planes->at[0];
    int32_t x = 0;
    for (; x + V_WORDS + 2 <= width; x += V_WORDS)
        store_i16(to + x, gray_of(stage, from + (size_t)x * 3));
    for (; x < width; x += V_WORDS) {
        uint8_t rest[3 * (V_WORDS + 2)] = {0};
        const int32_t count = width - x < V_WORDS ? width - x : V_WORDS;
        memcpy(rest, from + (size_t)x * 3, (size_t)count * 3);
        store_i16(to + x, gray_of(stage, rest));
    }
}

/* --- Stages ----------------------------------------------------------------------------------- */

static void change_by_tables(const ImgPointStage *stage, const uint16_t *tables, Planes *planes,
                             int32_t width)
{
    for (int32_t c = 0; c < stage->from; c++) {
        uint16_t *plane = planes->at[c];
        if (stage->table[c] >= 0)
            for (int32_t i = 0; i < width; i++)
                plane[i] = tables[stage->table[c] + plane[i]];
    }
}

/* Computes one new channel whose sums fit 32 bits. Weights and planes of channels that do not exist
 * are zero. */
static void sum_narrow(const ImgPointSum *sum, const Planes *planes, int32_t shift, int32_t maximum,
                       uint16_t *restrict to, int32_t width)
{
    const uint16_t *a = planes->at[0], *b = planes->at[1], *c = planes->at[2], *d = planes->at[3];
    const int32_t offset = (int32_t)sum->offset, wa = sum->weight[0], wb = sum->weight[1],
                  wc = sum->weight[2], wd = sum->weight[3];
    for (int32_t i = 0; i < width; i++) {
        int32_t all = (offset + wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i]) >> shift;
        all = all < 0 ? 0 : all;
        to[i] = (uint16_t)(all > maximum ? maximum : all);
    }
}

static void sum_wide(const ImgPointSum *sum, const Planes *planes, int32_t shift, int32_t maximum,
                     uint16_t *restrict to, int32_t width)
{
    const uint16_t *a = planes->at[0], *b = planes->at[1], *c = planes->at[2], *d = planes->at[3];
    const int64_t offset = sum->offset, wa = sum->weight[0], wb = sum->weight[1],
                  wc = sum->weight[2], wd = sum->weight[3];
    for (int32_t i = 0; i < width; i++) {
        int64_t all = (offset + wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i]) >> shift;
        all = all < 0 ? 0 : all;
        to[i] = (uint16_t)(all > maximum ? maximum : all);
    }
}

static void change_by_matrix(const ImgPointStage *stage, Planes *planes, int32_t width)
{
    const int32_t maximum = (1 << stage->from_bits) - 1;
    Planes result;
    for (int32_t c = stage->from; c < IMG_POINT_CHANNELS; c++)
        memset(planes->at[c], 0, (size_t)width * sizeof *planes->at[c]);
    for (int32_t c = 0; c < stage->to; c++)
        (stage->is_narrow != 0 ? sum_narrow : sum_wide)(&stage->sum[c], planes, stage->shift,
                                                        maximum, result.at[c], width);
    for (int32_t c = 0; c < stage->to; c++)
        memcpy(planes->at[c], result.at[c], (size_t)width * sizeof *planes->at[c]);
}

/* Divides a plane by alpha as img_point_unshare does. The work is in two loops, because compilers
 * vectorise only this form. */
static inline void divide_by_alpha(uint32_t maximum, const uint16_t *alpha, uint16_t *plane,
                                   int32_t width)
{
    uint32_t divisor[CHUNK], value[CHUNK];
    for (int32_t i = 0; i < width; i++) {
        divisor[i] = alpha[i] > 0 ? alpha[i] : 1;
        value[i] = alpha[i] > 0 ? plane[i] * maximum + alpha[i] / 2u : 0;
    }
    for (int32_t i = 0; i < width; i++)
        value[i] = maximum > 255 ? img_quotient_32(value[i], divisor[i], (int32_t)maximum)
                                 : img_quotient_24(value[i], divisor[i]);
    for (int32_t i = 0; i < width; i++)
        plane[i] = (uint16_t)(value[i] < maximum ? value[i] : maximum);
}

/* Applies an alpha stage to one plane. `maximum` is a compile-time constant, so that the compiler
 * can avoid divisions. */
static inline void change_plane(const ImgPointStage *stage, uint32_t maximum, uint32_t background,
                                const uint16_t *alpha, uint16_t *restrict plane, int32_t width)
{
    if (stage->kind == IMG_POINT_OVER)
        for (int32_t i = 0; i < width; i++)
            plane[i] = (uint16_t)img_point_over(plane[i], background, alpha[i], maximum);
    else if (stage->kind == IMG_POINT_PREMULTIPLY)
        for (int32_t i = 0; i < width; i++)
            plane[i] = (uint16_t)img_point_share(plane[i], alpha[i], maximum);
    else
        divide_by_alpha(maximum, alpha, plane, width);
}

static void change_by_alpha(const ImgPointStage *stage, Planes *planes, int32_t width)
{
    const uint16_t *alpha = planes->at[stage->from - 1];
    for (int32_t c = 0; c + 1 < stage->from; c++)
        if (stage->from_bits == 16)
            change_plane(stage, 65535, stage->background[c], alpha, planes->at[c], width);
        else
            change_plane(stage, 255, stage->background[c], alpha, planes->at[c], width);
}

/* Called with a constant step where that matters, since the compiler then needs no division. */
static inline void dither_plane(uint16_t *plane, const uint16_t *thresholds, uint32_t step,
                                int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        plane[i] = (uint16_t)img_point_dithered(plane[i], thresholds[i], step);
}

static void change_by_dither(const ImgPointStage *stage, const uint16_t *tables, Planes *planes,
                             int32_t width, int32_t y)
{
    const uint32_t step = (uint32_t)stage->size;
    const int32_t colors = stage->from > 2 ? 3 : 1;
    const uint16_t *row = img_point_thresholds(stage, tables, y);
    uint16_t thresholds[CHUNK];
    for (int32_t i = 0; i < width; i++)
        thresholds[i] = row[i % IMG_POINT_DITHER_EDGE];
    for (int32_t c = 0; c < colors; c++)
        if (step == IMG_POINT_DITHER_16_TO_8)
            dither_plane(planes->at[c], thresholds, IMG_POINT_DITHER_16_TO_8, width);
        else
            dither_plane(planes->at[c], thresholds, step, width);
    for (int32_t i = 0; colors < stage->from && i < width; i++)
        planes->at[colors][i] = (uint16_t)img_point_dithered(planes->at[colors][i], step / 2, step);
}

/* Applies the stages of the program from index `first` on to the planes. */
static void change_planes(const ImgPointProgram *program, int32_t first, Planes *planes,
                          int32_t width, int32_t y)
{
    const uint16_t *tables = img_point_tables(program);
    for (int32_t i = first; i < program->count; i++) {
        const ImgPointStage *stage = &program->stages[i];
        if (stage->kind == IMG_POINT_TABLE)
            change_by_tables(stage, tables, planes, width);
        else if (stage->kind == IMG_POINT_MATRIX)
            change_by_matrix(stage, planes, width);
        else if (stage->kind == IMG_POINT_CUBE)
            change_by_cube(stage, tables, planes, width);
        else if (stage->kind == IMG_POINT_DITHER)
            change_by_dither(stage, tables, planes, width, y);
        else
            change_by_alpha(stage, planes, width);
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

void IMG_VARIANT(img_point_rows)(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                                 int32_t width, int32_t y)
{
    const ImgPointStage *first = program->stages;
    if (program->count == 1 && first->kind == IMG_POINT_TABLE && first->from_bits <= 8 &&
        first->to_bits <= 8) {
        change_bytes(first, img_point_tables(program), from, to, width);
        return;
    }
    const int32_t in = img_format_channels(program->from), out = img_format_channels(program->to);
    const size_t from_size = img_format_pixel_size(program->from);
    const size_t to_size = img_format_pixel_size(program->to);
    const bool sums_gray = is_gray_sum(program);
    Planes planes;
    for (int32_t x = 0; x < width; x += CHUNK) {
        const int32_t here = width - x < CHUNK ? width - x : CHUNK;
        const uint8_t *source = from + (size_t)x * from_size;
        uint8_t *result = to + (size_t)x * to_size;
        if (sums_gray)
            sum_gray(first, source, here, &planes);
        else
            (program->from.bits == 16 ? load_16 : load_8)(source, in, here, &planes);
        change_planes(program, sums_gray ? 1 : 0, &planes, here, y);
        (program->to.bits == 16 ? store_16 : store_8)(&planes, out, here, result);
    }
}
