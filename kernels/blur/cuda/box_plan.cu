/* Chooses how boxblur on CUDA divides its work among threads: the "near" box, for a small radius
 * (box_near.cuh), and the "far" box, for a large one (box_far.cuh). */
#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/blur/cuda/box_near.cuh"

#include <string.h>

#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int THREADS_MOST = 384, WARP_THREADS = 128;
constexpr int SHARED_MOST = 200 * 1024;
constexpr int ROWS_LEAST = 12, ROWS_WANTED = 128;
constexpr int ROWS_MOST = 256; /* most rows per band; the sum of 256 bytes fits in 16 bits */
/* smallest radius for which a separate kernel computes the column sums at the start of bands */
constexpr int STARTS_FROM = 12;
/* cost of a team whose warps must synchronise, relative to a team of one warp */
constexpr double BARRIER = 1.3;
/* smallest number of threads that keeps a multiprocessor busy; each thread uses 80 registers, so
 * about 800 threads fit */
constexpr int BUSY = 768;

int rounded_up(int64_t number, int to)
{
    return (int)((number + to - 1) / to * to);
}

/* Returns how many blocks of `threads` threads a multiprocessor can run at the same time. */
int blocks_at_once(int threads, int bytes_per_thread)
{
    const int by_registers = 65536 / (80 * threads);
    const int by_memory = 220 * 1024 / (threads * bytes_per_thread + 1024);
    return by_registers < by_memory ? by_registers : by_memory > 0 ? by_memory : 1;
}

/* Chooses the number of threads per team. Large teams waste fewer columns on margins, but teams of
 * one warp need no barrier, and multiprocessors must stay busy. */
void choose_team(BoxPlan &plan, int32_t width, int pixels, int bytes_per_thread)
{
    double least = 0;
    for (int team = 32; team <= THREADS_MOST; team += 32) {
        const int columns = team * pixels - 2 * plan.margin;
        const int threads = team == 32 ? WARP_THREADS : team;
        if (team * bytes_per_thread > SHARED_MOST || columns <= 0)
            continue;
        const int busy = threads * blocks_at_once(threads, bytes_per_thread);
        const int strips = (width - 1) / columns + 1;
        const double cost = (double)strips * team * (busy < BUSY ? (double)BUSY / busy : 1) *
                            (team == 32 ? 1 : BARRIER);
        if (least != 0 && cost >= least)
            continue;
        least = cost;
        plan.team = team;
        plan.threads = threads;
        plan.columns = columns;
        plan.strips = strips;
    }
}

/* Chooses the number of rows per band that keeps all teams busy all the time. The teams process the
 * bands of all strips in rounds, one band per team and round. There are as many rounds as with
 * bands of about ROWS_WANTED rows. */
void choose_bands(BoxPlan &plan, int32_t height, int64_t teams)
{
    const int64_t turns = ((int64_t)height * plan.strips - 1) / (teams * ROWS_WANTED) + 1;
    const int64_t bands = teams * turns / plan.strips;
    plan.rows = (int32_t)((height - 1) / (bands > 0 ? bands : 1) + 1);
    plan.rows = plan.rows < ROWS_LEAST ? ROWS_LEAST : plan.rows > ROWS_MOST ? ROWS_MOST : plan.rows;
    plan.bands = (height - 1) / plan.rows + 1;
}

/* Returns the position of `bytes` more bytes of the workspace. */
template <typename Plan> size_t take(Plan &plan, size_t bytes)
{
    const size_t at = plan.bytes;
    plan.bytes += (bytes + 255) / 256 * 256;
    return at;
}

void lay_out(BoxPlan &plan, ImgShape shape, int pixel_bytes)
{
    const int channels = img_format_channels(shape.format);
    const size_t samples = (size_t)plan.groups * box_pixels(channels) * channels;
    const size_t bands = (size_t)plan.bands + 2 * plan.reach + 1;
    plan.side_stride = (size_t)(plan.margin + plan.right) * pixel_bytes;
    plan.bytes = 256; /* bytes for the pixels of the background */
    plan.sides_at = take(plan, plan.side_stride * shape.height);
    if (!plan.starts_first)
        return;
    plan.parts_bytes = bands * samples * (shape.format.bits == 16 ? 4 : 2);
    plan.parts_at = take(plan, 3 * plan.parts_bytes);
    plan.starts_at = take(plan, plan.bands * samples * sizeof(uint32_t));
}

} // namespace

ImgStatus plan_box(const ImgBox &box, ImgShape shape, BoxPlan &plan, ImgError *err)
{
    const int bits = shape.format.bits, channels = img_format_channels(shape.format);
    const int pixels = box_pixels(channels);
    const int bytes_per_thread = 2 * pixels * channels * (int)sizeof(uint32_t);
    int processors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &processors, err);
    if (status != IMG_OK)
        return status;
    memset(&plan, 0, sizeof plan);
    plan.margin = rounded_up(box.radius + 1, pixels);
    choose_team(plan, shape.width, pixels, bytes_per_thread);
    choose_bands(plan, shape.height,
                 (int64_t)processors * blocks_at_once(plan.threads, bytes_per_thread) *
                     (plan.threads / plan.team));
    plan.inside = shape.width / pixels * pixels;
    plan.right = rounded_up(shape.width + box.radius - plan.inside, pixels);
    plan.groups = (plan.strips * plan.columns + 2 * plan.margin) / pixels;
    plan.reach = box.radius / plan.rows;
    plan.rest = box.radius % plan.rows;
    plan.starts_first = box.radius >= STARTS_FROM;
    lay_out(plan, shape, channels * (bits == 16 ? 2 : 1));
    return IMG_OK;
}

/* --- The "far" box ---------------------------------------------------------------------------- */

namespace
{

constexpr int WARPS_AT_ONCE = 20; /* warps that run on a multiprocessor at the same time */

int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns number / by, rounded down, also for a negative number. */
int32_t quotient(int64_t number, int64_t by)
{
    return (int32_t)(number >= 0 ? number / by : -((-number + by - 1) / by));
}

BoxAxis axis_of(int32_t length, int32_t size, int32_t radius)
{
    const int32_t side = 2 * radius + 1;
    BoxAxis axis;
    axis.size = size;
    axis.count = (length - 1) / size + 1;
    axis.back = (side - 1) / size + 1;
    axis.cut = axis.back * size - side;
    return axis;
}

/* Returns how far `side`, the height of the window, is from the nearest multiple of `rows`, the
 * rows per band. If this distance is small, warps of different bands read the same rows at about
 * the same time. */
int32_t mismatch(int32_t side, int32_t rows)
{
    return least(side % rows, rows - side % rows);
}

/* Returns the number of rows per band that keeps all warps busy all the time. The warps process the
 * bands of all strips in rounds, one band per warp and round. There are as many rounds as with
 * bands of about ROWS_WANTED rows. */
int32_t rows_of_bands(int32_t height, int32_t strips, int64_t warps, int32_t side)
{
    const int64_t turns = ((int64_t)height * strips - 1) / (warps * ROWS_WANTED) + 1;
    const int64_t bands = most((int32_t)(warps * turns / strips), 1);
    int32_t rows = least(most((int32_t)((height - 1) / bands + 1), ROWS_LEAST), ROWS_MOST);
    if (turns == 1)
        return rows;
    int32_t best = rows;
    for (int32_t other = rows - rows / 4; other <= least(rows + rows / 4, ROWS_MOST); other++)
        if (mismatch(side, other) < mismatch(side, best))
            best = other;
    return best;
}

/* Chooses which pieces outside a picture of `width` pixels are stored: those that the strips
 * contain, and those that the cells to the left of the first strip contain. */
void choose_slots(BoxFarPlan &plan, int32_t width, int pixel_bytes, int32_t radius)
{
    const int32_t end = plan.across.count * plan.across.size + radius;
    plan.right_first = width * pixel_bytes / BOX_PIECE;
    plan.right_slots = plan.repeats ? 4 : end * pixel_bytes / BOX_PIECE + 2 - plan.right_first;
    plan.left_slots = plan.repeats ? 3 : (radius + plan.across.size) * pixel_bytes / BOX_PIECE + 2;
}

/* Chooses the bands whose sums are stored. These are the bands that squares reach. If all rows
 * beyond an edge are equal, one band above the picture and one band below it stand for all bands
 * there. */
void choose_kept(BoxFarPlan &plan, int32_t height, int32_t radius)
{
    const int32_t rows = plan.down.size;
    int32_t end = plan.down.count;
    plan.first_band = -plan.down.back;
    if (plan.repeats) {
        plan.first_band = most(plan.first_band, quotient(-(int64_t)radius, rows) - 1);
        end = least(end, quotient((int64_t)height - radius - 1, rows) + 2);
        end = most(end, plan.first_band + 1);
    }
    plan.kept_bands = end - plan.first_band;
}

void lay_out(BoxFarPlan &plan, ImgShape shape, int32_t side)
{
    const size_t channels = (size_t)img_format_channels(shape.format);
    const size_t size = shape.format.bits == 16 ? 2 : 1, total = 4 * size;
    const size_t height = (size_t)shape.height, strips = (size_t)plan.across.count;
    const size_t cells = strips + (size_t)plan.across.back;
    plan.samples = (int32_t)(cells * (size_t)plan.across.size * channels);
    plan.side_stride = (uint32_t)(plan.right_slots + plan.left_slots) * BOX_PIECE;
    plan.parts_bytes = (size_t)plan.kept_bands * (size_t)plan.samples * 2 * size;
    plan.bytes = 0;
    (void)take(plan, (size_t)plan.side_stride * (height + 1));
    plan.parts_at = take(plan, 2 * plan.parts_bytes);
    plan.starts_at = take(plan, (size_t)plan.down.count * (size_t)plan.samples * sizeof(uint32_t));
    plan.rows_at = take(plan, cells * channels * 2 * height * sizeof(uint32_t));
    plan.prefixes_at = take(plan, strips * channels * height * total);
    plan.bases_at = take(plan, strips * (size_t)box_base_places((int)channels) * height * total);
    plan.lines_at = take(plan, (height + (size_t)side + 1) * sizeof(int32_t));
}

} // namespace

ImgStatus plan_far_box(const ImgBox &box, ImgShape shape, BoxFarPlan &plan, ImgError *err)
{
    const int pixels = img_format_channels(shape.format) == 3 ? 8 : 16;
    int processors;
    ImgStatus status = device_attribute(cudaDevAttrMultiProcessorCount, &processors, err);
    if (status != IMG_OK)
        return status;
    memset(&plan, 0, sizeof plan);
    plan.repeats = box.border == IMG_BORDER_REPLICATE || box.border == IMG_BORDER_CONSTANT;
    plan.across = axis_of(shape.width, BOX_LANES * pixels, box.radius);
    const int32_t rows = rows_of_bands(shape.height, plan.across.count,
                                       (int64_t)processors * WARPS_AT_ONCE, 2 * box.radius + 1);
    plan.down = axis_of(shape.height, rows, box.radius);
    choose_slots(plan, shape.width, (int)img_format_pixel_size(shape.format), box.radius);
    choose_kept(plan, shape.height, box.radius);
    lay_out(plan, shape, 2 * box.radius + 1);
    return IMG_OK;
}
