/* For tests of what reads a text file: the file cut short and with bytes changed, over and over. */
#ifndef IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H
#define IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H

#include "kernels/core/op.h"

typedef ImgStatus ReadText(const char *text, size_t size, ImgConstants *content, ImgError *err);

/* Calls `read` (ImgOp.read_file) 20,000 times with a part of `good`, up to three bytes of which are
 * others, mostly of `likely`, and no byte more in memory than it is said to have, which sanitizers
 * see. What is read goes to `check`; what is refused must be so with IMG_E_FORMAT, a message that
 * can be printed, and nothing to free. Returns how many were read. */
int read_damaged_texts(const char *good, const char *likely, ReadText *read,
                       void (*check)(const ImgConstants *content));

#endif
