/* Prints results of compare as JSON. */
#include <string.h>

#include "app/compare/compare.h"
#include "app/text/json.h"

static const char *const channels_of_all[] = {"red", "green", "blue", "gray", "luma", "alpha"};

static void add_figures(cJSON *object, const ImgComparison *result, double mse, int ssim_plane,
                        const ImgPlaneDifference *difference, bool *failed)
{
    json_number(object, "mse", mse, failed);
    /* PSNR is infinite if the pictures are equal; JSON then gets null. */
    json_number(object, "psnr_db", img_compare_psnr(result, mse), failed);
    json_number(object, "ssim", img_compare_ssim(result, ssim_plane), failed);
    json_count(object, "largest", difference->largest, failed);
    json_count(object, "differing", difference->differing, failed);
    json_number(object, "differing_share", (double)difference->differing / (double)result->pixels,
                failed);
}

static void add_all(cJSON *root, const ImgComparison *result, bool *failed)
{
    const ImgPlaneDifference difference = {.largest = result->largest,
                                           .differing = result->differing};
    cJSON *all = json_object(root, "all", failed);
    add_figures(all, result, img_compare_mse(result), img_compare_main_plane(result), &difference,
                failed);
    if (result->differing == 0) {
        json_null(all, "largest_at", failed);
        return;
    }
    cJSON *place = json_object(all, "largest_at", failed);
    json_number(place, "x", result->x, failed);
    json_number(place, "y", result->y, failed);
}

/* Returns the index of the channel with this name, or -1. For a gray picture, "luma" is the gray
 * channel, as in `stats`. */
static int find_plane(const ImgComparison *result, const char *name)
{
    if (!result->has_luma && strcmp(name, "luma") == 0)
        name = "gray";
    for (int plane = 0; plane < result->planes; plane++)
        if (strcmp(compare_plane_name(result, plane), name) == 0)
            return plane;
    return -1;
}

static void add_channels(cJSON *root, const ImgComparison *result, bool *failed)
{
    cJSON *channels = json_object(root, "channels", failed);
    for (size_t i = 0; i < sizeof channels_of_all / sizeof *channels_of_all; i++) {
        int plane = find_plane(result, channels_of_all[i]);
        if (plane < 0)
            json_null(channels, channels_of_all[i], failed);
        else
            add_figures(json_object(channels, channels_of_all[i], failed), result,
                        img_compare_plane_mse(result, plane), plane, &result->plane[plane], failed);
    }
}

static void add_pictures(cJSON *root, const CompareReport *report, bool *failed)
{
    cJSON *files = json_array(root, "files", failed);
    for (int i = 0; i < 2; i++) {
        cJSON *file = json_object(files, NULL, failed);
        json_file_name(file, report->paths[i], failed);
        json_shape(file, report->shapes[i], failed);
    }
}

void compare_add_json(cJSON *root, const CompareReport *report, const Settings *settings,
                      bool *failed)
{
    const ImgComparison *result = &report->result;
    add_pictures(root, report, failed);
    cJSON *as = json_object(root, "compared_as", failed);
    json_string(as, "color", img_color_name(result->format.color), failed);
    json_number(as, "bits", result->format.bits, failed);
    json_number(as, "maximum", img_format_maximum(result->format), failed);
    json_count(root, "pixels", result->pixels, failed);
    json_count(root, "transparent_in_both", result->transparent, failed);
    json_bool(root, "equal", result->differing == 0, failed);
    json_number(root, "tolerance", settings->tolerance, failed);
    json_bool(root, "within_tolerance", result->largest <= (uint32_t)settings->tolerance, failed);
    add_all(root, result, failed);
    add_channels(root, result, failed);
}
