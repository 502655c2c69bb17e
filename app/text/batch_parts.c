#include "app/text/batch_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/text/json_lines.h"
#include "app/text/list.h"
#include "app/text/text.h"

void json_batch_part(cJSON *line, BatchPart part, bool *failed)
{
    if (part.count > 0) {
        json_count(line, "shard", part.number, failed);
        json_count(line, "shard_count", part.count, failed);
    } else {
        json_null(line, "shard", failed);
        json_null(line, "shard_count", failed);
    }
}

BatchPart batch_part_of(const cJSON *line)
{
    const uint64_t number = json_line_count(line, "shard");
    const uint64_t count = json_line_count(line, "shard_count");
    if (number < 1 || number > count || count > UINT32_MAX)
        return (BatchPart){0, 0};
    return (BatchPart){(uint32_t)number, (uint32_t)count};
}

ImgStatus batch_parts_note(BatchParts *parts, const cJSON *line, ImgError *err)
{
    BatchPart part = batch_part_of(line);
    if (part.count == 0)
        part = (BatchPart){1, 1};
    BatchPart *list = list_grow(parts->list, parts->count, sizeof *list);
    if (list == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a list of parts");
    parts->list = list;
    list[parts->count++] = part;
    return IMG_OK;
}

static int by_count(const void *first, const void *second)
{
    const BatchPart *a = first, *b = second;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Counts the distinct parts in the group of the sorted list that starts at `first`. A group has all
 * parts with the same `count`. Sets *end to the index of the next group. */
static size_t distinct_from(const BatchParts *parts, size_t first, size_t *end)
{
    const BatchPart *list = parts->list;
    size_t distinct = 1;
    for (*end = first + 1; *end < parts->count && list[*end].count == list[first].count; ++*end)
        distinct += list[*end].number != list[*end - 1].number;
    return distinct;
}

/* --- Text ------------------------------------------------------------------------------------- */

static bool is_below(const BatchParts *parts, size_t at, BatchPart part)
{
    return at < parts->count && parts->list[at].count == part.count &&
           parts->list[at].number < part.number;
}

static bool is_at(const BatchParts *parts, size_t at, BatchPart part)
{
    return at < parts->count && by_count(&parts->list[at], &part) == 0;
}

/* Lists the missing parts of a group, but at most six. `at` is the index of the first part of the
 * group, and `missing` is the number of missing parts. */
static void list_missing(char *text, const BatchParts *parts, size_t at, uint32_t missing)
{
    enum { MOST = 6 };
    const uint32_t told = missing > MOST ? MOST - 1 : missing;
    BatchPart part = {1, parts->list[at].count};
    text_append(text, BATCH_PARTS_TEXT, missing == 1 ? "part" : "parts");
    for (uint32_t listed = 0; listed < told; part.number++) {
        while (is_below(parts, at, part))
            at++;
        if (is_at(parts, at, part))
            continue;
        listed++;
        text_append(text, BATCH_PARTS_TEXT, "%s %u",
                    listed == 1         ? ""
                    : listed == missing ? " and"
                                        : ",",
                    part.number);
    }
    if (told < missing)
        text_append(text, BATCH_PARTS_TEXT, " and %u others", missing - told);
    text_append(text, BATCH_PARTS_TEXT, " of %u", part.count);
}

const char *batch_parts_missing(BatchParts *parts, char text[BATCH_PARTS_TEXT])
{
    size_t best = 0, most = 0;
    if (parts->count == 0)
        return NULL;
    qsort(parts->list, parts->count, sizeof *parts->list, by_count);
    for (size_t first = 0, end; first < parts->count; first = end) {
        const size_t distinct = distinct_from(parts, first, &end);
        if (distinct == parts->list[first].count)
            return NULL;
        if (distinct > most) {
            most = distinct;
            best = first;
        }
    }
    text[0] = '\0';
    list_missing(text, parts, best, parts->list[best].count - (uint32_t)most);
    return text;
}

void batch_parts_free(BatchParts *parts)
{
    free(parts->list);
    *parts = (BatchParts){NULL, 0};
}
