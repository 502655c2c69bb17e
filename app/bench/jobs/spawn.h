/* Runs and times a whole command in its own process. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SPAWN_H
#define IMGTOOL_APP_BENCH_JOBS_SPAWN_H

#include "app/cli/options.h"

/* Runs `imgtool run PIPELINE INPUT OUTPUT` with the backend, device, threads, level, --strip and
 * limits of the settings, and sets *seconds to its time. `program` is the path of imgtool. The
 * output of the program is discarded. IMG_E_IO if it cannot be started or its exit code is not
 * 0. */
ImgStatus bench_spawn(const char *program, const Settings *settings, const char *pipeline,
                      const char *input, const char *output, double *seconds, ImgError *err);

#endif
