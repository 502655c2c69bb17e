/* See damaged_texts.h. */
#include "tests/unit/damaged_texts.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 20000 };

static void expect_refused(const ImgConstants *content, const ImgError *err)
{
    cr_expect_eq(err->status, IMG_E_FORMAT);
    cr_expect_null(content->bytes);
    for (const char *c = err->message; *c != '\0'; c++)
        cr_assert(*c >= ' ' && *c < 0x7f);
}

int read_damaged_texts(const char *good, const char *likely, ReadText *read,
                       void (*check)(const ImgConstants *content))
{
    const size_t whole = strlen(good) + 1, choices = strlen(likely);
    int count = 0;
    srand(11);
    for (int i = 0; i < TEXTS; i++) {
        const size_t size = (size_t)rand() % whole;
        ImgConstants content = {NULL, 0};
        ImgError err = {IMG_OK, ""};
        char *text = malloc(size + 1);
        /* The text ends where its allocation ends, so that sanitizers report a read past it. */
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
            expect_refused(&content, &err);
        }
        img_constants_free(&content);
        free(text);
    }
    return count;
}
