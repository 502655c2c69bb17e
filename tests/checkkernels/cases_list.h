/* Cases in a list, for threads that take one after another. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CASES_LIST_H
#define IMGTOOL_TESTS_CHECKKERNELS_CASES_LIST_H

#include <stdatomic.h>

#include "tests/checkkernels/cases.h"

typedef struct CaseList {
    Case *cases; /* in the order in which cases_each visits them */
    size_t count, capacity;
    size_t *order; /* of their numbers: that which takes longest first, so that none is left to one
                    * thread at the end */
    uint64_t of;   /* as many there were to choose from */
    atomic_size_t taken;
} CaseList;

/* All cases of an operation that are chosen. False if there is no memory. Ends with
 * case_list_free, also then. */
bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice);
void case_list_free(CaseList *list);

/* The next case that no thread has taken, and its number; NULL: there is none. */
const Case *case_list_take(CaseList *list, size_t *number);

#endif
