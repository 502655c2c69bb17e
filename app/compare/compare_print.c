/* Prints results of compare as a table. */
#include <inttypes.h>
#include <math.h>

#include "app/compare/compare.h"
#include "app/text/amounts.h"
#include "app/text/streams.h"
#include "app/text/text.h"

enum { NUMBER_SIZE = 40 };

const char *compare_plane_name(const ImgComparison *result, int plane)
{
    static const char *const names[] = {"red", "green", "blue"};
    if (result->has_luma && plane == result->planes - 1)
        return "luma";
    if (img_format_has_alpha(result->format) && plane == img_format_channels(result->format) - 1)
        return "alpha";
    return result->has_luma ? names[plane] : "gray";
}

/* Writes SSIM as text. If the pictures differ, the text is never "1.000000", even after
 * rounding. */
static const char *ssim_text(double ssim, bool equal, char text[NUMBER_SIZE])
{
    bool rounds_up = !equal && ssim >= 0.9999995;
    snprintf(text, NUMBER_SIZE, "%.6f", rounds_up ? 0.999999 : ssim);
    return text;
}

static const char *psnr_text(double psnr, char text[NUMBER_SIZE])
{
    snprintf(text, NUMBER_SIZE, isinf(psnr) ? "inf" : "%.3f", psnr);
    return text;
}

typedef struct Row {
    const char *name;
    double mse, ssim;
    uint32_t largest;
    uint64_t differing;
    bool similar; /* true if SSIM is exactly 1 */
} Row;

static Row plane_row(const ImgComparison *result, int plane)
{
    return (Row){compare_plane_name(result, plane), img_compare_plane_mse(result, plane),
                 img_compare_ssim(result, plane),   result->plane[plane].largest,
                 result->plane[plane].differing,    result->plane[plane].differing == 0};
}

static Row row_of_all(const ImgComparison *result)
{
    int main = img_compare_main_plane(result);
    return (Row){"all",           img_compare_mse(result), img_compare_ssim(result, main),
                 result->largest, result->differing,       result->plane[main].differing == 0};
}

static void print_row(FILE *out, const ImgComparison *result, Row row)
{
    char psnr[NUMBER_SIZE], ssim[NUMBER_SIZE], share[AMOUNT_TEXT];
    psnr_text(img_compare_psnr(result, row.mse), psnr);
    ssim_text(row.ssim, row.similar, ssim);
    fprintf(out, "%-6s %14.7g %10s %10s %8u %12" PRIu64 " %9s %%\n", row.name, row.mse, psnr, ssim,
            row.largest, row.differing,
            img_amount_print_percent(row.differing, result->pixels, 3, share));
}

static void print_picture(FILE *out, const char *path, ImgShape shape)
{
    text_clean(out, img_streams_input_name(path));
    fprintf(out, ": %d x %d, %s, %d bit%s\n", shape.width, shape.height,
            img_color_name(shape.format.color), shape.format.bits,
            shape.format.bits == 1 ? "" : "s");
}

void compare_print(FILE *out, const CompareReport *report)
{
    const ImgComparison *result = &report->result;
    for (int i = 0; i < 2; i++)
        print_picture(out, report->paths[i], report->shapes[i]);
    fprintf(out, "compared as %s of %d bits%s\n\n", img_color_name(result->format.color),
            result->format.bits, report->converted ? ", to which they were converted exactly" : "");
    fprintf(out, "%-6s %14s %10s %10s %8s %12s %11s\n", "", "MSE", "PSNR dB", "SSIM", "largest",
            "differing", "of pixels");
    for (int p = 0; p < result->planes; p++)
        print_row(out, result, plane_row(result, p));
    print_row(out, result, row_of_all(result));
    fputc('\n', out);
    if (result->transparent > 0)
        fprintf(out,
                "fully transparent in both, which counts as equal: %" PRIu64 " of %" PRIu64
                " pixels\n",
                result->transparent, result->pixels);
    if (result->differing == 0)
        fputs("the pictures are equal\n", out);
    else
        fprintf(out, "the largest difference, %u of %u, is first at x %d, y %d\n", result->largest,
                img_format_maximum(result->format), result->x, result->y);
}
