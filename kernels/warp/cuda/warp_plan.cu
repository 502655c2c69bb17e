/* See warp_plan.cuh. */
#include "kernels/warp/cuda/warp_plan.cuh"
#include <stdlib.h>
#define TRY(n) (getenv(n) ? atoi(getenv(n)) : -1)

namespace
{

using namespace warp_tiles;

/* How far places lie before and behind the first one's. */
struct Spread {
    int64_t least, most;
};

void spread(Spread *all, int64_t step, int32_t count)
{
    if (step < 0)
        all->least += step * (count - 1);
    else
        all->most += step * (count - 1);
}

Spread spread_of(int64_t across, int64_t down, int64_t sub_across, int64_t sub_down,
                 const ImgWarpMap &map, const Task &task)
{
    Spread all = {0, 0};
    spread(&all, across, task.wide);
    spread(&all, down, task.tall);
    spread(&all, sub_across, map.grid_width);
    spread(&all, sub_down, map.grid_height);
    return all;
}

/* How many lanes of a warp find their bank of shared memory taken by another row, where they read
 * along a row of the result. */
int clashes(const ImgWarpMap &map, int words, int pitch)
{
    const int units = words == 3 ? 32 : 32 / words; /* of banks, and lanes that read together */
    uint32_t taken = 0;
    int count = 0;
    for (int i = 0; i < LANES; i++) {
        const int x = (int)(i * map.across.x >> IMG_WARP_PLACES);
        const int y = (int)(i * map.across.y >> IMG_WARP_PLACES);
        const int bank = (words == 3 ? 3 * x + y * pitch : x + y * (pitch / words)) & (units - 1);
        taken = i % units == 0 ? 0 : taken;
        count += (int)(taken >> bank & 1);
        taken |= 1u << bank;
    }
    return count;
}

int best_pitch(const ImgWarpMap &map, int words, int pitch)
{
    int best = pitch, least = clashes(map, words, pitch);
    for (int padded = pitch + 4; padded < pitch + 32; padded += 4) {
        const int count = clashes(map, words, padded);
        best = count < least ? padded : best;
        least = count < least ? count : least;
    }
    return best;
}

Spot scaled(int64_t x, int64_t y)
{
    Spot spot;
    spot.x = (uint64_t)x << (32 - IMG_WARP_PLACES);
    spot.y = (uint64_t)y << (32 - IMG_WARP_PLACES);
    return spot;
}

Spot steps(ImgWarpPlace step, int64_t count)
{
    return scaled(step.x * count, step.y * count);
}

void set_steps(Task *task, const ImgWarpMap &map, const Spread &x, const Spread &y)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    task->corner = scaled(map.first.x + x.least + half, map.first.y + y.least + half);
    task->first = scaled(-x.least, -y.least);
    task->tile_across = steps(map.across, task->wide);
    task->tile_down = steps(map.down, task->tall);
    task->across = steps(map.across, 1);
    task->down = steps(map.down, 1);
    task->rows_down = steps(map.down, ROWS);
    task->lanes_across = steps(map.across, LANES);
    task->sub_across = steps(map.sub_across, 1);
    task->sub_down = steps(map.sub_down, 1);
    task->grid_width = map.grid_width;
    task->grid_height = map.grid_height;
}

/* Bytes of shared memory for boxes of the tiles that are asked for. */
int64_t plan(Task *task, const ImgWarpMap &map, int words)
{
    const Spread x =
        spread_of(map.across.x, map.down.x, map.sub_across.x, map.sub_down.x, map, *task);
    const Spread y =
        spread_of(map.across.y, map.down.y, map.sub_across.y, map.sub_down.y, map, *task);
    const int64_t width = ((x.most - x.least) >> IMG_WARP_PLACES) + 2 * task->half + GROUP;
    const int64_t height = ((y.most - y.least) >> IMG_WARP_PLACES) + 2 * task->half;
    if (width > GROUP * THREADS || height > GROUP * THREADS)
        return INT32_MAX;
    set_steps(task, map, x, y);
    task->groups = (int32_t)(width + GROUP - 1) / GROUP;
    task->groups_reciprocal = (1 << 16) / task->groups + 1;
    task->strip_rows = (int32_t)(height - 1) / (THREADS / task->groups) + 1;
    task->strips = (int32_t)(height - 1) / task->strip_rows + 1;
    task->rows = task->strips * task->strip_rows;
    task->pitch = 4 * task->groups * GROUP * words;
    return (int64_t)(task->pitch + 4 * 28) * task->rows;
}

/* Places and sizes with which 32 bits of whole pixels, and 16 of rows of tiles, are enough. */
bool is_near(const Task &task, const ImgWarpMap &map)
{
    const int64_t far = IMG_WARP_ONE * 64;
    const int32_t large = 1 << 28;
    const ImgWarpPlace steps[] = {map.across, map.down};
    for (int i = 0; i < 2; i++)
        if (steps[i].x < -far || steps[i].x > far || steps[i].y < -far || steps[i].y > far)
            return false;
    return task.src.stride < UINT32_MAX && task.src.width < large && task.src.height < large &&
           task.dst.width < large && task.dst.height < 65535 * ROWS;
}

} // namespace

int64_t warp_plan(Task *task, const ImgWarpMap *map, int words, int64_t most)
{
    static const int32_t sizes[][2] = {{128, 64}, {64, 64}, {64, 32}, {32, 32}, {32, 16}, {32, 8}};
    const int64_t wanted = 56 << 10;
    int64_t bytes = 0;
    if (!is_near(*task, *map))
        return 0;
    for (int i = TRY("WTILE") >= 0 ? TRY("WTILE") : 1; i < 6; i++) {
        task->wide = sizes[i][0];
        task->tall = sizes[i][1];
        bytes = plan(task, *map, words);
        if (bytes <= wanted || TRY("WTILE") >= 0)
            break;
    }
    if (bytes > most)
        return 0;
    task->pitch = 4 * best_pitch(*map, words, task->pitch / 4);
    return (int64_t)task->pitch * task->rows;
}
