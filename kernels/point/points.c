/* Builds the stages of point operations: adds stages, merges tables, and joins the operations of
 * successive steps. */
#include "kernels/point/points.h"

#include <stdlib.h>
#include <string.h>

enum { WEIGHT_BITS = 24, NARROW_BITS = 16, TABLES_ALIGNMENT = 256 /* bytes */ };

/* Returns the number of entries of each table of the stage; 0 for a kind without tables. */
static size_t entries_of(const ImgPointStage *stage)
{
    const size_t size = (size_t)stage->size;
    if (stage->kind == IMG_POINT_CUBE)
        return size * size * size * IMG_POINT_NODE;
    if (stage->kind == IMG_POINT_DITHER)
        return IMG_POINT_DITHER_EDGE * IMG_POINT_DITHER_EDGE;
    return stage->kind == IMG_POINT_TABLE ? (size_t)1 << stage->from_bits : 0;
}

ImgPoints img_points_start(ImgFormat from)
{
    return (ImgPoints){.from = from, .format = from};
}

void img_points_free(ImgPoints *points)
{
    free(points->tables);
    *points = (ImgPoints){.tables = NULL};
}

/* Adds a stage of the given kind. It has the channels and bits of the current format, both before
 * and after the stage. Returns NULL if IMG_POINT_STAGES_MAX stages exist. */
static ImgPointStage *add_stage(ImgPoints *points, ImgPointKind kind, ImgError *err)
{
    if (points->count == IMG_POINT_STAGES_MAX) {
        img_fail(err, IMG_E_LIMIT, "more than %d changes of a pixel in one operation",
                 (int)IMG_POINT_STAGES_MAX);
        return NULL;
    }
    int32_t channels = img_format_channels(points->format);
    ImgPointStage *stage = &points->stages[points->count++];
    *stage = (ImgPointStage){.kind = kind,
                             .from = channels,
                             .to = channels,
                             .from_bits = points->format.bits,
                             .to_bits = points->format.bits};
    return stage;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Allocates exactly the necessary number of entries, because memory plans count them. */
/* Appends `entries` uninitialised entries after all tables. Returns a pointer to them, which is
 * valid until entries are added again. Returns NULL when memory is short, or in a sketch. */
static uint16_t *add_entries(ImgPoints *points, size_t entries, ImgError *err)
{
    const size_t room = points->entries + entries;
    if (room > points->room && !points->is_sketch) {
        uint16_t *grown = realloc(points->tables, room * sizeof *grown);
        if (grown == NULL) {
            img_fail(err, IMG_E_MEMORY, "no memory for tables");
            return NULL;
        }
        points->tables = grown;
    }
    points->room = room > points->room ? room : points->room;
    points->entries = room;
    return points->is_sketch ? NULL : points->tables + room - entries;
}

uint16_t *img_points_table(ImgPoints *points, ImgPointChannels which, int to_bits, ImgError *err)
{
    int32_t colors = img_point_colors(points->format);
    size_t each = (size_t)1 << points->format.bits;
    int32_t first = (int32_t)points->entries;
    ImgPointStage *stage = add_stage(points, IMG_POINT_TABLE, err);
    if (stage == NULL)
        return NULL;
    stage->to_bits = to_bits;
    for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c < colors ? first + (which == IMG_POINT_EACH ? c * (int32_t)each : 0)
                          : which == IMG_POINT_ALL && c < stage->from ? first
                                                                      : -1;
    points->format.bits = to_bits;
    return add_entries(points, each * (which == IMG_POINT_EACH ? (size_t)colors : 1), err);
}

ImgStatus img_points_depth(ImgPoints *points, int bits, ImgError *err)
{
    const int64_t from = img_format_maximum(points->format), to = ((int64_t)1 << bits) - 1;
    if (bits == points->format.bits)
        return IMG_OK;
    uint16_t *table = img_points_table(points, IMG_POINT_ALL, bits, err);
    for (int64_t v = 0; table != NULL && v <= from; v++)
        table[v] = img_point_rounded(v * to, from, to);
    return img_points_filled(points, table);
}

uint16_t *img_points_values(ImgPoints *points, ImgPointChannels which, ImgError *err)
{
    if (points->format.bits < 8 && img_points_depth(points, 8, err) != IMG_OK)
        return NULL;
    return img_points_table(points, which, points->format.bits, err);
}

/* Merges the tables at entries `one` and `other` of a channel, which are applied in this order,
 * into a new table. Sets *at to the first entry of the new table. If `one` or `other` is negative,
 * that table does not exist: *at becomes the other index. */
static ImgStatus join_tables(ImgPoints *points, const ImgPointStage *first, int32_t one,
                             int32_t other, int32_t *at, ImgError *err)
{
    if (one < 0 || other < 0) {
        *at = one < 0 ? other : one;
        return IMG_OK;
    }
    size_t entries = (size_t)1 << first->from_bits;
    *at = (int32_t)points->entries;
    uint16_t *joined = add_entries(points, entries, err);
    for (size_t v = 0; joined != NULL && v < entries; v++)
        joined[v] = points->tables[other + points->tables[(size_t)one + v]];
    return img_points_filled(points, joined);
}

/* Merges the tables of stage `second` into stage `first`. Channels that use the same two tables
 * share the merged one. */
static ImgStatus join_stages(ImgPoints *points, ImgPointStage *first, const ImgPointStage *second,
                             ImgError *err)
{
    int32_t joined[IMG_POINT_CHANNELS];
    ImgStatus status = IMG_OK;
    for (int32_t c = 0; c < IMG_POINT_CHANNELS && status == IMG_OK; c++) {
        int32_t like = 0;
        while (like < c &&
               (first->table[like] != first->table[c] || second->table[like] != second->table[c]))
            like++;
        if (like < c)
            joined[c] = joined[like];
        else
            status = join_tables(points, first, first->table[c], second->table[c], &joined[c], err);
    }
    memcpy(first->table, joined, sizeof joined);
    first->to_bits = second->to_bits;
    return status;
}

static bool has_tables(const ImgPointStage *stage)
{
    return stage->kind == IMG_POINT_TABLE || stage->kind == IMG_POINT_DITHER;
}

/* Returns the first entry of the next table that begins at or after entry `from`, and sets *entries
 * to its length. Returns -1 if there is none. */
static int32_t next_table(const ImgPoints *points, int32_t from, size_t *entries)
{
    int32_t first = -1;
    for (int32_t i = 0; i < points->count; i++)
        for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++) {
            const int32_t at = points->stages[i].table[c];
            if (!has_tables(&points->stages[i]) || at < from || (first >= 0 && at >= first))
                continue;
            first = at;
            *entries = entries_of(&points->stages[i]);
        }
    return first;
}

/* Moves the tables together, so that no gaps remain from tables that no stage uses any more. */
static void close_gaps(ImgPoints *points)
{
    size_t entries = 0;
    int32_t used = 0;
    for (int32_t at; (at = next_table(points, used, &entries)) >= 0; used += (int32_t)entries) {
        if (!points->is_sketch)
            memmove(points->tables + used, points->tables + at, entries * sizeof *points->tables);
        for (int32_t i = 0; i < points->count; i++)
            for (int32_t c = 0; c < IMG_POINT_CHANNELS; c++)
                if (has_tables(&points->stages[i]) && points->stages[i].table[c] == at)
                    points->stages[i].table[c] = used;
    }
    points->entries = (size_t)used;
}

ImgStatus img_points_compose(ImgPoints *points, ImgError *err)
{
    const int32_t before_joining = points->count;
    int32_t kept = 0;
    for (int32_t i = 0; i < points->count; i++) {
        ImgPointStage *before = kept > 0 ? &points->stages[kept - 1] : NULL;
        const ImgPointStage here = points->stages[i];
        if (before == NULL || before->kind != IMG_POINT_TABLE || here.kind != IMG_POINT_TABLE) {
            points->stages[kept++] = here;
            continue;
        }
        ImgStatus status = join_stages(points, before, &here, err);
        if (status != IMG_OK)
            return status;
    }
    points->count = kept;
    if (kept < before_joining)
        close_gaps(points);
    return IMG_OK;
}

/* --- Matrices --------------------------------------------------------------------------------- */

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static int64_t rounded(int64_t value, int places)
{
    return places == 0 ? value : (value + ((int64_t)1 << (places - 1))) >> places;
}

/* Sets row `i` of a matrix. Samples of 16 bits need all fractional bits of the weights; the sums
 * then take 64 bits. */
static void set_row(ImgPointStage *stage, int32_t i, const ImgPointRow *row)
{
    const int64_t maximum = ((int64_t)1 << stage->from_bits) - 1;
    const int dropped = WEIGHT_BITS - stage->shift;
    ImgPointSum *sum = &stage->sum[i];
    sum->offset = rounded(row->offset * maximum, dropped) + ((int64_t)1 << (stage->shift - 1));
    int64_t most = magnitude(sum->offset);
    for (int32_t c = 0; c < stage->from; c++) {
        sum->weight[c] = (int32_t)rounded(row->weight[c], dropped);
        most += magnitude(sum->weight[c]) * maximum;
    }
    stage->is_narrow &= most <= INT32_MAX;
}

ImgStatus img_points_matrix(ImgPoints *points, ImgColor color, const ImgPointRow *rows,
                            ImgError *err)
{
    const int64_t most = (int64_t)128 * IMG_POINT_ONE, most_added = 1024 * (int64_t)IMG_POINT_ONE;
    ImgPointStage *stage = add_stage(points, IMG_POINT_MATRIX, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    points->format.color = color;
    stage->to = img_format_channels(points->format);
    stage->shift = stage->from_bits > 8 ? WEIGHT_BITS : NARROW_BITS;
    stage->is_narrow = true;
    for (int32_t i = 0; i < stage->to; i++) {
        bool fits = magnitude(rows[i].offset) < most_added;
        for (int32_t c = 0; c < stage->from; c++)
            fits &= magnitude(rows[i].weight[c]) < most;
        if (!fits)
            return img_fail(err, IMG_E_UNSUPPORTED,
                            "a weight is not between -128 and 128, or an offset not "
                            "between -1024 and 1024");
        set_row(stage, i, &rows[i]);
    }
    return IMG_OK;
}

/* --- Alpha ------------------------------------------------------------------------------------ */

ImgStatus img_points_alpha(ImgPoints *points, ImgPointKind kind, const uint16_t *background,
                           ImgError *err)
{
    const bool rgb = points->format.color == IMG_COLOR_RGBA;
    const uint32_t maximum = img_format_maximum(points->format);
    ImgPointStage *stage = add_stage(points, kind, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    if (kind != IMG_POINT_OVER)
        return IMG_OK;
    stage->to = stage->from - 1;
    for (int32_t c = 0; c < stage->to; c++)
        stage->background[c] = (uint16_t)((background[c] * (uint64_t)maximum + 32767) / 65535);
    points->format.color = rgb ? IMG_COLOR_RGB : IMG_COLOR_GRAY;
    return IMG_OK;
}

/* --- Lattices --------------------------------------------------------------------------------- */

/* Adds a stage with a lattice. Keeps only a pointer to the nodes: img_points_pack copies them into
 * the packed program. */
ImgStatus img_points_cube(ImgPoints *points, const uint16_t *nodes, int32_t size, ImgError *err)
{
    ImgPointStage *stage = add_stage(points, IMG_POINT_CUBE, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    stage->size = size;
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c == 0 ? points->lattice_count : -1;
    points->lattices[points->lattice_count++] = nodes;
    return IMG_OK;
}

/* --- Dithering -------------------------------------------------------------------------------- */

/* Returns the rank, 0 to 63, of position (x, y) in the dither pattern. Positions of higher rank
 * become lighter first when values rise. The rank interleaves the bits of x ^ y and of y. Their
 * lowest bits become the highest bits of the rank. The thresholds are those of B. E. Bayer, "An
 * optimum method for two-level rendition of continuous-tone pictures", IEEE Int. Conf. on
 * Communications (1973). */
static uint32_t order_of(uint32_t x, uint32_t y)
{
    uint32_t order = 0;
    for (uint32_t edge = 1; edge < IMG_POINT_DITHER_EDGE; edge *= 2)
        order = order << 2 | ((x ^ y) & edge ? 2u : 0) | (y & edge ? 1u : 0);
    return order;
}

ImgStatus img_points_dither(ImgPoints *points, int bits, ImgError *err)
{
    /* The new samples are evenly spaced, and their distance is a whole number for all depths. */
    const uint32_t step = img_format_maximum(points->format) / ((1u << bits) - 1);
    const uint32_t edge = IMG_POINT_DITHER_EDGE, places = edge * edge;
    const int32_t first = (int32_t)points->entries;
    ImgPointStage *stage = add_stage(points, IMG_POINT_DITHER, err);
    if (stage == NULL)
        return IMG_E_LIMIT;
    uint16_t *thresholds = add_entries(points, places, err);
    for (uint32_t i = 0; thresholds != NULL && i < places; i++)
        thresholds[i] = (uint16_t)((2 * order_of(i % edge, i / edge) + 1) * step / (2 * places));
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        stage->table[c] = c == 0 ? first : -1;
    stage->size = (int32_t)step;
    stage->to_bits = bits;
    points->format.bits = bits;
    return img_points_filled(points, thresholds);
}

/* --- Successive operations -------------------------------------------------------------------- */

/* Largest number of stages that one operation can add. */
enum { STAGES_OF_ONE = 7 };

ImgStatus img_points_join(const ImgStep *steps, size_t count, ImgPoints *points, ImgShape *shape,
                          size_t *joined, ImgError *err)
{
    ImgStatus status = IMG_OK;
    *joined = 0;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const void *params = steps[i].params.bytes;
        if (!img_op_is_points(steps[i].op, params) ||
            points->count > IMG_POINT_STAGES_MAX - STAGES_OF_ONE)
            break;
        status = steps[i].op->shape(*shape, params, shape, err);
        if (status == IMG_OK)
            status = steps[i].op->points.stages(params, points, err);
        if (status == IMG_OK)
            status = img_points_compose(points, err);
        ++*joined;
    }
    return status;
}

/* --- The packed form -------------------------------------------------------------------------- */

/* Packs the stages of point operations and all used tables into one block, an ImgPointProgram. CPU
 * loops and CUDA kernels read this form. */

/* Returns true if the tables at entries `one` and `other` are equal. A negative index means that
 * there is no table. A sketch (is_sketch) has no tables yet, so there only tables at the same index
 * count as equal. */
static bool are_equal(const ImgPoints *points, int32_t one, int32_t other, size_t entries)
{
    return one == other ||
           (one >= 0 && other >= 0 && !points->is_sketch &&
            memcmp(points->tables + one, points->tables + other, entries * sizeof(uint16_t)) == 0);
}

/* Copies the tables of a stage to `to`, from entry `used` on, and sets their positions in `stage`.
 * Channels with equal tables share one copy. If `to` is NULL, only counts. Returns the number of
 * entries used afterwards. */
static size_t copy_of_stage(const ImgPoints *points, const ImgPointStage *before,
                            ImgPointStage *stage, uint16_t *to, size_t used)
{
    const size_t entries = entries_of(before);
    const bool is_lattice = before->kind == IMG_POINT_CUBE;
    for (int32_t c = 0; entries > 0 && c < stage->from; c++) {
        int32_t like = 0;
        while (like < c && !are_equal(points, before->table[like], before->table[c], entries))
            like++;
        if (before->table[c] < 0 || like < c) {
            stage->table[c] = before->table[c] < 0 ? -1 : stage->table[like];
            continue;
        }
        if (to != NULL)
            memcpy(to + used,
                   is_lattice ? points->lattices[before->table[c]]
                              : points->tables + before->table[c],
                   entries * sizeof *to);
        stage->table[c] = (int32_t)used;
        used += (entries + IMG_POINT_NODE - 1) / IMG_POINT_NODE * IMG_POINT_NODE;
    }
    return used;
}

/* Copies the tables that stages still use to `to`, each at a multiple of IMG_POINT_NODE entries. If
 * `to` is NULL, only counts. Returns the number of entries used. */
static size_t copy_tables(const ImgPoints *points, ImgPointProgram *program, uint16_t *to)
{
    size_t used = 0;
    for (int32_t i = 0; i < program->count; i++)
        used = copy_of_stage(points, &points->stages[i], &program->stages[i], to, used);
    return used;
}

/* Returns the program with the positions of its tables, which are not copied yet. Sets *size to the
 * bytes of program and tables. */
static ImgPointProgram program_of(const ImgPoints *points, size_t *size)
{
    ImgPointProgram program = {
        .from = points->from,
        .to = points->format,
        .count = points->count,
        .tables_at = (sizeof program + TABLES_ALIGNMENT - 1) / TABLES_ALIGNMENT * TABLES_ALIGNMENT,
    };
    memcpy(program.stages, points->stages, sizeof program.stages);
    *size =
        (size_t)program.tables_at + copy_tables(points, &program, NULL) * sizeof *points->tables;
    return program;
}

size_t img_points_packed_bytes(const ImgPoints *points)
{
    size_t size;
    (void)program_of(points, &size);
    return size;
}

ImgStatus img_points_pack(const ImgPoints *points, ImgConstants *constants, ImgError *err)
{
    size_t size;
    ImgPointProgram program = program_of(points, &size);
    char *bytes = calloc(1, size);
    if (bytes == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for tables");
    copy_tables(points, &program, (uint16_t *)(void *)(bytes + program.tables_at));
    memcpy(bytes, &program, sizeof program);
    *constants = (ImgConstants){bytes, size};
    return IMG_OK;
}
