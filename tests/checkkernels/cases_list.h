/* A list of cases from which threads take one after another. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CASES_LIST_H
#define IMGTOOL_TESTS_CHECKKERNELS_CASES_LIST_H

#include <stdatomic.h>

#include "tests/checkkernels/cases.h"

typedef struct CaseList {
    Case *cases; /* in the order in which cases_each visits them */
    size_t count, capacity;
    /* case numbers, slowest first, so that no long case is left to one thread at the end */
    size_t *order;
    uint64_t of; /* number of cases to choose from */
    atomic_size_t taken;
} CaseList;

/* Lists all chosen cases of an operation. Returns false if there is no memory. Call case_list_free
 * in either case. */
bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice);
void case_list_free(CaseList *list);

/* Returns the next case that no thread has taken, and its number; NULL at the end of the list. */
const Case *case_list_take(CaseList *list, size_t *number);

#endif
