/* Fake GPUs. Tests use them to observe the executor and batches when a GPU is slow to open, fails
 * or runs out of memory. In a program that links fake_gpus.c its functions replace the functions of
 * kernels/core/exec/cuda/device.c and exec_no_cuda.c. A fake GPU runs steps as img_run_on_cpu
 * does. */
#ifndef IMGTOOL_TESTS_UNIT_FAKE_GPUS_H
#define IMGTOOL_TESTS_UNIT_FAKE_GPUS_H

#include <stdbool.h>

#include "kernels/core/exec/exec.h"

enum { FAKE_GPUS_MAX = 4, FAKE_WIDTH = 7, FAKE_HEIGHT = 5 };

/* Installs `count` fake GPUs with numbers from 0 and the names "fake GPU 0", "fake GPU 1" and so
 * on. A test that does not call it has no GPU. */
void fake_gpus_install(int count);

/* After fake_gpus_hold, opening a GPU blocks until the test lets it continue. */
void fake_gpus_hold(void);
void fake_gpus_let_in(void);

/* Opening number `at` of a GPU (from 1), or run number `at` on it, fails with `status`. After a run
 * that failed with IMG_E_DEVICE all later runs on that GPU fail too, because a CUDA context does
 * not recover. After other failures later runs succeed. */
void fake_gpus_fail_opening(int device, int at, ImgStatus status);
void fake_gpus_fail_run(int device, int at, ImgStatus status);

/* Counts of calls since the start of the test. */
int fake_gpus_openings(int device); /* started openings, including those that failed */
int fake_gpus_runs(int device);     /* runs, including those that failed */
int fake_gpus_failed_runs(int device);
int fake_gpus_left_open(void); /* GPUs that are open now */

/* Returns a step that inverts every sample. The executor estimates `seconds` of work for the step
 * on one CPU thread, and very little work on a GPU. Its implementations are "plain" and "fake-
 * cuda". */
ImgStep fake_step(double seconds);

/* fake_picture returns a picture that differs for each `seed`. The second function returns true if
 * an image is the inverted picture of that seed. */
ImgImage fake_picture(int seed);
bool fake_picture_is_inverted(const ImgImage *image, int seed);

#endif
