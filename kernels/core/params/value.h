/* Functions for each type of parameter, in tables (ImgValueKind) from which params.c calls them. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_VALUE_H
#define IMGTOOL_KERNELS_CORE_PARAMS_VALUE_H

#include "kernels/core/op.h"

/* The value of a parameter of any type. */
typedef union ImgValue {
    int32_t scalar; /* IMG_PARAM_INT, IMG_PARAM_DECIMAL, IMG_PARAM_CHOICE */
    ImgRgba color;
    ImgNumbers numbers;
    ImgSize size;
    ImgRatio ratio;
    ImgRange range;
    ImgFile file;
} ImgValue;

typedef struct ImgValueKind {
    size_t size;       /* bytes of the union member of ImgValue that this type uses */
    bool may_be_empty; /* true: the default may be "", which is stored as zeros */
    /* Parses a value that a user has typed, or a default that is not empty. Fills the whole member
     * of ImgValue. Returns false if the text is invalid. */
    bool (*parse)(const ImgParam *param, const char *text, ImgValue *value);
    /* Writes the value in the form that `parse` reads. In this and the next functions, `text` has
     * `size` bytes and is always terminated. */
    void (*print)(const ImgParam *param, const ImgValue *value, char *text, size_t size);
    /* Writes the valid values for help, such as "90|180|270". */
    void (*describe)(const ImgParam *param, char *text, size_t size);
    /* Writes the reason why `parse` rejects `value`, and the valid values, such as "did you mean
     * 'red'? Use ...". */
    void (*refuse)(const ImgParam *param, const char *value, char *text, size_t size);
} ImgValueKind;

extern const ImgValueKind img_value_scalar, img_value_color, img_value_numbers, img_value_size,
    img_value_ratio, img_value_range, img_value_file;

/* Looks up the 148 named colours of CSS and "transparent" (color_names.c). Sets *rgba to the colour
 * called `name`, as 0xRRGGBBAA. Letter case is ignored. Returns false if the table does not contain
 * the name. */
bool img_color_find(const char *name, uint32_t *rgba);

/* Returns the name at `index` in alphabetical order, from 0, or NULL past the last name. */
const char *img_color_name_at(size_t index);

#endif
