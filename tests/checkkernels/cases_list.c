/* See cases_list.h. */
#include "tests/checkkernels/cases_list.h"

#include <stdlib.h>

typedef struct Weighed {
    double seconds;
    size_t number;
} Weighed;

static void append(const Case *one, void *context)
{
    CaseList *list = context;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        Case *grown = realloc(list->cases, capacity * sizeof *grown);
        if (grown == NULL)
            abort();
        list->cases = grown;
        list->capacity = capacity;
    }
    list->cases[list->count++] = *one;
}

static int by_seconds(const void *a, const void *b)
{
    const Weighed *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The estimate that `auto` uses for the fastest implementation also orders the times of the
 * reference well. */
static bool put_in_order(CaseList *list)
{
    Weighed *weighed = malloc((list->count + 1) * sizeof *weighed);
    list->order = malloc((list->count + 1) * sizeof *list->order);
    if (weighed == NULL || list->order == NULL) {
        free(weighed);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const Case *one = &list->cases[i];
        weighed[i] = (Weighed){img_op_cpu_seconds(one->op, one->shape, one->params.bytes), i};
    }
    qsort(weighed, list->count, sizeof *weighed, by_seconds);
    for (size_t i = 0; i < list->count; i++)
        list->order[i] = weighed[i].number;
    free(weighed);
    return true;
}

bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice)
{
    *list = (CaseList){.cases = NULL};
    atomic_init(&list->taken, 0);
    list->of = cases_each(op, choice, append, list);
    return put_in_order(list);
}

void case_list_free(CaseList *list)
{
    free(list->cases);
    free(list->order);
    *list = (CaseList){.cases = NULL};
}

const Case *case_list_take(CaseList *list, size_t *number)
{
    const size_t next = atomic_fetch_add(&list->taken, 1);
    if (next >= list->count)
        return NULL;
    *number = list->order[next];
    return &list->cases[*number];
}
