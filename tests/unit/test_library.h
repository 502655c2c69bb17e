/* Helpers for tests of the public interface. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_LIBRARY_H
#define IMGTOOL_TESTS_UNIT_TEST_LIBRARY_H

#include <pthread.h>

#include "app/library/imgtool.h"
#include "test_io_png.h"

static inline imgtool_context *test_context(int32_t threads)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    cr_assert_eq(imgtool_context_create(&config, &context, NULL), IMGTOOL_OK);
    return context;
}

/* Expects that `call` succeeds. `error` is the struct that the call fills. */
#define EXPECT_OK(call, error) cr_assert_eq((call), IMGTOOL_OK, "%s", (error).message)

/* Expects that `call` fails with the status `expected`, and that its message contains `words`. */
#define EXPECT_FAILURE(call, expected, error, words)                                               \
    do {                                                                                           \
        cr_expect_eq((call), (expected), "%s", (error).message);                                   \
        cr_expect_eq((error).status, (expected));                                                  \
        cr_expect_not_null(strstr((error).message, (words)), "\"%s\" lacks \"%s\"",                \
                           (error).message, (words));                                              \
        cr_expect_null(strstr((error).message, "--"), "a flag: \"%s\"", (error).message);          \
    } while (0)

/* State of a read function that returns at most `most` bytes of a file per call. */
typedef struct Dribble {
    const Bytes *file;
    size_t at, most;
} Dribble;

static inline bool dribble_read(void *user, void *data, size_t bytes, size_t *got)
{
    Dribble *dribble = user;
    size_t left = dribble->file->size - dribble->at;
    *got = left < bytes ? left : bytes;
    *got = *got < dribble->most ? *got : dribble->most;
    if (*got > 0)
        memcpy(data, dribble->file->data + dribble->at, *got);
    dribble->at += *got;
    return true;
}

/* State of test_take_rows, which receives rows and collects them in a whole picture. */
typedef struct TestRows {
    imgtool_context *context;
    imgtool_picture all;
    /* number of received rows, and number of rows after which test_take_rows stops (0: never) */
    int32_t next, stop_after;
    size_t most;      /* largest number of rows in one call */
    pthread_t thread; /* the thread of the last call */
} TestRows;

/* Appends rows to the collected picture. Allocates a larger buffer when it is full, because the
 * total number of rows is not known. */
static inline bool test_take_rows(void *user, const imgtool_picture *rows, int32_t first)
{
    TestRows *taken = user;
    cr_assert_eq(first, taken->next);
    cr_assert_gt(rows->height, 0);
    taken->thread = pthread_self();
    if (taken->all.pixels == NULL || taken->next + rows->height > taken->all.height) {
        imgtool_picture larger = *rows;
        larger.height = 2 * (taken->next + rows->height);
        larger.owned = false;
        cr_assert_eq(imgtool_picture_allocate(taken->context, &larger, NULL), IMGTOOL_OK);
        for (int32_t y = 0; y < taken->next; y++)
            memcpy((uint8_t *)larger.pixels + (size_t)y * larger.stride,
                   (uint8_t *)taken->all.pixels + (size_t)y * taken->all.stride,
                   (size_t)larger.width * imgtool_pixel_size(larger.format));
        if (taken->all.pixels != NULL)
            imgtool_picture_free(taken->context, &taken->all);
        taken->all = larger;
    }
    for (int32_t y = 0; y < rows->height; y++)
        memcpy((uint8_t *)taken->all.pixels + (size_t)(first + y) * taken->all.stride,
               (const uint8_t *)rows->pixels + (size_t)y * rows->stride,
               (size_t)rows->width * imgtool_pixel_size(rows->format));
    taken->next += rows->height;
    if ((size_t)rows->height > taken->most)
        taken->most = (size_t)rows->height;
    return taken->stop_after == 0 || taken->next < taken->stop_after;
}

/* Expects that the rows of `wanted` are the first rows of `got`, which may have more. */
static inline void expect_equal_pictures(const imgtool_picture *got, const imgtool_picture *wanted)
{
    cr_assert_eq(got->width, wanted->width);
    cr_assert_geq(got->height, wanted->height);
    cr_assert_eq(got->format.color, wanted->format.color);
    cr_assert_eq(got->format.bits, wanted->format.bits);
    size_t row = (size_t)wanted->width * imgtool_pixel_size(wanted->format);
    for (int32_t y = 0; y < wanted->height; y++)
        cr_assert_arr_eq((const uint8_t *)got->pixels + (size_t)y * got->stride,
                         (const uint8_t *)wanted->pixels + (size_t)y * wanted->stride, row,
                         "row %d", y);
}

#endif
