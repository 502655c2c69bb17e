/* Orders of palette entries. Indices of neighbouring pixels deflate better if they are close, or if
 * some of their bits are equal; which order helps depends on the picture. */
#include <stdlib.h>
#include <string.h>

#include "io/png/optimize/palette_map.h"

/* An entry that is sorted by its rank, and among equal ranks by its old index. */
typedef struct Entry {
    uint64_t rank;
    int index;
} Entry;

static int compare_entries(const void *a, const void *b)
{
    const Entry *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static void rank_by_first(const ImgReduced *picture, Entry *entries)
{
    uint64_t seen = 0;
    for (int i = 0; i < picture->colours.entries; i++)
        entries[i].rank = UINT64_MAX;
    for (int32_t y = 0; y < picture->view.height; y++) {
        const uint8_t *row = picture->view.data + (size_t)y * picture->view.stride;
        for (int32_t x = 0; x < picture->view.width; x++)
            if (entries[row[x]].rank == UINT64_MAX)
                entries[row[x]].rank = seen++;
    }
}

/* Weights of red, green and blue of Rec. 601, in thousandths. */
static uint64_t luma(const uint8_t *entry)
{
    return 299U * entry[0] + 587U * entry[1] + 114U * entry[2];
}

/* Counts how often each pair of indices lies side by side, or one above the other. */
static void count_pairs(const ImgView *view, uint32_t (*pairs)[IMG_COLOURS_MAX])
{
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = view->data + (size_t)y * view->stride;
        for (int32_t x = 1; x < view->width; x++) {
            pairs[row[x]][row[x - 1]]++;
            pairs[row[x - 1]][row[x]]++;
        }
        for (int32_t x = 0; y > 0 && x < view->width; x++) {
            pairs[row[x]][(row - view->stride)[x]]++;
            pairs[(row - view->stride)[x]][row[x]]++;
        }
    }
}

/* Returns the entry that has no rank yet and lies most often beside `last`; of those that never do,
 * the most frequent one. */
static int next_entry(const Entry *entries, int count, const uint64_t *counts,
                      const uint32_t *beside)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        if (entries[i].rank != UINT64_MAX)
            continue;
        if (best < 0 || beside[i] > beside[best] ||
            (beside[i] == beside[best] && counts[i] > counts[best]))
            best = i;
    }
    return best;
}

static ImgStatus rank_by_neighbours(const ImgReduced *picture, const uint64_t *counts,
                                    Entry *entries, ImgError *err)
{
    static const uint32_t none[IMG_COLOURS_MAX];
    uint32_t(*pairs)[IMG_COLOURS_MAX] = calloc(IMG_COLOURS_MAX, sizeof *pairs);
    const int count = picture->colours.entries;
    const uint32_t *beside = none;
    if (pairs == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to sort a palette");
    count_pairs(&picture->view, pairs);
    for (int i = 0; i < count; i++)
        entries[i].rank = UINT64_MAX;
    for (int rank = 0; rank < count; rank++) {
        const int next = next_entry(entries, count, counts, beside);
        entries[next].rank = (uint64_t)rank;
        beside = pairs[next];
    }
    free(pairs);
    return IMG_OK;
}

static ImgStatus rank(const ImgReduced *picture, ImgPaletteOrder order, const uint64_t *counts,
                      Entry *entries, ImgError *err)
{
    if (order == IMG_ORDER_NEIGHBOURS)
        return rank_by_neighbours(picture, counts, entries, err);
    if (order == IMG_ORDER_FIRST_SEEN)
        rank_by_first(picture, entries);
    for (int i = 0; i < picture->colours.entries && order != IMG_ORDER_FIRST_SEEN; i++)
        entries[i].rank = order == IMG_ORDER_FREQUENCY ? UINT64_MAX - counts[i]
                                                       : luma(picture->colours.palette[i]);
    return IMG_OK;
}

/* Numbers the entries in their order, those first that are not opaque. Returns true if an entry
 * gets another number. */
static bool number_entries(const ImgColours *colours, const Entry *entries, ImgPaletteMap *map)
{
    bool changes = false;
    for (int opaque = 0; opaque < 2; opaque++) {
        for (int i = 0; i < colours->entries; i++) {
            const int old = entries[i].index;
            if ((colours->palette[old][IMG_COLOUR_ALPHA] == IMG_OPAQUE) != (opaque == 1))
                continue;
            map->stays[old] = true;
            changes |= old != map->entries;
            map->to[old] = (uint8_t)map->entries++;
        }
    }
    return changes;
}

ImgStatus img_reduce_order(const ImgReduced *from, ImgPaletteOrder order, ImgReduced *to,
                           ImgError *err)
{
    uint64_t counts[IMG_COLOURS_MAX];
    Entry entries[IMG_COLOURS_MAX];
    ImgPaletteMap map = {.entries = 0};
    if (from->view.format.color != IMG_COLOR_PALETTE || !img_palette_count(from, counts))
        return IMG_OK;
    for (int i = 0; i < from->colours.entries; i++)
        entries[i] = (Entry){0, i};
    ImgStatus status = rank(from, order, counts, entries, err);
    if (status != IMG_OK)
        return status;
    qsort(entries, (size_t)from->colours.entries, sizeof *entries, compare_entries);
    if (!number_entries(&from->colours, entries, &map))
        return IMG_OK;
    return img_palette_apply(from, &map, from->view.format.bits, IMG_REDUCED_ORDER, to, err);
}
