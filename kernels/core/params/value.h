/* What the types of parameters differ in, for params.c. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_VALUE_H
#define IMGTOOL_KERNELS_CORE_PARAMS_VALUE_H

#include "kernels/core/op.h"

/* A value of any type. */
typedef union ImgValue {
    int32_t scalar; /* IMG_PARAM_INT, IMG_PARAM_DECIMAL, IMG_PARAM_CHOICE */
    ImgRgba color;
    ImgNumbers numbers;
    ImgSize size;
    ImgRatio ratio;
    ImgFile file;
} ImgValue;

typedef struct ImgValueKind {
    size_t size;       /* bytes of the member of ImgValue */
    bool may_be_empty; /* the default may be "", which is all zeros */
    /* Text of a user, never of a default that is empty. Fills the whole member, or returns false.
     */
    bool (*parse)(const ImgParam *param, const char *text, ImgValue *value);
    /* As `parse` reads it. `size` bytes at `text`, always terminated, here and below. */
    void (*print)(const ImgParam *param, const ImgValue *value, char *text, size_t size);
    /* "90|180|270": what help shows. */
    void (*describe)(const ImgParam *param, char *text, size_t size);
    /* Why `parse` refuses `value`, and what is right: "did you mean 'red'? Use ...". */
    void (*refuse)(const ImgParam *param, const char *value, char *text, size_t size);
} ImgValueKind;

extern const ImgValueKind img_value_scalar, img_value_color, img_value_numbers, img_value_size,
    img_value_ratio, img_value_file;

#endif
