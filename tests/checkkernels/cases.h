/* What is checked: sizes, formats, parameters and contents, and which of them if not all. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CASES_H
#define IMGTOOL_TESTS_CHECKKERNELS_CASES_H

#include "kernels/core/op.h"
#include "tests/checkkernels/fill.h"

/* One result, which all implementations that apply must give. */
typedef struct Case {
    const ImgOp *op;
    ImgShape shape, result; /* of the source and of what comes out */
    ImgParams params;
    Fill fill;
    uint64_t seed; /* of random contents */
    int threads;   /* that CPU implementations get */
} Case;

typedef struct CaseChoice {
    uint64_t seed;
    uint64_t largest; /* only pictures of so many pixels, for slow instruments; 0: all */
    uint64_t every;   /* one case in so many, chosen by the seed; 1: all. 0: as `most` says */
    uint64_t most;    /* where `every` is 0: so large an `every` that no more than these are left */
} CaseChoice;

/* Of pictures that are called small. */
enum { CASE_SMALL = 32768 };

typedef void CaseVisit(const Case *one, void *context);

/* Calls `visit` for every case that is chosen. How many there were to choose from. */
uint64_t cases_each(const ImgOp *op, const CaseChoice *choice, CaseVisit *visit, void *context);

/* Of every `every` cases in a row exactly one is chosen; over many seeds each gets its turn. */
bool case_is_chosen(uint64_t number, uint64_t every, uint64_t seed);

/* Sets parameters that apply to `shape`: number `draw` of those there are. False past the last. */
bool case_params(const ImgOp *op, ImgShape shape, int draw, Random *random, ImgParams *params);

#endif
