/* The cases that are checked: sizes, formats, parameters and contents, and the selection among
 * them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CASES_H
#define IMGTOOL_TESTS_CHECKKERNELS_CASES_H

#include <stdatomic.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

/* One test case with one result, which all applicable implementations must give. */
typedef struct Case {
    const ImgOp *op;
    ImgShape shape, result; /* shapes of the source and of the result */
    ImgParams params;
    Fill fill;
    uint64_t seed; /* seed of the random content */
    int threads;   /* number of threads for CPU implementations */
} Case;

typedef struct CaseChoice {
    uint64_t seed;
    uint64_t largest; /* maximum number of pixels, for slow instruments; 0: no maximum */
    /* number of cases of which one is chosen, by the seed; 1: all; 0: see `most` */
    uint64_t every;
    /* if `every` is 0: largest number of chosen cases; `every` then becomes as large as
     * necessary */
    uint64_t most;
} CaseChoice;

/* Maximum number of pixels of a small picture. */
enum { CASE_SMALL = 32768 };

typedef void CaseVisit(const Case *one, void *context);

/* Calls `visit` for every chosen case. Returns the number of cases from which these were chosen. */
uint64_t cases_each(const ImgOp *op, const CaseChoice *choice, CaseVisit *visit, void *context);

/* Returns true if the case is chosen: exactly one of `every` consecutive numbers. Over many seeds
 * each case is chosen. */
bool case_is_chosen(uint64_t number, uint64_t every, uint64_t seed);

/* Sets the parameters of draw number `draw` so that they suit `shape`. Returns false after the last
 * draw. */
bool case_params(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params);

/* A list of cases from which threads take one after another. */
typedef struct CaseList {
    Case *cases; /* in the order in which cases_each visits them */
    size_t count, capacity;
    /* case numbers, slowest first, so that no thread begins a long case when the others have
     * finished */
    size_t *order;
    uint64_t of; /* number of cases from which these were chosen */
    atomic_size_t taken;
} CaseList;

/* Lists all chosen cases of an operation. Returns false if there is no memory. Call case_list_free
 * in either case. */
bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice);
void case_list_free(CaseList *list);

/* Returns the next case that no thread has taken, and stores its number in *number. Returns NULL at
 * the end of the list. */
const Case *case_list_take(CaseList *list, size_t *number);

#endif
