/* Compares implementations with the reference over shapes, formats, parameters and contents. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECK_H

#include "app/bench/timing/device.h"
#include "tests/checkkernels/buffer.h"
#include "tests/checkkernels/cases.h"

typedef struct CheckOptions {
    const char *ops;    /* operations, as a list such as "blur,flip"; NULL: all */
    const char *impl;   /* name of the implementation; NULL: all */
    ImgBackend backend; /* CPU, CUDA, or AUTO for both */
    ImgDevice *device;  /* device for CUDA implementations */
    uint64_t seed;
    /* number of cases checked at the same time; when timing, number of threads of the operation */
    int threads;
    ImgTeam *team; /* threads to use; may be NULL */
    /* device buffers have no guards, so that memcheck reports every access outside a picture */
    bool tight;
    CaseChoice choice;
} CheckOptions;

/* Returns whether the options select the operation. */
bool check_wants(const CheckOptions *options, const ImgOp *op);

/* Returns true if there are operations of all the names in the options. */
bool check_knows(const CheckOptions *options);

/* Runs an implementation on device memory, allocates the workspace that it needs, and waits for
 * it. */
ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err);

typedef struct CheckTally {
    uint64_t passed, failed;
    uint64_t alone;      /* number of automatic choices that have no alternative to compare with */
    uint64_t chosen, of; /* number of chosen cases, and of cases from which they were chosen */
} CheckTally;

/* Checks everything that the options select, on `threads` threads. The selection of cases does not
 * depend on that number. Prints a few failures per implementation. The last lines, one per
 * operation and backend, are read by tests/run.sh: "cases rotate cpu 6750". */
void check_all(const CheckOptions *options, CheckTally *tally);

/* The copy of a buffer on a device. */
typedef struct CheckerTwin {
    void *memory;
    size_t capacity;    /* number of allocated bytes */
    size_t start, size; /* part of the buffer that the device memory holds, in bytes */
    bool is_sent;       /* the device memory has the content of the buffer */
} CheckerTwin;

/* Buffers for one case, which are reused for the next: the source, a copy of it because kernels
 * could change it, the result of the reference, and the result of an implementation. Initialise
 * with zeros. */
typedef struct Checker {
    const CheckOptions *options;
    const Case *one;
    ImgConstants constants;
    Buffer source, before, expected, spare, got;
    ImgDevice *device; /* owned by this checker; no other checker may use it */
    CheckerTwin source_twin, got_twin;
    bool has_result; /* `expected` holds the result of the reference */
    /* alignment in bytes of the rows in these buffers; 0: the buffers must be laid out again */
    size_t alignment;
} Checker;

/* Starts a new case. `one` must stay valid until the next case. */
void checker_start(Checker *checker, const Case *one);

/* Lays out the pictures of the case with rows at multiples of `alignment` bytes. The first call
 * also runs the reference. Returns false with the reason in `err` if that fails. */
bool checker_lay(Checker *checker, size_t alignment, ImgError *err);

/* Runs one implementation on the pictures of the case. Returns false with the reason in `err` if
 * its result differs from the reference, if it writes outside the picture, or if it fails. */
bool checker_run(Checker *checker, const ImgImpl *impl, ImgError *err);
void checker_free(Checker *checker);

/* Checks that the checker finds deliberately wrong implementations and that the selection of cases
 * reaches every case. */
void check_self_test(CheckTally *tally);

/* Prints a line for every operation and each combination of its choices with default numbers, such
 * as "rotate angle=180". Where the defaults change nothing, it prints the example of the help. */
void steps_list(void);

#endif
