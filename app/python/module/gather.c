/* Copies samples to contiguous memory. Samples are not contiguous in views that are mirrored,
 * rotated or restricted to some channels. */
#include <string.h>

#include "app/python/module/module.h"

/* gather_bytes and gather_larger each copy one row. Callers pass constant sizes, so that the
 * compiler specialises the loop. */
static void gather_bytes(const char *from, Py_ssize_t step, Py_ssize_t channel_step,
                         Py_ssize_t width, Py_ssize_t channels, uint8_t *to)
{
    for (Py_ssize_t x = 0; x < width; x++)
        for (Py_ssize_t c = 0; c < channels; c++)
            *to++ = *(const uint8_t *)(from + x * step + c * channel_step);
}

static void gather_larger(const char *from, Py_ssize_t step, Py_ssize_t channel_step,
                          Py_ssize_t width, Py_ssize_t channels, size_t size, char *to)
{
    for (Py_ssize_t x = 0; x < width; x++)
        for (Py_ssize_t c = 0; c < channels; c++, to += size)
            memcpy(to, from + x * step + c * channel_step, size);
}

void img_py_gather(const Samples *from, void *to)
{
    const Py_ssize_t channels = from->dimensions == 3 ? from->shape[2] : 1;
    const Py_ssize_t step = from->strides[1];
    const Py_ssize_t channel_step = from->dimensions == 3 ? from->strides[2] : 0;
    const int size = img_py_sample_size(from->bits);
    const size_t row = (size_t)(from->shape[1] * channels) * (size_t)size;
    for (Py_ssize_t y = 0; y < from->shape[0]; y++) {
        const char *start = (const char *)from->data + y * from->strides[0];
        char *end = (char *)to + (size_t)y * row;
        if (size == 1 && channels == 3)
            gather_bytes(start, step, channel_step, from->shape[1], 3, (uint8_t *)end);
        else if (size == 1)
            gather_bytes(start, step, channel_step, from->shape[1], channels, (uint8_t *)end);
        else if (size == 2)
            gather_larger(start, step, channel_step, from->shape[1], channels, 2, end);
        else
            gather_larger(start, step, channel_step, from->shape[1], channels, 4, end);
    }
}
