/* Table of colour names: the 148 named colours of CSS, and "transparent". */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H
#define IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets *rgba to the colour called `name`, as 0xRRGGBBAA. Letter case is ignored. Returns false if
 * the table does not contain the name. */
bool img_color_find(const char *name, uint32_t *rgba);

/* Returns the name at `index` in alphabetical order, from 0, or NULL past the last name. */
const char *img_color_name_at(size_t index);

#endif
