/* Packs the stages of point operations and all used tables into one block, an ImgPointProgram. CPU
 * loops and CUDA kernels read this form. */
#include <stdlib.h>
#include <string.h>

#include "kernels/point/points_priv.h"

enum { TABLES_ALIGNMENT = 256 };

size_t img_points_entries(const ImgPointStage *stage)
{
    const size_t size = (size_t)stage->size;
    if (stage->kind == IMG_POINT_CUBE)
        return size * size * size * IMG_POINT_NODE;
    if (stage->kind == IMG_POINT_DITHER)
        return IMG_POINT_DITHER_EDGE * IMG_POINT_DITHER_EDGE;
    return stage->kind == IMG_POINT_TABLE ? (size_t)1 << stage->from_bits : 0;
}

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
    const size_t entries = img_points_entries(before);
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
