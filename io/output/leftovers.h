/* Finds and removes temporary files that killed programs left behind. */
#ifndef IMGTOOL_IO_OUTPUT_LEFTOVERS_H
#define IMGTOOL_IO_OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/output/output.h"

/* Removes the file `name` from the open directory `directory`, unless the file is locked. A lock
 * means that a program still writes the file. The caller must have checked the name with
 * img_output_is_temporary. Returns true if the file was removed. */
bool img_leftover_remove(int directory, const char *name);

/* Removes temporary files that killed programs left in the directory of `output`. Also removes
 * temporary files of other outputs, if they belong to this user and the file system has reliable
 * locks. Reads only some entries of a large directory, to save time. Returns the number of files
 * removed. May be called as soon as img_output_prepare has prepared `output`. */
size_t img_leftovers_sweep(const ImgOutput *output);

#endif
