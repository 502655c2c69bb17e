/* Finds and removes the temporary files of programs that were killed. */
#ifndef IMGTOOL_IO_OUTPUT_LEFTOVERS_H
#define IMGTOOL_IO_OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/output/output.h"

/* Removes the file of that name from the open directory, unless it is locked: a lock means that a
 * program still writes it. The caller has checked the name (img_output_is_temporary). */
bool img_leftover_remove(int directory, const char *name);

/* Removes temporary files that killed programs left in the directory of `output`, which may be only
 * prepared. That includes files for other outputs, if they belong to this user and the file system
 * has reliable locks. In a large directory only some entries are read, to save time. Returns the
 * number of files removed. */
size_t img_leftovers_sweep(const ImgOutput *output);

#endif
