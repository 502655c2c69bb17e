/* The colours of CSS that have names: 148, and "transparent". */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H
#define IMGTOOL_KERNELS_CORE_PARAMS_COLOR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets *rgba to 0xRRGGBBAA. The case of letters makes no difference. False: there is no such name.
 */
bool img_color_find(const char *name, uint32_t *rgba);

/* Number `index` of all names, in alphabetical order; NULL past the last. */
const char *img_color_name_at(size_t index);

#endif
