/* See draw_file.h. */
#include "tests/checkkernels/draw_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/params.h"

/* Tables, all of random entries, some of which are beyond 0 and 1. */
static const struct {
    const char *head;
    int lines;
} tables[] = {
    {"LUT_3D_SIZE 5", 125},
    {"LUT_1D_SIZE 40", 40},
    {"LUT_3D_SIZE 2", 8},
    {"LUT_3D_SIZE 9\nDOMAIN_MIN 0 -0.5 0.1\nDOMAIN_MAX 0.9 2 1.5", 729},
};

enum { COUNT = sizeof tables / sizeof *tables, LINE_BYTES = 64, HEAD_BYTES = 256 };

static ImgStatus make_table(const ImgOp *op, int number, ImgConstants *content, ImgError *err)
{
    Random random = {(uint64_t)number + 1};
    const size_t room = HEAD_BYTES + (size_t)tables[number].lines * LINE_BYTES;
    char *text = malloc(room);
    if (text == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    size_t used = (size_t)snprintf(text, room, "%s\n", tables[number].head);
    for (int i = 0; i < tables[number].lines; i++)
        for (int c = 0; c < 3; c++)
            used +=
                (size_t)snprintf(text + used, room - used, "%.3f%s",
                                 (int)random_below(&random, 1200) * 1e-3 - 0.1, c < 2 ? " " : "\n");
    ImgStatus status = op->read_file(text, used, content, err);
    free(text);
    return status;
}

void draw_file(const ImgOp *op, const ImgParam *param, Random *random, ImgParams *params)
{
    static ImgConstants made[COUNT];
    const uint32_t number = random_below(random, COUNT);
    char name[32];
    ImgError err = {IMG_OK, ""};
    if (made[number].bytes == NULL && make_table(op, (int)number, &made[number], &err) != IMG_OK) {
        fprintf(stderr, "checkkernels: %s: %s\n", op->name, err.message);
        abort();
    }
    snprintf(name, sizeof name, "made-%u", number);
    (void)img_params_set(op, params, param->name, name, NULL);
    img_params_set_content(param, params, made[number].bytes);
}
