/* Measures pictures: histograms, statistics and comparison. */
#include <math.h>
#include <string.h>

#include "app/library/context.h"
#include "app/library/picture.h"
#include "io/size_text.h"
#include "kernels/compare/compare.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "kernels/histogram/statistics.h"

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns the working memory in bytes that a measurement takes with `threads` threads. */
typedef uint64_t WorkingBytes(const ImgView *view, int threads);

/* Sets *threads to the largest number of threads, up to the context's, for which the measurement
 * fits in max_memory. `held` is the size, in bytes, of pictures and counts. Fails with IMG_E_LIMIT
 * if one thread does not fit. */
static ImgStatus plan_threads(const imgtool_context *context, const ImgView *view, uint64_t held,
                              WorkingBytes *working_bytes, int *threads, ImgError *err)
{
    const uint64_t limit = context->limits.max_memory;
    *threads = context->config.threads;
    while (*threads > 1 && held + working_bytes(view, *threads) > limit)
        --*threads;
    const uint64_t need = held + working_bytes(view, *threads);
    return need <= limit
               ? IMG_OK
               : img_fail_memory("the pictures and what measures them", need, limit, NULL, err);
}

/* --- Histograms ------------------------------------------------------------------------------- */

static ImgParams histogram_params(void)
{
    ImgParams params;
    img_params_init(&img_measure_histogram, &params);
    return params;
}

static uint64_t histogram_bytes(const ImgView *view, int threads)
{
    const ImgParams params = histogram_params();
    return img_histogram_scratch(img_view_shape(view), params.bytes, threads);
}

imgtool_status imgtool_histogram(imgtool_context *context, const imgtool_picture *picture,
                                 uint64_t *counts, size_t entries, int32_t *rows,
                                 imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    const ImgParams params = histogram_params();
    ImgView view;
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && rows == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "rows is NULL");
    if (begun == IMGTOOL_OK)
        begun = img_lib_read_picture(context, picture, "picture", &view, error);
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgHistogramParams *how = (const void *)params.bytes;
    *rows = img_histogram_rows(view.format, how);
    if (counts == NULL)
        return IMGTOOL_OK;
    const size_t wanted = (size_t)*rows << view.format.bits;
    if (entries < wanted)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "counts: the buffer has room for %zu entries, and %zu are needed",
                            entries, wanted);
    int threads = 1;
    ImgStatus status =
        plan_threads(context, &view, img_lib_view_bytes(&view) + wanted * sizeof *counts,
                     histogram_bytes, &threads, &failure);
    if (status == IMG_OK)
        status = img_histogram_count(&view, how, context->team, threads, counts, &failure);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_statistics_of(const uint64_t *counts, size_t entries,
                                     imgtool_statistics *statistics, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    const size_t most = (size_t)UINT16_MAX + 1;
    if (counts == NULL || statistics == NULL || entries < 1 || entries > most)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            counts == NULL       ? "counts is NULL"
                            : statistics == NULL ? "statistics is NULL"
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

/* One of the two pictures to compare, in the common format. */
typedef struct Side {
    ImgView view;
    ImgImage image; /* owned copy, if a conversion was needed */
} Side;

static ImgStatus convert_side(const imgtool_context *context, ImgFormat format, int threads,
                              Side *side, ImgError *err)
{
    if (img_format_equals(side->view.format, format))
        return IMG_OK;
    const ImgShape shape = {side->view.width, side->view.height, format};
    ImgStatus status = img_image_alloc(shape, &side->image, err);
    if (status != IMG_OK)
        return status;
    img_compare_convert(&side->view, &side->image.view, context->team, threads);
    side->view = side->image.view;
    return IMG_OK;
}

static void fill_difference(const ImgComparison *result, imgtool_difference *difference)
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

static imgtool_status read_side(const imgtool_context *context, const imgtool_picture *picture,
                                const char *name, Side *side, imgtool_error *error)
{
    imgtool_status status = img_lib_read_picture(context, picture, name, &side->view, error);
    if (status == IMGTOOL_OK && picture->format.color == IMGTOOL_PALETTE)
        return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s: palettes must be converted first",
                            name);
    return status;
}

static uint64_t compare_bytes(const ImgView *common, int threads)
{
    return img_compare_bytes(img_view_shape(common), threads);
}

/* Checks that the two pictures and their converted copies fit in max_memory, and chooses the number
 * of threads. */
static ImgStatus plan_comparison(const imgtool_context *context, const Side sides[2],
                                 ImgFormat format, int *threads, ImgError *err)
{
    const ImgShape shape = {sides[0].view.width, sides[0].view.height, format};
    const ImgView common = img_view_make(NULL, 0, shape);
    uint64_t held = 0;
    for (int i = 0; i < 2; i++)
        held += img_lib_view_bytes(&sides[i].view) +
                (img_format_equals(sides[i].view.format, format) ? 0 : img_lib_view_bytes(&common));
    return plan_threads(context, &common, held, compare_bytes, threads, err);
}

static ImgStatus compare(const imgtool_context *context, Side sides[2],
                         imgtool_difference *difference, ImgError *err)
{
    const ImgFormat format = img_compare_format(sides[0].view.format, sides[1].view.format);
    ImgComparison result;
    int threads = 1;
    ImgStatus status = plan_comparison(context, sides, format, &threads, err);
    for (int i = 0; status == IMG_OK && i < 2; i++)
        status = convert_side(context, format, threads, &sides[i], err);
    if (status == IMG_OK)
        status = img_compare(&sides[0].view, &sides[1].view, context->team, threads, &result, err);
    if (status == IMG_OK)
        fill_difference(&result, difference);
    return status;
}

imgtool_status imgtool_compare(imgtool_context *context, const imgtool_picture *a,
                               const imgtool_picture *b, imgtool_difference *difference,
                               imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    Side sides[2] = {{.image = IMG_IMAGE_NONE}, {.image = IMG_IMAGE_NONE}};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && difference == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "difference is NULL");
    if (begun == IMGTOOL_OK)
        begun =
            img_lib_check_size(difference->size, sizeof *difference, "imgtool_difference", error);
    if (begun == IMGTOOL_OK)
        begun = read_side(context, a, "a", &sides[0], error);
    if (begun == IMGTOOL_OK)
        begun = read_side(context, b, "b", &sides[1], error);
    if (begun != IMGTOOL_OK)
        return begun;
    if (a->width != b->width || a->height != b->height)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "a has %d x %d pixels and b %d x %d: only pictures of one size can be "
                            "compared",
                            a->width, a->height, b->width, b->height);
    const ImgStatus status = compare(context, sides, difference, &failure);
    img_image_free(&sides[0].image);
    img_image_free(&sides[1].image);
    return img_lib_end(context, status, &failure, error);
}
