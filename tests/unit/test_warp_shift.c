/* Tests of rotate, affine and perspective with any filter: the picture must not shift, and a
 * constant picture must stay constant. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos4"};

enum { FILTERS = sizeof filters / sizeof *filters, WIDTH = 240, HEIGHT = 200 };

typedef struct Point {
    double x, y;
} Point;

/* A function that returns the position in the source from which the point `of` of the result comes.
 * Both positions are in pixels from the top left corner. */
typedef Point Comes(Point of, ImgShape result);

static Point by_rotation(Point of, ImgShape result)
{
    const double angle = 33.125 * 3.14159265358979324 / 180, c = cos(angle), s = sin(angle);
    const double x = of.x - result.width / 2.0, y = of.y - result.height / 2.0;
    return (Point){WIDTH / 2.0 + c * x + s * y, HEIGHT / 2.0 - s * x + c * y};
}

/* Applies the inverse of the matrix in the case below that uses this function. */
static Point by_matrix(Point of, ImgShape result)
{
    (void)result;
    const double x = of.x - 3.3, y = of.y - 40.7, determinant = 1.3 * 1.7 + 0.25 * 0.2;
    return (Point){(1.7 * x - 0.25 * y) / determinant, (0.2 * x + 1.3 * y) / determinant};
}

static Point by_small_matrix(Point of, ImgShape result)
{
    (void)result;
    return (Point){of.x / 0.37, of.y / 0.29};
}

/* The far side of the quadrilateral, at the top, reaches from x = 30 to 210, and the near side from
 * 0 to 240. Both are horizontal. The width of a row is proportional to 1 / w, where w changes
 * linearly with the rows of the result. */
static Point by_perspective(Point of, ImgShape result)
{
    const double w = 1.0 / 90 + of.y / result.height * (1.0 / 120 - 1.0 / 90), half = 1 / w;
    return (Point){120 + (2 * of.x / result.width - 1) * half, HEIGHT * (half - 90) / 30};
}

static const struct {
    const char *op, *options;
    Comes *comes;
} cases[] = {
    {"rotate", "angle=33.125 background=black", by_rotation},
    {"rotate", "angle=33.125 size=keep background=black", by_rotation},
    {"affine", "matrix=1.3,0.25,3.3,-0.2,1.7,40.7 size=380x400 background=black", by_matrix},
    {"affine", "matrix=0.37,0,0,0,0.29,0 size=90x60 background=black", by_small_matrix},
    {"perspective", "corners=30,0,210,0,240,200,0,200 size=300x260", by_perspective},
    {"perspective", "corners=30,0,210,0,240,200,0,200 size=90x70", by_perspective},
};

static const Point spots[] = {{120, 100}, {88.3, 101.7}, {131.9, 80.2}};

static double spot_value(Point spot, Point at)
{
    const double right = at.x - spot.x, below = at.y - spot.y;
    return 60000 * exp(-(right * right + below * below) / (2 * 5.0 * 5.0));
}

static uint16_t *picture_of(Point spot)
{
    uint16_t *picture = calloc((size_t)WIDTH * HEIGHT, sizeof *picture);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y * WIDTH + x] = (uint16_t)(0.5 + spot_value(spot, (Point){x + 0.5, y + 0.5}));
    return picture;
}

/* Returns the ideal result, in which each pixel is the mean of the spot at 4 x 4 positions. */
static uint16_t *ideal_of(Point spot, Comes *comes, ImgShape shape)
{
    uint16_t *picture = calloc((size_t)shape.width * (size_t)shape.height, sizeof *picture);
    for (int i = 0; i < shape.width * shape.height; i++) {
        double sum = 0;
        const int x = i % shape.width, y = i / shape.width;
        for (int k = 0; k < 16; k++) {
            const int column = k % 4, row = k / 4;
            const Point of = {x + (column + 0.5) / 4, y + (row + 0.5) / 4};
            sum += spot_value(spot, comes(of, shape)) / 16;
        }
        picture[i] = (uint16_t)(sum + 0.5);
    }
    return picture;
}

static Point centroid(const uint16_t *samples, ImgShape shape)
{
    double sum = 0, x_sum = 0, y_sum = 0;
    for (int y = 0; y < shape.height; y++)
        for (int x = 0; x < shape.width; x++) {
            const double value = samples[y * shape.width + x];
            sum += value;
            x_sum += value * (x + 0.5);
            y_sum += value * (y + 0.5);
        }
    return (Point){x_sum / sum, y_sum / sum};
}

/* Expects that case `i` shifts spot `s` by less than 1/64 of a pixel. The bound for nearest is
 * 1/16, because its pixels jump by a whole pixel. */
static void expect_unshifted(size_t i, size_t s)
{
    const ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_GRAY, 16}};
    uint16_t *picture = picture_of(spots[s]);
    Point wanted = {0, 0};
    for (int f = 0; f < FILTERS; f++) {
        const double bound = f == 0 ? 1.0 / 16 : 1.0 / 64;
        char options[128];
        ImgShape result;
        snprintf(options, sizeof options, "%s filter=%s", cases[i].options, filters[f]);
        uint16_t *got = run_op(cases[i].op, options, shape, picture, &result);
        /* The results of all filters have the same size, so one ideal result is enough. */
        if (f == 0) {
            uint16_t *ideal = ideal_of(spots[s], cases[i].comes, result);
            wanted = centroid(ideal, result);
            free(ideal);
        }
        const Point found = centroid(got, result);
        cr_expect(fabs(found.x - wanted.x) < bound && fabs(found.y - wanted.y) < bound,
                  "%s %s, spot %zu: %f, %f beside", cases[i].op, options, s, found.x - wanted.x,
                  found.y - wanted.y);
        free(got);
    }
    free(picture);
}

Test(warp_shift, centroids_stay)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t s = i % EVERY(3); s < sizeof spots / sizeof *spots; s += EVERY(3))
            expect_unshifted(i, s);
}

Test(warp_shift, one_colour_stays)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8},  {IMG_COLOR_RGB, 8},
                                        {IMG_COLOR_RGB, 16},  {IMG_COLOR_RGBA, 8},
                                        {IMG_COLOR_RGBA, 16}, {IMG_COLOR_GRAY_ALPHA, 8}};
    enum { FORMATS = sizeof formats / sizeof *formats };
    /* Tries a third of the combinations of case, filter and format. Each case occurs with each
     * filter and with each format, and each filter with each format. (With sanitizers only the
     * first three formats are tried.) */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f = 0; f < FILTERS; f++)
            for (size_t k = (i + (size_t)f) % 3; k < FORMATS; k += 3 * EVERY(2)) {
                const ImgShape shape = {WIDTH, HEIGHT, formats[k]};
                const bool has_alpha = img_format_has_alpha(formats[k]);
                const size_t size = (size_t)WIDTH * HEIGHT * img_format_pixel_size(formats[k]);
                char options[128];
                ImgShape result;
                uint8_t *picture = malloc(size);
                memset(picture, has_alpha ? 255 : 0x35, size);
                snprintf(options, sizeof options, "%.*s background=%s filter=%s",
                         (int)strcspn(cases[i].options, "b"), cases[i].options,
                         has_alpha ? "white" : "#353535", filters[f]);
                uint8_t *got = run_op(cases[i].op, options, shape, picture, &result);
                for (size_t at = 0; at < (size_t)result.width * (size_t)result.height *
                                             img_format_pixel_size(result.format);
                     at++)
                    cr_assert_eq(got[at], picture[0], "%s, format %zu", options, k);
                free(got);
                free(picture);
            }
}
