/* Fake GPUs for tests of the executor and of batches. They can be slow to open, fail or run out of
 * memory. The functions of fake_gpus.c replace those of kernels/core/exec/cuda/device.c and
 * exec_no_cuda.c. A fake GPU runs steps as img_run_on_cpu does. */
#ifndef IMGTOOL_TESTS_UNIT_FAKE_GPUS_H
#define IMGTOOL_TESTS_UNIT_FAKE_GPUS_H

#include <stdbool.h>

#include "kernels/core/exec/exec.h"

enum { FAKE_GPUS_MAX = 4, FAKE_WIDTH = 7, FAKE_HEIGHT = 5 };

/* Installs `count` fake GPUs. Their numbers start at 0, and their names are "fake GPU 0", "fake GPU
 * 1" and so on. Without this call a test has no GPU. */
void fake_gpus_install(int count);

/* After fake_gpus_hold, every opening of a GPU blocks until the test calls fake_gpus_let_in. */
void fake_gpus_hold(void);
void fake_gpus_let_in(void);

/* Make opening number `at` of a GPU, or run number `at` on it, fail with `status`. Numbers count
 * from 1. After a run that failed with IMG_E_DEVICE, all later runs on that GPU fail too, because a
 * CUDA context does not recover. After other failures, later runs succeed. */
void fake_gpus_fail_opening(int device, int at, ImgStatus status);
void fake_gpus_fail_run(int device, int at, ImgStatus status);

/* These functions return counts since the start of the test. */
int fake_gpus_openings(int device); /* openings that were started, including failed ones */
int fake_gpus_runs(int device);     /* runs that were started, including failed ones */
int fake_gpus_failed_runs(int device);
int fake_gpus_left_open(void); /* GPUs that are open now */

/* A group (img_exec_run_in_group) counts as a run. After fake_gpus_hold_groups, groups block until
 * fake_gpus_let_groups_go. */
void fake_gpus_hold_groups(void);
void fake_gpus_let_groups_go(void);
int fake_gpus_largest_group(void); /* number of pictures */

/* Returns a step that inverts every sample. The executor estimates `seconds` of work for the step
 * on one CPU thread, and very little work on a GPU. The step has an implementation "plain" for
 * the CPU and "fake-cuda" for a GPU. */
ImgStep fake_step(double seconds);

/* fake_picture returns a picture that differs for each `seed`. fake_picture_is_inverted returns
 * true if `image` is that picture with every sample inverted. */
ImgImage fake_picture(int seed);
bool fake_picture_is_inverted(const ImgImage *image, int seed);

#endif
