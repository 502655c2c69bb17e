/* Plans the tiles of the fast image warp on CUDA (warp_task.cuh). */
#include "kernels/canvas/canvas.h"
#include "kernels/warp/cuda/warp_task.cuh"
#include "kernels/warp/warp.h"

namespace
{

using namespace warp_tiles;

/* Range of the positions of a tile along one axis, relative to its first position. */
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

/* Returns how many lanes of a warp have a bank conflict when they read pixels along a row of the
 * result. `pitch` is the distance between rows of the box, in words. */
int clashes(ImgWarpPlace across, int words, int pitch)
{
    /* number of units into which the banks are divided, and of lanes that read at the same time; a
     * unit is the banks of one pixel, or a single bank if pixels have three words */
    const int units = words == 3 ? 32 : 32 / words;
    uint32_t taken = 0;
    int count = 0;
    for (int i = 0; i < LANES; i++) {
        const int x = (int)(i * across.x >> IMG_WARP_PLACES);
        const int y = (int)(i * across.y >> IMG_WARP_PLACES);
        const int bank = (words == 3 ? 3 * x + y * pitch : x + y * (pitch / words)) & (units - 1);
        taken = i % units == 0 ? 0 : taken;
        count += (int)(taken >> bank & 1);
        taken |= 1u << bank;
    }
    return count;
}

int best_pitch(ImgWarpPlace across, int words, int pitch)
{
    int best = pitch, least = clashes(across, words, pitch);
    for (int padded = pitch + 4; padded < pitch + 32; padded += 4) {
        const int count = clashes(across, words, padded);
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
    task->warp_down = steps(map.down, task->tall / task->warps);
    task->lanes_across = steps(map.across, LANES);
    task->sub_across = steps(map.sub_across, 1);
    task->sub_down = steps(map.sub_down, 1);
}

/* Largest distance between two positions of a tile along each axis, in whole pixels. */
struct Extent {
    int64_t width, height;
};

Extent extent_of(Task *task, const ImgWarpMap &map)
{
    const Spread x =
        spread_of(map.across.x, map.down.x, map.sub_across.x, map.sub_down.x, map, *task);
    const Spread y =
        spread_of(map.across.y, map.down.y, map.sub_across.y, map.sub_down.y, map, *task);
    set_steps(task, map, x, y);
    return {(x.most - x.least) >> IMG_WARP_PLACES, (y.most - y.least) >> IMG_WARP_PLACES};
}

double magnitude(double value)
{
    return value < 0 ? -value : value;
}

/* Computes the largest steps in pixels, in perspective, from one position to the next in its row
 * (`across`) and in its column (`down`). The derivative of x / w along a row is (x' w - x w') /
 * w^2. Its numerator is constant along a row and linear from row to row. So the numerator is
 * largest at a corner, and so is 1 / w. */
void find_steps(const ImgWarpProjection &projection, const ImgWarpSlope &of, int64_t columns,
                int64_t rows, double *across, double *down)
{
    const ImgWarpSlope &w = projection.w;
    double least = 0;
    *across = *down = 0;
    for (int corner = 0; corner < 4; corner++) {
        const int64_t column = corner % 2 > 0 ? columns - 1 : 0,
                      row = corner / 2 > 0 ? rows - 1 : 0;
        const double value = (double)img_warp_slope(&of, column, row);
        const double divisor = (double)img_warp_slope(&w, column, row);
        const double along = magnitude((double)of.across * divisor - value * (double)w.across);
        const double below = magnitude((double)of.down * divisor - value * (double)w.down);
        *across = along > *across ? along : *across;
        *down = below > *down ? below : *down;
        least = corner == 0 || divisor < least ? divisor : least;
    }
    const double pixels = projection.unit / (double)IMG_WARP_ONE / least / least;
    *across *= pixels;
    *down *= pixels;
}

int64_t projected_extent(const Task &task, const ImgWarpMap &map, const ImgWarpSlope &of)
{
    const double most = GROUP * LANES * task.warps;
    double across, down;
    find_steps(map.projection, of, (int64_t)task.dst.width * map.grid_width,
               (int64_t)task.dst.height * map.grid_height, &across, &down);
    const double extent = across * task.wide * map.grid_width + down * task.tall * map.grid_height;
    return extent < most ? (int64_t)extent + 2 : (int64_t)most;
}

/* Plans the boxes of tiles whose size is task->wide x task->tall. Returns the bytes of shared
 * memory that a box needs, or INT32_MAX if it is too large. */
int64_t plan(Task *task, const ImgWarpMap &map, int words)
{
    const Extent extent = map.is_projective ? Extent{projected_extent(*task, map, map.projection.x),
                                                     projected_extent(*task, map, map.projection.y)}
                                            : extent_of(task, map);
    const int64_t width = extent.width + 2 * task->half + GROUP;
    const int64_t height = extent.height + 2 * task->half;
    const int32_t threads = LANES * task->warps;
    if (width > GROUP * threads || height > GROUP * threads)
        return INT32_MAX;
    task->groups = (int32_t)(width + GROUP - 1) / GROUP;
    task->groups_reciprocal = (1 << 16) / task->groups + 1;
    task->strip_rows = (int32_t)(height - 1) / (threads / task->groups) + 1;
    task->strips = (int32_t)(height - 1) / task->strip_rows + 1;
    task->rows = task->strips * task->strip_rows;
    task->pitch = 4 * task->groups * GROUP * words;
    return (int64_t)(task->pitch + 4 * 28) * task->rows;
}

/* Sets limits for the positions of boxes. Boxes within task->inside are completely in the picture,
 * including `more` pixels to the right of the box. Boxes beyond task->outside show only
 * background. */
void set_limits(Task *task, int32_t more)
{
    const int32_t width = task->groups * GROUP, height = task->rows + 1;
    task->inside = {0, task->src.width - width - more, 0, task->src.height - height};
    task->outside = {-width, task->src.width, -height, task->src.height};
    if (task->constant == 0)
        task->outside = {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX};
}

/* Returns how far the position in the source moves from one pixel of the result to the next one in
 * its row. In perspective this differs from pixel to pixel; the function returns it for the middle
 * of the result. */
ImgWarpPlace step_across(const Task &task, const ImgWarpMap &map)
{
    const int32_t x = task.dst.width / 2, y = task.dst.height / 2;
    if (!map.is_projective)
        return map.across;
    const ImgWarpPlace from = img_warp_place(&map, x > 0 ? x - 1 : 0, y, 0, 0);
    const ImgWarpPlace to = img_warp_place(&map, x, y, 0, 0);
    return {to.x - from.x, to.y - from.y};
}

/* Returns true if the picture is within the limits of the kernel. The kernel has 32-bit strides and
 * 32-bit positions in whole pixels, so strides and sides are limited. Neighbouring pixels of the
 * result may be at most 64 pixels apart in the source, along each axis. A grid has at most 65535
 * rows of tiles (a limit of CUDA), and a tile has at least 8 rows. */
bool is_near(const Task &task, const ImgWarpMap &map)
{
    const int64_t far = IMG_WARP_ONE * 64;
    const int32_t large = 1 << 28;
    const ImgWarpPlace steps[] = {map.across, map.down};
    for (int i = 0; i < 2; i++)
        if (steps[i].x < -far || steps[i].x > far || steps[i].y < -far || steps[i].y > far)
            return false;
    return task.src.stride < UINT32_MAX && task.dst.stride < UINT32_MAX && task.src.width < large &&
           task.src.height < large && task.dst.width < large && task.dst.height < 65535 * 8;
}

} // namespace

int64_t warp_plan(Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most)
{
    static const int32_t sizes[][2] = {{64, 64}, {64, 32}, {32, 32}, {32, 16}, {32, 8}};
    const int64_t wanted = 56 << 10;
    int64_t bytes = INT32_MAX;
    if (!is_near(*task, *map))
        return 0;
    for (int i = 0; i < 5 && bytes > wanted; i++) {
        if (sizes[i][1] > most_tall)
            continue;
        task->wide = sizes[i][0];
        task->tall = sizes[i][1];
        bytes = plan(task, *map, words);
    }
    if (bytes > most)
        return 0;
    task->warp_rows = task->tall / task->warps;
    set_limits(task, more);
    task->pitch = 4 * best_pitch(step_across(*task, *map), words, task->pitch / 4);
    return (int64_t)task->pitch * task->rows;
}

/* --- Gray pictures with a background that has a colour ---------------------------------------- */

/* Converts a gray picture to RGB in the workspace of a GPU, before the picture is warped. */
ImgStatus img_warp_color_cuda(const ImgCall *call, ImgCall *own, ImgError *err)
{
    const ImgFormat to = call->dst.format;
    const ImgCanvas canvas = {}; /* without margins: the canvas has the same size as the picture */
    *own = *call;
    if (!img_warp_gets_color(call->src.format, to))
        return IMG_OK;
    const ImgShape shape = img_warp_source_shape(img_view_shape(&call->src), to);
    own->dst = img_view_make(call->workspace, img_device_pitch(shape), shape);
    const ImgStatus status = img_canvas_cuda_fast(own, &canvas, err);
    own->src = own->dst;
    own->dst = call->dst;
    return status;
}
