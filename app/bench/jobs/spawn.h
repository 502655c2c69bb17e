/* Runs a whole command in its own process, and measures its time. */
#ifndef IMGTOOL_APP_BENCH_JOBS_SPAWN_H
#define IMGTOOL_APP_BENCH_JOBS_SPAWN_H

#include "app/cli/options.h"

/* Runs `imgtool run PIPELINE INPUT OUTPUT`, and sets *seconds to the time that it takes. The
 * command gets the backend, device, threads, level, --strip and limits of `settings`. `program` is
 * the path of imgtool. The output of the command is discarded. IMG_E_IO if the command cannot be
 * started or its exit code is not 0. */
ImgStatus bench_spawn(const char *program, const Settings *settings, const char *pipeline,
                      const char *input, const char *output, double *seconds, ImgError *err);

#endif
