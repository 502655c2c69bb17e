/* Runs implementations against the reference over shapes, formats, parameters and contents. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHECK_H

#include "kernels/core/op.h"
#include "kernels/timing/device.h"
#include "tests/checkkernels/fill.h"

typedef struct CheckOptions {
    const char *op, *impl; /* NULL: all */
    ImgBackend backend;    /* CPU, CUDA, or AUTO for both */
    ImgDevice *device;     /* for CUDA */
    uint64_t seed;
    int threads;
    bool tight; /* device buffers without guards, so that memcheck sees every byte outside */
    bool small; /* only the small shapes, for slow instruments */
    int every;  /* only one case in so many, for slower ones; 1: all */
} CheckOptions;

/* Runs a row on device memory, with the workspace that it asks for, and waits. */
ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err);

typedef struct CheckTally {
    uint64_t passed, failed, offered;
} CheckTally;

/* Everything that the options select; failures are printed, up to a few an implementation. */
void check_all(const CheckOptions *options, CheckTally *tally);

/* One implementation on one picture, whose rows start at multiples of `alignment` bytes. False,
 * with the reason in `err`, if it differs from the reference, writes outside, or fails. */
bool check_one(const ImgOp *op, const ImgImpl *impl, const ImgParams *params, ImgShape shape,
               Fill fill, size_t alignment, const CheckOptions *options, ImgError *err);

/* Sets parameters that apply to `shape`: number `draw` of those there are. False past the last. */
bool check_draw_params(const ImgOp *op, ImgShape shape, int draw, Random *random,
                       ImgParams *params);

/* Faulty implementations that check_one must see through; prints each. */
void check_self_test(CheckTally *tally);

#endif
