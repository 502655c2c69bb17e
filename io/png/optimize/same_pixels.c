/* Memory of reduced pictures, and their comparison. */
#include <string.h>

#include "io/png/optimize/reduce.h"
#include "kernels/core/sample.h"

void img_reduced_free(ImgReduced *picture)
{
    img_image_free(&picture->image);
    *picture = IMG_REDUCED_NONE;
}

ImgStatus img_reduced_begin(const ImgReduced *from, ImgFormat format, unsigned done, ImgReduced *to,
                            ImgError *err)
{
    const ImgShape shape = {from->view.width, from->view.height, format};
    *to = IMG_REDUCED_NONE;
    ImgStatus status = img_image_alloc(shape, &to->image, err);
    if (status != IMG_OK)
        return status;
    to->view = to->image.view;
    to->colours = from->colours;
    to->done = from->done | done;
    return IMG_OK;
}

enum { MOST = 65535 };

static void get_entry(const ImgColours *colours, uint32_t index, uint16_t rgba[4])
{
    static const uint8_t black[IMG_COLOUR_CHANNELS] = {0, 0, 0, IMG_OPAQUE};
    const uint8_t *entry = index < (uint32_t)colours->entries ? colours->palette[index] : black;
    for (int i = 0; i < IMG_COLOUR_CHANNELS; i++)
        rgba[i] = (uint16_t)(entry[i] * (MOST / IMG_OPAQUE));
}

/* Converts pixel number `x` of a row to RGBA of 16 bits. All scales are exact. */
static void get_pixel(const ImgReduced *picture, const uint8_t *row, size_t x, uint16_t rgba[4])
{
    const ImgFormat format = picture->view.format;
    const ImgColours *colours = &picture->colours;
    const int count = img_format_channels(format), own = count < 3 ? 1 : 3;
    bool is_key = colours->has_key && !img_format_has_alpha(format);
    if (format.color == IMG_COLOR_PALETTE) {
        get_entry(colours, row[x], rgba);
        return;
    }
    const uint32_t scale = MOST / img_format_maximum(format);
    for (int i = 0; i < 3; i++) {
        const size_t channel = own == 3 ? (size_t)i : 0;
        const uint32_t value = img_sample(row, x * (size_t)count + channel, format.bits);
        is_key &= value == colours->key[channel];
        rgba[i] = (uint16_t)(value * scale);
    }
    rgba[IMG_COLOUR_ALPHA] = is_key ? 0 : MOST;
    if (img_format_has_alpha(format))
        rgba[IMG_COLOUR_ALPHA] =
            (uint16_t)(img_sample(row, (x + 1) * (size_t)count - 1, format.bits) * scale);
}

static bool are_rows_equal(const ImgReduced *a, const ImgReduced *b, int32_t y, bool hides)
{
    const uint8_t *row_a = a->view.data + (size_t)y * a->view.stride;
    const uint8_t *row_b = b->view.data + (size_t)y * b->view.stride;
    uint16_t left[4], right[4];
    for (size_t x = 0; x < (size_t)a->view.width; x++) {
        get_pixel(a, row_a, x, left);
        get_pixel(b, row_b, x, right);
        const bool hidden = hides && left[IMG_COLOUR_ALPHA] == 0 && right[IMG_COLOUR_ALPHA] == 0;
        if (!hidden && memcmp(left, right, sizeof left) != 0)
            return false;
    }
    return true;
}

bool img_reduced_equal(const ImgReduced *a, const ImgReduced *b, bool hides)
{
    if (a->view.width != b->view.width || a->view.height != b->view.height)
        return false;
    for (int32_t y = 0; y < a->view.height; y++)
        if (!are_rows_equal(a, b, y, hides))
            return false;
    return true;
}
