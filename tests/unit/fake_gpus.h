/* Fake GPUs: what the executor and batches do when a GPU is slow to open, fails or runs
 * out of memory can be tested without one. A program that links fake_gpus.c has these in place of
 * those of kernels/core/exec/cuda/device.c and exec_no_cuda.c. They work as img_run_on_cpu does. */
#ifndef IMGTOOL_TESTS_UNIT_FAKE_GPUS_H
#define IMGTOOL_TESTS_UNIT_FAKE_GPUS_H

#include <stdbool.h>

#include "kernels/core/exec/exec.h"

enum { FAKE_GPUS_MAX = 4, FAKE_WIDTH = 7, FAKE_HEIGHT = 5 };

/* So many GPUs, numbered from 0, called "fake GPU 0" and so on; there are none before. */
void fake_gpus_install(int count);

/* Whoever opens a GPU waits until it is let in. */
void fake_gpus_hold(void);
void fake_gpus_let_in(void);

/* The `at`th opening (from 1) of a GPU, or run on it, fails. Of runs: after IMG_E_DEVICE all that
 * follow on that GPU fail too, as a context does not recover; after others none. */
void fake_gpus_fail_opening(int device, int at, ImgStatus status);
void fake_gpus_fail_run(int device, int at, ImgStatus status);

/* What has happened so far. */
int fake_gpus_openings(int device); /* begun, the failed ones too */
int fake_gpus_runs(int device);     /* with those that failed */
int fake_gpus_failed_runs(int device);
int fake_gpus_left_open(void); /* of all GPUs: opened and not closed */

/* A step that inverts every sample, and for which the executor expects `seconds` of work with one
 * CPU thread; a GPU would be quick. Its implementations are "plain" and "fake-cuda". */
ImgStep fake_step(double seconds);

/* A picture that is different for each `seed`, and whether it is what the step makes of it. */
ImgImage fake_picture(int seed);
bool fake_picture_is_inverted(const ImgImage *image, int seed);

#endif
