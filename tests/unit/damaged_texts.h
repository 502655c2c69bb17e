/* Tests a reader of text files with thousands of truncated and damaged copies of a good file. */
#ifndef IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H
#define IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H

#include "kernels/core/op.h"

typedef ImgStatus ReadText(const char *text, size_t size, ImgConstants *content, ImgError *err);

/* Calls `read` (ImgOp.read_file) 20,000 times with a random part of `good` in which up to three
 * bytes are replaced, mostly by bytes of `likely`. Each text is allocated at its exact size, so
 * that sanitizers report a read past its end. Passes each accepted text to `check`. A rejected text
 * must give IMG_E_FORMAT, a printable message and nothing to free. Returns the number of accepted
 * texts. */
int read_damaged_texts(const char *good, const char *likely, ReadText *read,
                       void (*check)(const ImgConstants *content));

#endif
