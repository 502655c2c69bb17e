/* Pictures in numbers. */
#include <math.h>
#include <string.h>

#include "app/library/picture.h"
#include "kernels/compare/compare.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "kernels/histogram/statistics.h"

/* --- Histograms ------------------------------------------------------------------------------- */

imgtool_status imgtool_histogram(imgtool_context *context, const imgtool_picture *picture,
                                 uint64_t *counts, size_t entries, int32_t *rows,
                                 imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    ImgParams params;
    ImgView view;
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && rows == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no place for the number of rows");
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_picture(picture, "picture", error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_view(picture, "picture", &view, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_samples(picture, "picture", error);
    if (begun != IMGTOOL_OK)
        return begun;
    img_params_init(&img_measure_histogram, &params);
    const ImgHistogramParams *how = (const void *)params.bytes;
    *rows = img_histogram_rows(view.format, how);
    if (counts == NULL)
        return IMGTOOL_OK;
    const size_t wanted = (size_t)*rows << view.format.bits;
    if (entries < wanted)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "counts: there is room for %zu entries, and %zu are needed", entries,
                            wanted);
    const ImgStatus status =
        img_histogram_count(&view, how, context->team, context->config.threads, counts, &failure);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_statistics_of(const uint64_t *counts, size_t entries,
                                     imgtool_statistics *statistics, imgtool_error *error)
{
    const size_t most = (size_t)UINT16_MAX + 1;
    if (counts == NULL || statistics == NULL || entries < 1 || entries > most)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            counts == NULL       ? "there are no counts"
                            : statistics == NULL ? "there is no place for the statistics"
                                                 : "a row of counts has 1 to 65536 entries");
    imgtool_status status =
        img_lib_check_size(statistics->size, sizeof *statistics, "imgtool_statistics", error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgStatistics found = img_statistics(counts, entries);
    const imgtool_statistics made = {.size = sizeof made,
                                     .pixels = found.pixels,
                                     .minimum = found.minimum,
                                     .maximum = found.maximum,
                                     .median = found.median,
                                     .mean = found.mean,
                                     .deviation = found.deviation,
                                     .entropy = found.entropy,
                                     .lowest = found.lowest,
                                     .highest = found.highest};
    img_lib_copy_struct(statistics, statistics->size, &made, sizeof made);
    return img_lib_end(NULL, IMG_OK, NULL, error);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* One of two pictures, in the format of both. */
typedef struct Side {
    ImgView view;
    ImgImage image; /* owned, where it had to be converted */
} Side;

static bool is_same(ImgFormat a, ImgFormat b)
{
    return a.color == b.color && a.bits == b.bits;
}

static ImgStatus bring_to(const imgtool_context *context, ImgFormat format, Side *side,
                          ImgError *err)
{
    if (is_same(side->view.format, format))
        return IMG_OK;
    const ImgShape shape = {side->view.width, side->view.height, format};
    ImgStatus status = img_image_alloc(shape, &side->image, err);
    if (status != IMG_OK)
        return status;
    img_compare_convert(&side->view, &side->image.view, context->team, context->config.threads);
    side->view = side->image.view;
    return IMG_OK;
}

static void tell(const ImgComparison *result, imgtool_difference *difference)
{
    const double mse = img_compare_mse(result);
    const imgtool_difference made = {
        .size = sizeof made,
        .pixels = result->pixels,
        .differing = result->differing,
        .largest = result->largest,
        .x = result->x,
        .y = result->y,
        .mse = mse,
        .psnr = img_compare_psnr(result, mse),
        .ssim = img_compare_ssim(result, img_compare_main_plane(result)),
    };
    img_lib_copy_struct(difference, difference->size, &made, sizeof made);
}

static imgtool_status read_side(const imgtool_picture *picture, const char *name, Side *side,
                                imgtool_error *error)
{
    imgtool_status status = img_lib_check_picture(picture, name, error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(picture, name, &side->view, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(picture, name, error);
    if (status == IMGTOOL_OK && picture->format.color == IMGTOOL_PALETTE)
        return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s: palettes are to be converted before",
                            name);
    return status;
}

imgtool_status imgtool_compare(imgtool_context *context, const imgtool_picture *a,
                               const imgtool_picture *b, imgtool_difference *difference,
                               imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    Side sides[2] = {{.image = IMG_IMAGE_NONE}, {.image = IMG_IMAGE_NONE}};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && difference == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no place for the difference");
    if (begun == IMGTOOL_OK)
        begun =
            img_lib_check_size(difference->size, sizeof *difference, "imgtool_difference", error);
    if (begun == IMGTOOL_OK)
        begun = read_side(a, "a", &sides[0], error);
    if (begun == IMGTOOL_OK)
        begun = read_side(b, "b", &sides[1], error);
    if (begun != IMGTOOL_OK)
        return begun;
    if (a->width != b->width || a->height != b->height)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "a has %d x %d pixels and b %d x %d: only pictures of one size can be "
                            "compared",
                            a->width, a->height, b->width, b->height);
    const ImgFormat format = img_compare_format(sides[0].view.format, sides[1].view.format);
    ImgComparison result;
    ImgStatus status = bring_to(context, format, &sides[0], &failure);
    if (status == IMG_OK)
        status = bring_to(context, format, &sides[1], &failure);
    if (status == IMG_OK)
        status = img_compare(&sides[0].view, &sides[1].view, context->team, context->config.threads,
                             &result, &failure);
    if (status == IMG_OK)
        tell(&result, difference);
    img_image_free(&sides[0].image);
    img_image_free(&sides[1].image);
    return img_lib_end(context, status, &failure, error);
}
