/* Builds the programs of sorting networks, see median_program.h. */
#include "kernels/median/median_rows.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS_MAX = 4096 };

typedef struct List {
    int32_t columns, plane;
    int32_t below; /* number of dropped samples, which are known to be at most the median */
    int32_t count; /* number of samples that the list keeps */
} List;

typedef struct Builder {
    ImgMedianProgram *program;
    int32_t run_room, pair_room;
    bool failed;
} Builder;

static void *grown(Builder *builder, void *items, int32_t count, int32_t *room, size_t size)
{
    if (count < *room)
        return items;
    const int32_t larger = 2 * *room + 64;
    void *moved = realloc(items, (size_t)larger * size);
    if (moved == NULL) {
        builder->failed = true;
        return items;
    }
    *room = larger;
    return moved;
}

static void add_pair(Builder *builder, int32_t low, int32_t high)
{
    ImgMedianProgram *program = builder->program;
    program->pair =
        grown(builder, program->pair, program->pairs, &builder->pair_room, sizeof *program->pair);
    if (builder->failed)
        return;
    program->pair[program->pairs++] = (ImgMedianPair){(uint16_t)low, (uint16_t)high};
    program->run[program->runs - 1].both++;
}

static void add_run(Builder *builder)
{
    ImgMedianProgram *program = builder->program;
    if (program->runs > 0 && program->run[program->runs - 1].first == program->pairs)
        return;
    program->run =
        grown(builder, program->run, program->runs, &builder->run_room, sizeof *program->run);
    if (!builder->failed)
        program->run[program->runs++] = (ImgMedianRun){.first = program->pairs};
}

/* Merges two sorted lists with Batcher's odd-even merge: the `left` registers from `first` on, and
 * the `right` registers after them. Conceptually, both lists are padded to the same power of two:
 * the left one with smallest values in front, the right one with largest values at its end.
 * Comparisons with padding change nothing and are left out. */
static void merge_registers(Builder *builder, int32_t first, int32_t left, int32_t right)
{
    int32_t half = 1;
    while (half < left || half < right)
        half *= 2;
    const int32_t begin = half - left, end = half + right;
    add_run(builder);
    for (int32_t i = begin; i < half && !builder->failed; i++)
        if (i + half < end)
            add_pair(builder, first + i - begin, first + i + half - begin);
    for (int32_t away = half / 2; away > 0 && !builder->failed; away /= 2) {
        add_run(builder);
        for (int32_t i = begin; i + away < end && !builder->failed; i++)
            if (i / away % 2 == 1)
                add_pair(builder, first + i - begin, first + i + away - begin);
    }
}

static void sort_registers(Builder *builder, int32_t first, int32_t count)
{
    int32_t left = 1;
    while (2 * left < count)
        left *= 2;
    if (count < 2)
        return;
    sort_registers(builder, first, left);
    sort_registers(builder, first + left, count - left);
    merge_registers(builder, first, left, count - left);
}

/* Removes the comparisons of a merge that do not affect any kept register. It goes through the runs
 * (ImgMedianRun) of the merge from the last to the first, because later comparisons determine which
 * results of earlier ones are needed. */
static void prune(ImgMedianProgram *program, const ImgMedianMerge *merge)
{
    static const int KINDS = 3;
    bool needed[REGISTERS_MAX] = {false};
    ImgMedianPair sorted[3][REGISTERS_MAX];
    memset(needed + merge->kept_first, true, (size_t)merge->kept);
    for (int32_t r = merge->first_run + merge->runs - 1; r >= merge->first_run; r--) {
        ImgMedianRun *run = &program->run[r];
        int32_t count[3] = {0}, to = run->first;
        for (int32_t i = 0; i < run->both; i++) {
            const ImgMedianPair pair = program->pair[run->first + i];
            const bool low = needed[pair.low], high = needed[pair.high];
            const int kind = low && high ? 0 : low ? 1 : 2;
            if (!low && !high)
                continue;
            sorted[kind][count[kind]++] = pair;
            needed[pair.low] = needed[pair.high] = true;
        }
        for (int kind = 0; kind < KINDS; kind++)
            for (int32_t i = 0; i < count[kind]; i++)
                program->pair[to++] = sorted[kind][i];
        run->both = count[0];
        run->minima = count[1];
        run->maxima = count[2];
    }
}

static int32_t middle(const ImgMedianProgram *program)
{
    return program->side * program->side / 2;
}

/* Completes the last merge of the program. Its registers have `samples` sorted samples of `columns`
 * columns; `below` smaller samples have been dropped before. Returns the list of samples that can
 * still be the median, and are kept. */
static List keep(Builder *builder, int32_t columns, int32_t samples, int32_t below)
{
    ImgMedianProgram *program = builder->program;
    ImgMedianMerge *merge = &program->merge[program->merges++];
    const int32_t all = columns * program->side, rank = middle(program);
    const int32_t least = all - 1 - rank > 0 ? all - 1 - rank : 0;
    const int32_t most = rank < all - 1 ? rank : all - 1;
    const int32_t first = least > below ? least : below;
    const int32_t last = most < below + samples - 1 ? most : below + samples - 1;
    merge->columns = columns;
    merge->kept_first = first - below;
    merge->kept = last - first + 1;
    merge->result = program->planes;
    merge->runs = program->runs - merge->first_run;
    program->planes += merge->kept;
    if (samples > program->registers)
        program->registers = samples;
    if (!builder->failed)
        prune(program, merge);
    return (List){columns, merge->result, first, merge->kept};
}

static List sorted_columns(Builder *builder)
{
    ImgMedianProgram *program = builder->program;
    program->merge[0] = (ImgMedianMerge){.left_count = program->side};
    sort_registers(builder, 0, program->side);
    return keep(builder, 1, program->side, 0);
}

static List merged(Builder *builder, List left, List right)
{
    ImgMedianProgram *program = builder->program;
    add_run(builder);
    program->merge[program->merges] = (ImgMedianMerge){.left = left.plane,
                                                       .right = right.plane,
                                                       .left_count = left.count,
                                                       .right_count = right.count,
                                                       .right_columns = left.columns,
                                                       .first_run = program->runs - 1};
    merge_registers(builder, 0, left.count, right.count);
    return keep(builder, left.columns + right.columns, left.count + right.count,
                left.below + right.below);
}

bool img_median_program_make(int32_t radius, ImgMedianProgram *program)
{
    enum { DOUBLINGS = 6 };
    Builder builder = {.program = program};
    List doubled[DOUBLINGS];
    int last = 0;
    *program = (ImgMedianProgram){.side = 2 * radius + 1};
    add_run(&builder);
    doubled[0] = sorted_columns(&builder);
    for (; !builder.failed && 2 << last <= program->side; last++)
        doubled[last + 1] = merged(&builder, doubled[last], doubled[last]);
    List window = doubled[last];
    for (int i = last - 1; !builder.failed && i >= 0; i--)
        if (window.columns + doubled[i].columns <= program->side)
            window = merged(&builder, window, doubled[i]);
    return !builder.failed;
}

void img_median_program_free(ImgMedianProgram *program)
{
    free(program->run);
    free(program->pair);
    program->run = NULL;
    program->pair = NULL;
}
