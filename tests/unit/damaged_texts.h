/* Tests a reader of text files with thousands of truncated and damaged copies of a good file. */
#ifndef IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H
#define IMGTOOL_TESTS_UNIT_DAMAGED_TEXTS_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/op.h"

typedef ImgStatus ReadText(const char *text, size_t size, ImgConstants *content, ImgError *err);

static inline void expect_text_rejected(const ImgConstants *content, const ImgError *err)
{
    cr_expect_eq(err->status, IMG_E_FORMAT);
    cr_expect_null(content->bytes);
    for (const char *c = err->message; *c != '\0'; c++)
        cr_assert(*c >= ' ' && *c < 0x7f);
}

/* Calls `read` (ImgOp.file.read) 20,000 times with a random part of `good` in which up to three
 * bytes are replaced, mostly by bytes of `likely`. Each text is allocated at its exact size, so
 * that sanitizers report a read past its end. Passes each accepted text to `check`. A rejected text
 * must give IMG_E_FORMAT, a printable message and nothing to free. Returns the number of accepted
 * texts. */
static inline int read_damaged_texts(const char *good, const char *likely, ReadText *read,
                                     void (*check)(const ImgConstants *content))
{
    const size_t whole = strlen(good) + 1, choices = strlen(likely);
    int count = 0;
    srand(11);
    for (int i = 0; i < 20000; i++) {
        const size_t size = (size_t)rand() % whole;
        ImgConstants content = {NULL, 0};
        ImgError err = {IMG_OK, ""};
        char *text = malloc(size + 1);
        /* The copy ends exactly where its allocation ends, so that sanitizers report a read past
         * the text. */
        char *start = text + 1;
        cr_assert_not_null(text);
        memcpy(start, good, size);
        for (int k = rand() % 4; k > 0 && size > 0; k--)
            start[(size_t)rand() % size] =
                rand() % 4 == 0 ? (char)rand() : likely[(size_t)rand() % choices];
        if (read(start, size, &content, &err) == IMG_OK) {
            check(&content);
            count++;
        } else {
            expect_text_rejected(&content, &err);
        }
        img_constants_free(&content);
        free(text);
    }
    return count;
}

#endif
