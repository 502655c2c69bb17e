/* The whole command as a process of its own, timed from its start to its end. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SPAWN_H
#define IMGTOOL_APP_BENCH_JOBS_SPAWN_H

#include "app/cli/options.h"

/* Runs `imgtool run PIPELINE INPUT OUTPUT` with the settings' backend, device, threads, level,
 * --strip and limits; `program` is the file of imgtool. What it says goes nowhere. IMG_E_IO where
 * it cannot be started, or ends with another exit code than 0. */
ImgStatus bench_spawn(const char *program, const Settings *settings, const char *pipeline,
                      const char *input, const char *output, double *seconds, ImgError *err);

#endif
