#include "app/batch/batch.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "app/batch/record/file_state.h"

/* Files with more bytes than this multiple of the mean are processed first. */
enum { MUCH_LARGER = 2 };

typedef struct Sized {
    uint64_t bytes;
    size_t number;
} Sized;

static int by_size(const void *a, const void *b)
{
    const Sized *left = a, *right = b;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

static uint64_t mean_of(const Sized *files, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += files[i].bytes;
    return count > 0 ? sum / count : 0;
}

/* Sets `order` to the files that are larger than MUCH_LARGER times the mean, largest first, then
 * all others in their original order. */
static void arrange(Sized *files, size_t count, size_t *order)
{
    uint64_t limit = MUCH_LARGER * mean_of(files, count);
    size_t large = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i].bytes > limit)
            files[large++] = files[i];
        else
            order[others++] = files[i].number;
    }
    for (size_t i = others; i-- > 0;)
        order[large + i] = order[i];
    qsort(files, large, sizeof *files, by_size);
    for (size_t i = 0; i < large; i++)
        order[i] = files[i].number;
}

size_t *batch_order(const BatchPlan *plan)
{
    Sized *files = calloc(plan->count + 1, sizeof *files);
    size_t *order = calloc(plan->count + 1, sizeof *order);
    if (files == NULL || order == NULL) {
        free(files);
        free(order);
        return NULL;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const FileStat *look = &plan->files[i].input_stat;
        FileState state = {.size = look->bytes};
        if (!look->known)
            (void)file_state(plan->files[i].input, &state);
        files[i] = (Sized){state.size, i};
    }
    arrange(files, plan->count, order);
    free(files);
    return order;
}
