/* The 148 named colours of CSS, and "transparent". */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H
#define IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets *rgba to 0xRRGGBBAA. Letter case is ignored. Returns false if there is no such name. */
bool img_color_find(const char *name, uint32_t *rgba);

/* Returns name number `index` in alphabetical order, or NULL past the last. */
const char *img_color_name_at(size_t index);

#endif
