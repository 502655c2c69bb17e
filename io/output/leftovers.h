/* Temporary files of programs that were killed: which they are, and how they go. */
#ifndef IMGTOOL_IO_OUTPUT_LEFTOVERS_H
#define IMGTOOL_IO_OUTPUT_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/output/output.h"

/* Removes the file of that name from the open directory, unless it is locked: then a program is
 * still writing it. The caller has looked at the name (img_output_is_temporary). */
bool img_leftover_remove(int directory, const char *name);

/* Removes what killed programs left beside `output`, which may be prepared only: its own temporary
 * files, and those of other pictures. The latter must be of this user, on a file system whose locks
 * reach every program that can write there. Of a large directory it looks at a part, as a single
 * command must not take longer there. Returns how many files are gone. */
size_t img_leftovers_sweep(const ImgOutput *output);

#endif
