#include "app/library/tensors/batch.h"

#include <math.h>

size_t img_lib_place_bytes(const ImgTensor *tensor)
{
    return (size_t)tensor->height * (size_t)tensor->width * (size_t)tensor->channels *
           img_element_bytes(tensor->element);
}

/* Sets *product to a * b. Returns false if it does not fit in a size that pointers can span. */
static bool multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product) && *product <= PTRDIFF_MAX;
}

static bool is_element(imgtool_element element)
{
    return (int)element >= IMGTOOL_UINT8 && element <= IMGTOOL_FLOAT32;
}

static ImgElement element_of(imgtool_element element)
{
    static const ImgElement elements[] = {
        [IMGTOOL_UINT8] = IMG_UINT8,     [IMGTOOL_UINT16] = IMG_UINT16,
        [IMGTOOL_FLOAT16] = IMG_FLOAT16, [IMGTOOL_BFLOAT16] = IMG_BFLOAT16,
        [IMGTOOL_FLOAT32] = IMG_FLOAT32,
    };
    return elements[element];
}

size_t imgtool_tensor_bytes(const imgtool_tensor *tensor)
{
    size_t bytes = 0;
    if (tensor == NULL || tensor->size < sizeof *tensor || !is_element(tensor->element) ||
        tensor->count < 0 || tensor->height < 1 || tensor->width < 1 || tensor->channels < 1 ||
        tensor->channels > IMG_TENSOR_CHANNELS)
        return 0;
    /* The bytes of one picture must be countable even if there is no picture. */
    if (!multiply((size_t)tensor->height, (size_t)tensor->width, &bytes) ||
        !multiply(bytes, (size_t)tensor->channels, &bytes) ||
        !multiply(bytes, img_element_bytes(element_of(tensor->element)), &bytes) ||
        !multiply(bytes, (size_t)tensor->count, &bytes))
        return 0;
    return bytes;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static imgtool_status check_size(const imgtool_tensor *tensor, imgtool_error *error)
{
    if (tensor->count < 0 || tensor->height < 1 || tensor->width < 1)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: %d pictures of %d x %d pixels",
                            tensor->count, tensor->width, tensor->height);
    if (tensor->channels < 1 || tensor->channels > IMG_TENSOR_CHANNELS)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: %d channels are not 1 to %d",
                            tensor->channels, (int)IMG_TENSOR_CHANNELS);
    if (!is_element(tensor->element))
        return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: %d is not an imgtool_element",
                            (int)tensor->element);
    if (tensor->count > 0 && imgtool_tensor_bytes(tensor) == 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "tensor: %d pictures of %d x %d pixels are too large", tensor->count,
                            tensor->width, tensor->height);
    return IMGTOOL_OK;
}

/* Checks mean and deviation, which only floating point uses. */
static imgtool_status check_scale(const imgtool_tensor *tensor, imgtool_error *error)
{
    if (tensor->element == IMGTOOL_UINT8 || tensor->element == IMGTOOL_UINT16)
        return IMGTOOL_OK;
    for (int32_t c = 0; c < tensor->channels; c++) {
        if (!isfinite(tensor->mean[c]))
            return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: the mean of channel %d is %g", c,
                                (double)tensor->mean[c]);
        if (!isfinite(tensor->deviation[c]) || tensor->deviation[c] == 0)
            return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: the deviation of channel %d is %g",
                                c, (double)tensor->deviation[c]);
    }
    return IMGTOOL_OK;
}

imgtool_status img_lib_read_tensor(const imgtool_tensor *tensor, ImgTensor *own,
                                   imgtool_error *error)
{
    if (tensor == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "tensor is NULL");
    imgtool_status status =
        img_lib_check_size(tensor->size, sizeof *tensor, "imgtool_tensor", error);
    if (status == IMGTOOL_OK)
        status = check_size(tensor, error);
    if (status == IMGTOOL_OK)
        status = check_scale(tensor, error);
    if (status == IMGTOOL_OK && tensor->count > 0 && tensor->data == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "tensor: data is NULL");
    if (status != IMGTOOL_OK)
        return status;
    *own = (ImgTensor){.data = tensor->data,
                       .count = tensor->count,
                       .height = tensor->height,
                       .width = tensor->width,
                       .channels = tensor->channels,
                       .channels_first = tensor->channels_first,
                       .element = element_of(tensor->element)};
    for (int c = 0; c < IMG_TENSOR_CHANNELS; c++) {
        own->mean[c] = tensor->mean[c];
        own->deviation[c] = tensor->deviation[c];
    }
    return IMGTOOL_OK;
}
