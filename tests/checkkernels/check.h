/* Compares implementations with the reference over shapes, formats, parameters and contents. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECK_H

#include "app/bench/timing/device.h"
#include "tests/checkkernels/buffer.h"
#include "tests/checkkernels/cases.h"

typedef struct CheckOptions {
    const char *ops;    /* a list such as "blur,flip"; NULL: all */
    const char *impl;   /* NULL: all */
    ImgBackend backend; /* CPU, CUDA, or AUTO for both */
    ImgDevice *device;  /* used for CUDA */
    uint64_t seed;
    int threads;   /* number of concurrent cases; for timing, threads of the operation */
    ImgTeam *team; /* source of threads; may be NULL */
    /* device buffers without guards, so that memcheck reports every access outside */
    bool tight;
    CaseChoice choice;
} CheckOptions;

/* Returns whether the options select the operation. */
bool check_wants(const CheckOptions *options, const ImgOp *op);

/* Returns whether there are operations of all these names. */
bool check_knows(const CheckOptions *options);

/* Runs an implementation on device memory, with the workspace that it needs, and waits for it. */
ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err);

typedef struct CheckTally {
    uint64_t passed, failed;
    uint64_t alone;      /* choices without an alternative to compare with */
    uint64_t chosen, of; /* number of chosen cases, and of cases to choose from */
} CheckTally;

/* Checks everything that the options select, on their number of threads. The selection of cases
 * does not depend on that number. Prints failures, up to a few per implementation. The last lines,
 * one per operation and backend, are read by tests/run.sh: "cases rotate cpu 6750". */
void check_all(const CheckOptions *options, CheckTally *tally);

/* The copy of a buffer on a device. */
typedef struct CheckerTwin {
    void *memory;
    size_t capacity;    /* bytes of memory */
    size_t start, size; /* the part of the buffer that it holds */
    bool is_sent;       /* it has the content of the buffer */
} CheckerTwin;

/* Buffers for one case, which are reused for the next: its source, and a copy of it because kernels
 * could change it; the result of the reference; and that of an implementation. Initialise with
 * zeros. */
typedef struct Checker {
    const CheckOptions *options;
    const Case *one;
    ImgConstants constants;
    Buffer source, before, expected, spare, got;
    ImgDevice *device; /* owned by this checker; no other checker may use it */
    CheckerTwin source_twin, got_twin;
    bool has_result;  /* `expected` holds the result of the reference */
    size_t alignment; /* of the rows in these buffers; 0: the buffers must be laid out again */
} Checker;

/* Starts a new case. The caller keeps `one` alive. */
void checker_start(Checker *checker, const Case *one);

/* Lays out the case with rows at multiples of `alignment` bytes. The first call runs the reference.
 * Returns false with the reason in `err` if that fails. */
bool checker_lay(Checker *checker, size_t alignment, ImgError *err);

/* Runs one implementation on the laid-out case. Returns false with the reason in `err` if it
 * differs from the reference, writes outside, or fails. */
bool checker_run(Checker *checker, const ImgImpl *impl, ImgError *err);
void checker_free(Checker *checker);

/* Checks that the checker finds deliberately wrong implementations and that the selection of cases
 * reaches every case. */
void check_self_test(CheckTally *tally);

/* Prints a line for every operation and each combination of its choices with default numbers, such
 * as "rotate angle=180". Where the defaults change nothing, it prints the example of the help. */
void steps_list(void);

#endif
