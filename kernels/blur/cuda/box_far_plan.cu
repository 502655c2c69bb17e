/* Chooses how the "far" box on CUDA (boxblur with a large radius) divides its work among warps
 * (box_far.cuh). */
#include <string.h>

#include "kernels/blur/cuda/box_far.cuh"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int WARPS_AT_ONCE = 20; /* warps that run on a multiprocessor at the same time */
constexpr int ROWS_LEAST = 12, ROWS_WANTED = 128;
constexpr int ROWS_MOST = 256; /* most rows per band; the sum of 256 bytes fits in 16 bits */

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

size_t take(BoxFarPlan &plan, size_t bytes)
{
    const size_t at = plan.bytes;
    plan.bytes += (bytes + 255) / 256 * 256;
    return at;
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
