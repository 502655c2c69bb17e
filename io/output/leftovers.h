/* Finds and removes temporary files that programs left when they were killed. */
#ifndef IMGTOOL_IO_OUTPUT_LEFTOVERS_H
#define IMGTOOL_IO_OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/output/output.h"

/* Removes file `name` from the open directory, unless it is locked: a lock means that a program
 * still writes it. The caller must have checked the name with img_output_is_temporary. */
bool img_leftover_remove(int directory, const char *name);

/* Removes temporary files that killed programs left in the directory of `output`. Includes files of
 * other outputs if they belong to this user and the file system has reliable locks. Reads only some
 * entries of a large directory, to save time. Returns the number of files removed. `output` may be
 * only prepared (img_output_prepare). */
size_t img_leftovers_sweep(const ImgOutput *output);

#endif
