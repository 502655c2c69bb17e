/* Tests that a batch starts files that are much larger than the others first. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/batch/batch.h"

enum { FILES = 8 };

static char directory[] = "/tmp/imgtool-order-XXXXXX";
static char paths[FILES][64];
static BatchFile files[FILES];

/* Returns the order in which a batch starts files of these sizes in bytes. A negative size stands
 * for a missing file. */
static size_t *order_of(const long *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%zu", directory, i);
        unlink(paths[i]);
        FILE *file = sizes[i] >= 0 ? fopen(paths[i], "w") : NULL;
        if (file != NULL) {
            cr_assert_eq(ftruncate(fileno(file), sizes[i]), 0);
            fclose(file);
        }
        files[i] = (BatchFile){.input = paths[i]};
    }
    BatchPlan plan = {.files = files, .count = count};
    return batch_order(&plan);
}

static void expect(const long *sizes, const size_t *wanted, size_t count)
{
    size_t *order = order_of(sizes, count);
    cr_assert_not_null(order);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(order[i], wanted[i], "turn %zu: %zu", i, order[i]);
    free(order);
}

static void make_directory(void)
{
    cr_assert_not_null(mkdtemp(directory));
}

static void remove_directory(void)
{
    for (size_t i = 0; i < FILES; i++)
        unlink(paths[i]);
    rmdir(directory);
}

TestSuite(order, .init = make_directory, .fini = remove_directory);

Test(order, large_files_come_first_by_size)
{
    /* The mean size is 43 bytes, so only 90 and 150 bytes are more than twice as large. */
    expect((const long[]){10, 90, 20, 10, 150, 30, 20, 14},
           (const size_t[]){4, 1, 0, 2, 3, 5, 6, 7}, 8);
}

Test(order, files_of_similar_size_keep_their_order)
{
    expect((const long[]){30, 20, 40, 39}, (const size_t[]){0, 1, 2, 3}, 4);
}

Test(order, files_of_equal_size_keep_their_order)
{
    expect((const long[]){1, 1, 100, 1, 1, 100, 1, 1}, (const size_t[]){2, 5, 0, 1, 3, 4, 6, 7}, 8);
}

Test(order, missing_files_count_as_small)
{
    expect((const long[]){-1, 5, 100, -1}, (const size_t[]){2, 0, 1, 3}, 4);
    expect((const long[]){-1}, (const size_t[]){0}, 1);
    free(order_of(NULL, 0));
}
