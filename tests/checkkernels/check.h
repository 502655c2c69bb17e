/* Runs implementations against the reference over shapes, formats, parameters and contents. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECK_H

#include "app/bench/timing/device.h"
#include "tests/checkkernels/buffer.h"
#include "tests/checkkernels/cases.h"

typedef struct CheckOptions {
    const char *ops;    /* "blur,flip"; NULL: all */
    const char *impl;   /* NULL: all */
    ImgBackend backend; /* CPU, CUDA, or AUTO for both */
    ImgDevice *device;  /* for CUDA */
    uint64_t seed;
    int threads;   /* as many cases at a time; of what is timed, the threads that it gets */
    ImgTeam *team; /* where threads come from; may be NULL */
    bool tight;    /* device buffers without guards, so that memcheck sees every byte outside */
    CaseChoice choice;
} CheckOptions;

/* Is the operation among those that are asked for? */
bool check_wants(const CheckOptions *options, const ImgOp *op);

/* Are there operations of all these names? */
bool check_knows(const CheckOptions *options);

/* Runs an implementation on device memory, with the workspace that it asks for, and waits. */
ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err);

typedef struct CheckTally {
    uint64_t passed, failed;
    uint64_t alone;      /* not judged, for there is nothing to compare with */
    uint64_t chosen, of; /* cases, and as many there were to choose from */
} CheckTally;

/* Everything that the options select, on as many threads as they say; which cases that are does not
 * depend on these. Failures are printed, up to a few per implementation. The
 * last lines, one per operation and backend, are for tests/run.sh: "cases rotate cpu 6750". */
void check_all(const CheckOptions *options, CheckTally *tally);

/* What stands for a buffer on a device. */
typedef struct CheckerTwin {
    void *memory;
    size_t capacity;    /* bytes of memory */
    size_t start, size; /* the part of the buffer that it holds */
    bool is_sent;       /* and is as that is */
} CheckerTwin;

/* What one case needs, kept from case to case: its source, twice, for kernels could change it; what
 * the reference made of it, and what an implementation did. Starts as all zeros. */
typedef struct Checker {
    const CheckOptions *options;
    const Case *one;
    ImgConstants constants;
    Buffer source, before, expected, spare, got;
    ImgDevice *device; /* of its own: no other checker may use it */
    CheckerTwin source_twin, got_twin;
    bool has_result;  /* `expected` holds the reference's */
    size_t alignment; /* of the rows in these buffers; 0: nothing is laid that can be used */
} Checker;

/* From now on it is about this case, which the caller keeps. */
void checker_start(Checker *checker, const Case *one);

/* Lays the case with rows at multiples of `alignment` bytes; the first time the reference runs.
 * False, with the reason in `err`, where that fails. */
bool checker_lay(Checker *checker, size_t alignment, ImgError *err);

/* Runs one implementation on what is laid. False, with the reason in `err`, if it differs from the
 * reference, writes outside, or fails. */
bool checker_run(Checker *checker, const ImgImpl *impl, ImgError *err);
void checker_free(Checker *checker);

/* Faulty implementations that a checker must see through, and choices that must miss nothing. */
void check_self_test(CheckTally *tally);

#endif
