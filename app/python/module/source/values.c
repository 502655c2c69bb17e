/* Converts values of types that no picture has to uint8. Such types are bool, in NumPy's masks, and
 * int64, in NumPy's sums. True becomes 255. Integers must be from 0 to 255, and keep their value.
 * Floats must be from 0 to 1, and are multiplied by 255. */
#include <math.h>
#include <string.h>

#include "app/python/module/module.h"

enum { BYTE_MOST = 255 };

/* Returns the kind of a sample type from its letter in Python's struct module. Returns VALUES_PLAIN
 * if the type is not supported. */
SampleValues img_py_values_of(char letter)
{
    if (letter == '\0')
        return VALUES_PLAIN;
    return letter == '?'                      ? VALUES_BOOL
           : strchr("bhilqn", letter) != NULL ? VALUES_SIGNED
           : strchr("BHILQN", letter) != NULL ? VALUES_UNSIGNED
           : strchr("fd", letter) != NULL     ? VALUES_FLOAT
                                              : VALUES_PLAIN;
}

static int64_t signed_at(const char *at, int size)
{
    int8_t byte;
    int16_t two;
    int32_t four;
    int64_t eight = 0;
    switch (size) {
    case sizeof byte:
        memcpy(&byte, at, sizeof byte);
        return byte;
    case sizeof two:
        memcpy(&two, at, sizeof two);
        return two;
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static uint64_t unsigned_at(const char *at, int size)
{
    const uint64_t bits = (uint64_t)signed_at(at, size);
    return size == sizeof bits ? bits : bits & ((UINT64_C(1) << 8 * size) - 1);
}

static double float_at(const char *at, int size)
{
    float four;
    double eight;
    if (size == sizeof four) {
        memcpy(&four, at, sizeof four);
        return (double)four;
    }
    memcpy(&eight, at, sizeof eight);
    return eight;
}

/* Converts one sample to a byte; floats must be from 0 to 1. If the value is out of range, returns
 * false and sets *wrong to the value. */
static bool convert_to_byte(const Samples *samples, const char *at, uint8_t *byte, double *wrong)
{
    const int size = samples->size;
    double value;
    switch (samples->values) {
    case VALUES_BOOL:
        *byte = *at != 0 ? BYTE_MOST : 0;
        return true;
    case VALUES_FLOAT:
        *wrong = value = float_at(at, size);
        if (!(value >= 0 && value <= 1)) /* The negation also rejects NaN. */
            return false;
        *byte = (uint8_t)(value * BYTE_MOST + 0.5);
        return true;
    case VALUES_SIGNED:
        *wrong = (double)signed_at(at, size);
        break;
    default:
        *wrong = (double)unsigned_at(at, size);
        break;
    }
    *byte = (uint8_t)*wrong;
    return *wrong >= 0 && *wrong <= BYTE_MOST;
}

/* Returns the address of channel `c` of the pixel at `x`, `y`. */
static const char *sample_address(const Samples *from, Py_ssize_t x, Py_ssize_t y, Py_ssize_t c)
{
    const Py_ssize_t channel_step = from->dimensions == 3 ? from->strides[2] : 0;
    return (const char *)from->data + y * from->strides[0] + x * from->strides[1] +
           c * channel_step;
}

bool img_py_values_to_bytes(const Samples *from, uint8_t *to, double *wrong)
{
    const Py_ssize_t channels = from->dimensions == 3 ? from->shape[2] : 1;
    for (Py_ssize_t y = 0; y < from->shape[0]; y++)
        for (Py_ssize_t x = 0; x < from->shape[1]; x++)
            for (Py_ssize_t c = 0; c < channels; c++)
                if (!convert_to_byte(from, sample_address(from, x, y, c), to++, wrong))
                    return false;
    return true;
}

void img_py_doubles_to_floats(const Samples *from, float *to)
{
    const Py_ssize_t channels = from->dimensions == 3 ? from->shape[2] : 1;
    for (Py_ssize_t y = 0; y < from->shape[0]; y++)
        for (Py_ssize_t x = 0; x < from->shape[1]; x++)
            for (Py_ssize_t c = 0; c < channels; c++)
                *to++ = (float)float_at(sample_address(from, x, y, c), from->size);
}

void img_py_raise_value(const State *state, const Samples *samples, double wrong)
{
    char text[32];
    PyOS_snprintf(text, sizeof text, "%g", wrong);
    if (samples->values == VALUES_FLOAT)
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "array: floats are samples from 0 to 1, and one is %s; scale them, or use "
                     "array.astype(\"uint8\")",
                     text);
    else
        img_py_raise(state, IMGTOOL_E_USAGE,
                     "array: integers of %d bytes are taken as uint8, and one is %s, not 0 to "
                     "255; use array.astype(\"uint16\"), or scale them",
                     samples->size, text);
}
