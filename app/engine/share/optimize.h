/* What jobs that optimize a PNG need (Job.optimizes): memory, threads and options. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_OPTIMIZE_H
#define IMGTOOL_APP_ENGINE_SHARE_OPTIMIZE_H

#include "app/engine/share/options.h"
#include "io/png/optimize/options.h"
#include "kernels/core/image.h"

/* Returns the options for io/png/optimize. */
ImgOptimizeOptions img_optimize_options(const EngineOptions *options);

/* Returns whether options change chunks, so that a file may not be kept as it is. */
bool img_optimize_changes_metadata(const EngineOptions *options);

/* Returns the largest number of threads, from 1 to `threads`, with which the pixels and all that
 * optimizing needs fit into `room` bytes. Returns 1 even if one thread does not fit. Sets `*bytes`,
 * unless it is NULL, to the memory in bytes for the returned number of threads, with the pixels. */
int img_optimize_threads(const EngineOptions *options, ImgShape shape, uint64_t room, int threads,
                         uint64_t *bytes);

#endif
