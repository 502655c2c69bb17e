/* Puts pictures into tensors in host memory. Samples of up to 8 bits are looked up in a table with
 * the number for each value; a channel is written row by row. */
#include "io/tensor/tensor_priv.h"

enum { VALUES = 256 };

/* One channel of a row: `count` samples, `step` samples apart, which become elements `stride`
 * elements apart. */
typedef struct Row {
    const void *from;
    void *to;
    size_t step, stride, count;
} Row;

/* --- Samples of up to 8 bits ------------------------------------------------------------------ */

/* Each of these functions writes table[sample] for each sample, to elements of 1, 2 or 4 bytes. */

static void look_up_1(const Row *row, const uint32_t *table)
{
    const uint8_t *from = row->from;
    uint8_t *to = row->to;
    for (size_t x = 0; x < row->count; x++)
        to[x * row->stride] = (uint8_t)table[from[x * row->step]];
}

static void look_up_2(const Row *row, const uint32_t *table)
{
    const uint8_t *from = row->from;
    uint16_t *to = row->to;
    for (size_t x = 0; x < row->count; x++)
        to[x * row->stride] = (uint16_t)table[from[x * row->step]];
}

static void look_up_4(const Row *row, const uint32_t *table)
{
    const uint8_t *from = row->from;
    uint32_t *to = row->to;
    for (size_t x = 0; x < row->count; x++)
        to[x * row->stride] = table[from[x * row->step]];
}

static void look_up(const Row *row, const uint32_t *table, size_t element)
{
    if (element == 1)
        look_up_1(row, table);
    else if (element == 2)
        look_up_2(row, table);
    else
        look_up_4(row, table);
}

/* --- Samples of 16 bits ----------------------------------------------------------------------- */

static void store_at(const Row *row, size_t x, uint32_t number, size_t element)
{
    if (element == 1)
        ((uint8_t *)row->to)[x * row->stride] = (uint8_t)number;
    else if (element == 2)
        ((uint16_t *)row->to)[x * row->stride] = (uint16_t)number;
    else
        ((uint32_t *)row->to)[x * row->stride] = number;
}

static void convert_wide(const ImgTensor *tensor, const Row *row, int channel, bool is_index)
{
    const uint16_t *from = row->from;
    const size_t element = img_element_bytes(tensor->element);
    for (size_t x = 0; x < row->count; x++)
        store_at(row, x, tensor_number(tensor, channel, from[x * row->step], 0xffff, is_index),
                 element);
}

/* --- Channels --------------------------------------------------------------------------------- */

/* Sets table[s] to the number for each sample s. Samples above the largest do not occur in valid
 * pictures; they get the number of the largest. */
static void make_table(const ImgTensor *tensor, int channel, uint32_t maximum, bool is_index,
                       uint32_t *table)
{
    for (uint32_t i = 0; i < VALUES; i++)
        table[i] =
            i <= maximum ? tensor_number(tensor, channel, i, maximum, is_index) : table[maximum];
}

/* Writes the same number to one channel of all pixels: alpha that the picture does not have. */
static void put_opaque(const ImgTensor *tensor, int32_t index, const ImgView *picture, int channel)
{
    const uint8_t sample = 0;
    const uint32_t maximum = img_format_maximum(picture->format);
    const uint32_t table[] = {tensor_number(tensor, channel, maximum, maximum, false)};
    const size_t element = img_element_bytes(tensor->element);
    const Row row = {.from = &sample,
                     .to = (uint8_t *)tensor->data +
                           tensor_place(tensor, index, 0, channel) * element,
                     .stride = tensor->channels_first ? 1 : (size_t)tensor->channels,
                     .count = (size_t)picture->width * (size_t)picture->height};
    look_up(&row, table, element);
}

static void put_channel(const ImgTensor *tensor, int32_t index, const ImgView *picture, int channel,
                        int source)
{
    uint32_t table[VALUES];
    const ImgFormat format = picture->format;
    const bool is_index = tensor_is_index(tensor, format), is_wide = format.bits > 8;
    const size_t element = img_element_bytes(tensor->element), sample = is_wide ? 2 : 1;
    Row row = {.count = (size_t)picture->width,
               .step = img_format_pixel_size(format) / sample,
               .stride = tensor->channels_first ? 1 : (size_t)tensor->channels};
    if (!is_wide)
        make_table(tensor, channel, img_format_maximum(format), is_index, table);
    for (int32_t y = 0; y < picture->height; y++) {
        const uint64_t pixel = (uint64_t)y * (uint64_t)picture->width;
        row.from = picture->data + (size_t)y * picture->stride + (size_t)source * sample;
        row.to = (uint8_t *)tensor->data + tensor_place(tensor, index, pixel, channel) * element;
        if (is_wide)
            convert_wide(tensor, &row, channel, is_index);
        else
            look_up(&row, table, element);
    }
}

void img_tensor_put(const ImgTensor *tensor, int32_t index, const ImgView *picture)
{
    for (int channel = 0; channel < tensor->channels; channel++) {
        const int source = tensor_source_channel(picture->format.color, tensor->channels, channel);
        if (source < 0)
            put_opaque(tensor, index, picture, channel);
        else
            put_channel(tensor, index, picture, channel, source);
    }
}
