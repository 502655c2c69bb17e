/* Finds the entries that may be the nearest to any point in a cube. Those whose least distance from
 * the cube is more than the largest distance of another entry cannot be. */
#include <stdlib.h>
#include <string.h>

#include "kernels/quantize/quantize_rows.h"

void img_candidates_begin(const ImgColorEntries *entries, ImgCandidateLists *lists)
{
    *lists = (ImgCandidateLists){.entries = entries};
    for (int32_t i = 0; i < entries->count; i++)
        lists->points[i] = (ImgColorErrors){
            {entries->low[i][0], entries->low[i][1], entries->high[i][0], entries->high[i][1]}};
}

bool img_candidates_alloc(ImgCandidateLists *lists)
{
    lists->blocks = malloc(IMG_BLOCKS_MOST * sizeof *lists->blocks);
    lists->cubes = calloc(IMG_CUBES, sizeof *lists->cubes);
    if (lists->blocks != NULL && lists->cubes != NULL)
        return true;
    img_candidates_free(lists);
    return false;
}

void img_candidates_free(ImgCandidateLists *lists)
{
    free(lists->blocks);
    free(lists->cubes);
    lists->blocks = NULL;
    lists->cubes = NULL;
}

uint64_t img_candidates_bytes(void)
{
    return IMG_BLOCKS_MOST * sizeof(ImgCandidates) + IMG_CUBES * sizeof(uint32_t);
}

/* Squares of the least and of the largest distance of an entry from the points of a cube. */
typedef struct Distances {
    uint32_t least[IMG_PALETTE_MAX], most[IMG_PALETTE_MAX];
} Distances;

static void add_axis(const int16_t (*pairs)[2], int which, int32_t count, int32_t from,
                     Distances *distances)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t below = from - pairs[i][which];
        const int32_t above = -below - (IMG_CUBE_EDGE - 1);
        const int32_t out = below > above ? below : above;
        const int32_t near = out > 0 ? out : 0;
        const int32_t far = (below > above ? below : above) + IMG_CUBE_EDGE - 1;
        distances->least[i] += (uint32_t)(near * near);
        distances->most[i] += (uint32_t)(far * far);
    }
}

static void find_distances(const ImgColorEntries *entries, uint32_t cube, Distances *distances)
{
    const int32_t alpha = (int32_t)(cube % IMG_CUBES_ALPHA);
    int32_t rest = (int32_t)(cube / IMG_CUBES_ALPHA);
    int32_t from[4];
    for (int c = 2; c >= 0; c--, rest /= IMG_CUBES_COLOR)
        from[c] = IMG_CUBES_FROM + rest % IMG_CUBES_COLOR * IMG_CUBE_EDGE;
    from[3] = IMG_CUBES_ALPHA_FROM + alpha * IMG_CUBE_EDGE;
    memset(distances, 0, sizeof *distances);
    for (int c = 0; c < 4; c++)
        add_axis(c < 2 ? entries->low : entries->high, c % 2, entries->count, from[c], distances);
}

static void put(const ImgColorEntries *entries, int32_t entry, ImgCandidates *block, int at)
{
    memcpy(block->low[at], entries->low[entry], sizeof block->low[at]);
    memcpy(block->high[at], entries->high[entry], sizeof block->high[at]);
    block->index[at] = (uint32_t)entry;
}

uint32_t img_candidates_find(ImgCandidateLists *lists, uint32_t cube)
{
    const ImgColorEntries *entries = lists->entries;
    const uint32_t first = lists->count;
    const uint32_t most =
        (uint32_t)(entries->count + IMG_CANDIDATES_STEP - 1) / IMG_CANDIDATES_STEP;
    Distances distances;
    uint32_t bound = UINT32_MAX, found = 0;
    if (first + most > IMG_BLOCKS_MOST)
        return 0;
    find_distances(entries, cube, &distances);
    for (int32_t i = 0; i < entries->count; i++)
        bound = distances.most[i] < bound ? distances.most[i] : bound;
    ImgCandidates *blocks = lists->blocks + first;
    for (int32_t i = 0; i < entries->count; i++) {
        if (distances.least[i] > bound)
            continue;
        put(entries, i, &blocks[found / IMG_CANDIDATES_STEP], found % IMG_CANDIDATES_STEP);
        found++;
    }
    const uint32_t last =
        blocks[(found - 1) / IMG_CANDIDATES_STEP].index[(found - 1) % IMG_CANDIDATES_STEP];
    for (; found % IMG_CANDIDATES_STEP != 0; found++)
        put(entries, (int32_t)last, &blocks[found / IMG_CANDIDATES_STEP],
            found % IMG_CANDIDATES_STEP);
    lists->count += found / IMG_CANDIDATES_STEP;
    lists->cubes[cube] = first << 8 | found / IMG_CANDIDATES_STEP;
    return lists->cubes[cube];
}
