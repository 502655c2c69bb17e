/* Chooses how the "near" box on CUDA (boxblur with a small radius) divides its work among threads
 * (box_plan.cuh). */
#include "kernels/blur/cuda/box_plan.cuh"

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

size_t take(BoxPlan &plan, size_t bytes)
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
