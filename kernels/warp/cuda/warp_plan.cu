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
                 const Task &task)
{
    Spread all = {0, 0};
    spread(&all, across, task.wide);
    spread(&all, down, task.tall);
    spread(&all, sub_across, task.map.grid_width);
    spread(&all, sub_down, task.map.grid_height);
    return all;
}

/* How often banks of shared memory are asked twice where lanes read along a row of the result. */
int clashes(const ImgWarpMap &map, int words, int pitch)
{
    const int together = words == 2   ? 16
                         : words == 4 ? 8
                                      : 32,
              units = 32 / (words == 3 ? 1 : words);
    int most = 0, all = 0;
    int counts[32] = {};
    for (int i = 0; i < LANES; i++) {
        const int64_t x = i * map.across.x >> IMG_WARP_PLACES,
                      y = i * map.across.y >> IMG_WARP_PLACES;
        const int64_t unit = words == 3 ? 3 * x + y * pitch : x + y * (pitch / words);
        const int count = ++counts[unit & (units - 1)];
        most = count > most ? count : most;
        if (i % together == together - 1) {
            all += most;
            most = 0;
            for (int &c : counts)
                c = 0;
        }
    }
    return all;
}

int best_pitch(const ImgWarpMap &map, int words, int pitch)
{
    int best = pitch;
    if (TRY("WPAD") >= 0)
        return pitch + TRY("WPAD");
    for (int padded = pitch + 4; padded < pitch + 32; padded += 4)
        if (clashes(map, words, padded) < clashes(map, words, best))
            best = padded;
    return best;
}

/* Bytes of shared memory for boxes of the tiles that are asked for. */
int64_t plan(Task *task, int words)
{
    const ImgWarpMap &map = task->map;
    const Spread x = spread_of(map.across.x, map.down.x, map.sub_across.x, map.sub_down.x, *task);
    const Spread y = spread_of(map.across.y, map.down.y, map.sub_across.y, map.sub_down.y, *task);
    const int64_t width = ((x.most - x.least) >> IMG_WARP_PLACES) + 2 * task->half + GROUP;
    const int64_t height = ((y.most - y.least) >> IMG_WARP_PLACES) + 2 * task->half;
    if (width > GROUP * THREADS || height > GROUP * THREADS)
        return INT32_MAX;
    task->least = {x.least, y.least};
    task->groups = (int32_t)(width + GROUP - 1) / GROUP;
    task->rows = (int32_t)height;
    task->strips = THREADS / task->groups;
    task->strip_rows = (task->rows + task->strips - 1) / task->strips;
    task->rows = task->strips * task->strip_rows;
    task->pitch = 4 * best_pitch(map, words, task->groups * GROUP * words);
    return (int64_t)task->pitch * task->rows;
}

} // namespace

int64_t warp_plan(Task *task, int words, int64_t most)
{
    static const int32_t sizes[][2] = {{64, 64}, {64, 32}, {32, 32}, {32, 16}, {32, 8}, {128, 32}};
    const int64_t far = IMG_WARP_ONE * 64, wanted = 56 << 10;
    const ImgWarpPlace steps[] = {task->map.across, task->map.down};
    int64_t bytes = 0;
    for (int i = 0; i < 2; i++)
        if (steps[i].x < -far || steps[i].x > far || steps[i].y < -far || steps[i].y > far)
            return 0;
    for (int i = TRY("WTILE") >= 0 ? TRY("WTILE") : 0; i < 6; i++) {
        task->wide = sizes[i][0];
        task->tall = sizes[i][1];
        bytes = plan(task, words);
        if (bytes <= wanted || TRY("WTILE") >= 0)
            break;
    }
    return bytes <= most ? bytes : 0;
}
