/* Compares implementations with the reference, over many shapes, formats, parameters and
 * contents. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECK_H

#include "app/bench/timing/device.h"
#include "tests/checkkernels/buffer.h"
#include "tests/checkkernels/cases.h"

typedef struct CheckOptions {
    const char *ops;    /* names of operations, such as "blur,flip"; NULL for all */
    const char *impl;   /* name of the only implementation to check; NULL for all */
    ImgBackend backend; /* CPU, CUDA, or AUTO for both */
    ImgDevice *device;  /* device for CUDA implementations */
    uint64_t seed;
    /* number of cases that are checked at the same time; a benchmark runs one case at a time, with
     * this number of threads */
    int threads;
    ImgTeam *team; /* threads to use; NULL if new threads are created */
    /* true if buffers on the device have no guard bytes; each allocation then ends with its
     * picture, so that memcheck reports every access past the picture */
    bool tight;
    CaseChoice choice;
} CheckOptions;

/* Returns true if the options select the operation. */
bool check_wants(const CheckOptions *options, const ImgOp *op);

/* Returns true if every name in the options is the name of an operation. */
bool check_knows(const CheckOptions *options);

/* Runs an implementation on device memory and waits for it. Allocates the workspace that it
 * needs. */
ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err);

typedef struct CheckTally {
    uint64_t passed, failed;
    /* number of automatic choices that were not judged, because no variant applied except the
     * chosen one and the reference */
    uint64_t alone;
    /* number of cases that CaseChoice selected, and number of all cases */
    uint64_t chosen, of;
} CheckTally;

/* Checks everything that the options select, on `threads` threads. The selection of cases does not
 * depend on this number. Prints a few failures per implementation, and then a line for each
 * operation and backend, such as "cases rotate cpu 6750". tests/run.sh reads these lines. */
void check_all(const CheckOptions *options, CheckTally *tally);

/* Device memory that holds a copy of one of the checker's buffers on the host. */
typedef struct CheckerTwin {
    void *memory;
    size_t capacity;    /* number of allocated bytes */
    size_t start, size; /* section of the buffer, in bytes, that the device memory holds */
    bool is_sent;       /* true if the device memory has the content of the buffer */
} CheckerTwin;

/* The buffers for a case, which the next case reuses: the source, a copy of it because kernels
 * could change it, the result of the reference, and the result of an implementation. Initialise
 * with zeros. */
typedef struct Checker {
    const CheckOptions *options;
    const Case *one;
    ImgConstants constants;
    Buffer source, before, expected, spare, got;
    /* owned by this checker and not used by others */
    ImgDevice *device;
    CheckerTwin source_twin, got_twin;
    bool has_result; /* true if `expected` holds the result of the reference */
    /* alignment of the rows in these buffers in bytes; 0 if the buffers have no valid layout, so
     * that checker_lay must be called */
    size_t alignment;
} Checker;

/* Starts a new case. `one` must stay valid until the next case starts. */
void checker_start(Checker *checker, const Case *one);

/* Lays out the pictures of the case, with rows at multiples of `alignment` bytes. The first call
 * for a case also runs the reference. Returns false and the reason in `err` on failure. */
bool checker_lay(Checker *checker, size_t alignment, ImgError *err);

/* Runs an implementation on the pictures of the case. Returns false and the reason in `err` if it
 * fails, if its result differs from the reference, or if it writes outside the picture. */
bool checker_run(Checker *checker, const ImgImpl *impl, ImgError *err);
void checker_free(Checker *checker);

/* Checks that the checker finds deliberately wrong implementations, and that the selection of cases
 * reaches every case. */
void check_self_test(CheckTally *tally);

/* Prints a step such as "rotate angle=180" for every operation and each combination of its choices.
 * Numbers have their defaults. An operation whose defaults change nothing is printed as in the
 * example of its help. */
void steps_list(void);

#endif
