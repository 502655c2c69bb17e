/* The cases that are checked, with their sizes, formats, parameters and contents, and the selection
 * among them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CASES_H
#define IMGTOOL_TESTS_CHECKKERNELS_CASES_H

#include <stdatomic.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

/* A test case. All implementations that apply must give the same result. */
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
    /* maximum number of pixels of the source; 0: no maximum. It limits the time if the reference is
     * slow, or under tools such as compute-sanitizer. */
    uint64_t largest;
    /* One of each `every` consecutive cases is chosen, at random by `seed`. 1: all cases; 0: `most`
     * limits the number of cases instead. */
    uint64_t every;
    /* maximum number of chosen cases if `every` is 0; `every` is then as large as necessary */
    uint64_t most;
} CaseChoice;

/* Maximum number of pixels of a small picture. */
enum { CASE_SMALL = 32768 };

typedef void CaseVisit(const Case *one, void *context);

/* Calls `visit` for every chosen case. Returns the number of all cases, chosen or not. */
uint64_t cases_each(const ImgOp *op, const CaseChoice *choice, CaseVisit *visit, void *context);

/* Returns true if case `number` is chosen. One of each `every` consecutive numbers is chosen. The
 * seed determines which one; over many seeds every number is chosen. */
bool case_is_chosen(uint64_t number, uint64_t every, uint64_t seed);

/* Sets *params to values of the operation's parameters that suit `shape`. `draw` counts from 0.
 * Each draw has another combination of values for the parameters that are words, until all
 * combinations have occurred; numeric parameters are random. Returns false if `draw` is past the
 * last draw. */
bool case_params(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params);

/* A list of cases from which threads take one after another. */
typedef struct CaseList {
    Case *cases; /* the chosen cases, in the order in which cases_each visits them */
    size_t count, capacity;
    /* indices of the cases, slowest first, so that no thread begins a long case when all others
     * have finished */
    size_t *order;
    uint64_t of; /* number of all cases, chosen or not */
    atomic_size_t taken;
} CaseList;

/* Lists all chosen cases of an operation. Returns false if memory is short. The caller must call
 * case_list_free in both cases. */
bool case_list_make(CaseList *list, const ImgOp *op, const CaseChoice *choice);
void case_list_free(CaseList *list);

/* Returns the next case that no thread has taken, and sets *number to its index in list->cases.
 * Returns NULL if all cases are taken. */
const Case *case_list_take(CaseList *list, size_t *number);

#endif
