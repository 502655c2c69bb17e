/* Random files as values of parameters (fill.h). */
#include "tests/checkkernels/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"

/* Heads of all file formats that operations read: tables and convolution kernels. A text is a head
 * and rows of random numbers, some below 0 or above 1. An operation accepts only texts of its own
 * format. */
static const struct {
    const char *head;
    int rows, columns;
} texts[] = {
    {"LUT_3D_SIZE 5", 125, 3},
    {"LUT_1D_SIZE 40", 40, 3},
    {"LUT_3D_SIZE 2", 8, 3},
    {"LUT_3D_SIZE 9\nDOMAIN_MIN 0 -0.5 0.1\nDOMAIN_MAX 0.9 2 1.5", 729, 3},
    {"", 3, 3},
    {"0 -1 0\n-1 5 -1\n0 -1 0", 0, 0},
    {"0 1 0\n1 -4 1\n0 1 0", 0, 0},
    {"1", 0, 0},
    {"", 1, 9},
    {"", 5, 3},
    {"", 31, 31},
};

enum { COUNT = sizeof texts / sizeof *texts, NUMBER_BYTES = 16, HEAD_BYTES = 256 };

static ImgStatus make_text(const ImgOp *op, uint32_t number, ImgConstants *content, ImgError *err)
{
    Random random = {(uint64_t)number + 1};
    const int rows = texts[number].rows, columns = texts[number].columns;
    const size_t room = HEAD_BYTES + (size_t)rows * (size_t)columns * NUMBER_BYTES;
    char *text = malloc(room);
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    size_t used = (size_t)snprintf(text, room, "%s\n", texts[number].head);
    for (int i = 0; i < rows * columns; i++)
        used += (size_t)snprintf(text + used, room - used, "%.3f%s",
                                 (int)random_below(&random, 1200) * 1e-3 - 0.1,
                                 i % columns + 1 < columns ? " " : "\n");
    ImgStatus status = op->file.read(text, used, content, err);
    free(text);
    return status;
}

/* The content that ImgOp.file.read of the operation `op` made from a random text. Another operation
 * may reject the same text. `op` is NULL until an operation has read the text. */
typedef struct Made {
    const ImgOp *op;
    ImgConstants content;
} Made;

static bool is_read(const ImgOp *op, uint32_t number, Made *made, ImgError *err)
{
    img_error_clear(err);
    if (made->op == NULL && make_text(op, number, &made->content, err) == IMG_OK)
        made->op = op;
    return made->op == op;
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Shapes of the pictures in files, in various formats. Some are larger and some are smaller than
 * the picture on which the operation runs. */
static const ImgShape pictures[] = {
    {1, 1, {IMG_COLOR_RGBA, 8}},         {5, 3, {IMG_COLOR_GRAY, 1}},
    {33, 31, {IMG_COLOR_RGBA, 8}},       {7, 64, {IMG_COLOR_RGB, 16}},
    {64, 7, {IMG_COLOR_GRAY_ALPHA, 16}}, {200, 90, {IMG_COLOR_RGBA, 16}},
    {17, 130, {IMG_COLOR_RGB, 8}},       {3, 2, {IMG_COLOR_GRAY, 4}},
};

enum { PICTURES = sizeof pictures / sizeof *pictures };

static ImgPicture *make_picture(uint32_t number)
{
    const ImgShape shape = pictures[number];
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    ImgPicture *picture = malloc(sizeof *picture + row * (size_t)shape.height);
    Random random = {(uint64_t)number + 1};
    if (picture == NULL)
        abort();
    picture->shape = shape;
    const ImgView view = img_view_make(picture->pixels, row, shape);
    fill_view(&view, FILL_RANDOM, &random);
    /* The samples of the middle row are all the largest value, or all 0. So with an alpha channel
     * the row is opaque or transparent. */
    memset(picture->pixels + row * (size_t)(shape.height / 2), number % 2 == 0 ? 0xff : 0, row);
    if (shape.format.bits < 8)
        for (size_t i = 0; i < row * (size_t)shape.height; i++)
            picture->pixels[i] &= (uint8_t)img_format_maximum(shape.format);
    return picture;
}

static void draw_picture(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params)
{
    static ImgPicture *made[PICTURES];
    const uint32_t number = random_below(random, PICTURES);
    char name[32];
    if (made[number] == NULL)
        made[number] = make_picture(number);
    snprintf(name, sizeof name, "picture-%u", number);
    (void)img_params_set(op, params, param->name, name, NULL);
    img_params_set_content(param, params, made[number]);
}

void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params)
{
    enum { TRIES = 1000 };
    static Made made[COUNT];
    uint32_t number = random_below(random, COUNT);
    char name[32];
    ImgError err = {IMG_OK, ""};
    if (op->file.is_picture) {
        draw_picture(op, param, random, params);
        return;
    }
    for (int i = 0; !is_read(op, number, &made[number], &err); i++) {
        if (i == TRIES) {
            fprintf(stderr, "checkkernels: %s reads no text: %s\n", op->name, err.message);
            abort();
        }
        number = random_below(random, COUNT);
    }
    snprintf(name, sizeof name, "made-%u", number);
    (void)img_params_set(op, params, param->name, name, NULL);
    img_params_set_content(param, params, made[number].content.bytes);
}
