/* Limits for the work on pictures, from the options: pixels, memory and threads. Every command that
 * decodes pictures uses them. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_RESOURCES_H
#define IMGTOOL_APP_ENGINE_SHARE_RESOURCES_H

#include "app/engine/share/options.h"
#include "io/limits.h"
#include "io/source.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Returns the limits of --max-pixels and --max-memory. */
ImgLimits img_resources_limits(const EngineOptions *options);

/* Fails with IMG_E_LIMIT if a picture of this shape has more pixels than the limit. The message
 * starts with `who`, unless that is "". */
ImgStatus img_resources_check_pixels(const char *who, ImgShape shape, const ImgLimits *limits,
                                     ImgError *err);

/* Fails with IMG_E_LIMIT if a step on a picture of shape `shape` has a result with more pixels than
 * the limit. Results after a step that measures its size are checked during the run. */
ImgStatus img_resources_check_results(const ImgStep *steps, size_t count, ImgShape shape,
                                      const ImgLimits *limits, ImgError *err);

/* Fails with IMG_E_LIMIT if `need` bytes exceed the limit. The message names the --max-memory that
 * would suffice, and describes the work by `shape`. */
ImgStatus img_resources_check_memory(ImgShape shape, uint64_t need, const ImgLimits *limits,
                                     ImgError *err);

/* Like img_resources_check_memory, but `least` is only a lower bound of the need. `what` names the
 * needs that are not yet known, such as "the pictures on it need". */
ImgStatus img_resources_check_least(ImgShape shape, uint64_t least, const char *what,
                                    const ImgLimits *limits, ImgError *err);

/* Loads the files that steps name (img_step_files_load), within the limits of --max-pixels and
 * --max-memory. */
ImgStatus img_resources_load_step_files(ImgStepFiles *files, ImgStep *steps, size_t count,
                                        const EngineOptions *options, ImgError *err);

/* Returns whether moving `traffic` bytes takes so long that several threads are faster than one. */
bool img_resources_use_threads(uint64_t traffic);

/* Returns the number of threads that work on many pictures at the same time: --jobs, --threads, or
 * the number of CPUs. */
int img_resources_jobs_at_work(const EngineOptions *options);

/* Returns the same as img_resources_jobs_at_work, or fewer threads if the limit of open files
 * requires it. `held` other files are open in addition to the files of the threads. */
int img_resources_jobs(const EngineOptions *options, size_t held);

/* Fails with IMG_E_LIMIT if the limit of open files is too low even for one job, when `held` other
 * files are open. The message contains the limit; the caller adds the reason for the other
 * files. */
ImgStatus img_resources_check_open_files(size_t held, ImgError *err);

/* Returns the number of threads for pictures that may use a GPU. It is a few more than
 * img_resources_jobs returns, since threads that wait for a GPU use no core. */
int img_resources_jobs_with_gpu(const EngineOptions *options, size_t held);

/* Returns the number of workers of a batch with this number of jobs: more than `jobs` if small
 * pictures may wait for a GPU in groups. */
int img_resources_workers(const EngineOptions *options, int jobs, size_t held);

/* Returns the bytes of memory for many pictures in parallel: --max-memory, or three quarters of the
 * free memory. */
uint64_t img_resources_batch_memory(const EngineOptions *options);

/* Allows `threads` threads to keep freed memory, which no plan includes (kept.h). Without
 * --max-memory, `memory` is three quarters of the free memory, and they may keep a quarter of it.
 * With --max-memory they may keep only the part of it that no plan uses, since the limit can be all
 * memory of a container. Commands on a single picture call this only with --max-memory; by default
 * the C library keeps more. */
void img_resources_keep_memory(const EngineOptions *options, uint64_t memory, int threads);

/* Returns a team of threads for pictures that are processed one after the other. Its threads leave
 * `need` bytes of address space free for the work. The result may be NULL, which is a valid
 * team. */
ImgTeam *img_resources_team(uint64_t need);

/* Returns a team of threads for pictures that are processed in parallel. */
ImgTeam *img_resources_batch_team(void);

/* With -v, prints how many threads the system refused, if any. */
void img_resources_explain_refused(const EngineOptions *options, ImgTeam *team);

/* Returns --threads, or the number of CPUs. */
int img_resources_wanted_threads(const EngineOptions *options);

/* Returns the size of a file in bytes, before it is read. Returns 0 if it has no size, like a
 * pipe. */
uint64_t img_resources_file_bytes(const char *path);

/* Returns the approximate memory, in bytes, for reading and writing a PNG, without the file and its
 * pixels. */
uint64_t img_resources_codec_bytes(const EngineOptions *options, int threads);

/* Returns true if pictures may be processed on a GPU: the options and the build allow it, and the
 * machine seems to have a GPU. */
bool img_resources_may_use_gpu(const EngineOptions *options);

/* Returns the approximate pinned memory, in bytes, that a GPU takes and keeps for processing the
 * file. Returns 0 without a GPU. */
uint64_t img_resources_pinned_bytes(const EngineOptions *options, uint64_t file_bytes);

/* Estimates the time of decoding a picture of the shape `read` and encoding one of the shape
 * `written`, on `threads` CPU threads and on a GPU. */
ImgEndsCost img_resources_codec_cost(ImgShape read, ImgShape written, bool decodes, bool encodes,
                                     int threads);

/* Estimates the seconds for decoding a picture. The estimate is good enough to predict whether a
 * GPU would be ready in time. */
double img_resources_decode_seconds(ImgShape shape);

/* Estimates the CPU seconds for decoding a file, running steps on its picture and encoding the
 * result, from its header. Returns a negative number if the file is not a PNG. */
double img_resources_file_seconds(const char *path, const ImgStep *steps, size_t count,
                                  const EngineOptions *options);

/* Returns the directory for temporary files of a command without an output (kernels/core/store.h):
 * TMPDIR if it is set, otherwise /var/tmp. It is not /tmp, because that may be in memory. */
const char *img_resources_scratch(void);

/* Returns the directory of a file, which need not exist. The caller frees the result, which is NULL
 * if memory is short. */
char *img_resources_directory_of(const char *path);

/* Returns the directory for temporary files of a command with an output. It is TMPDIR if that is
 * set, otherwise the directory of the output. If the output is "-" or NULL, it is the result of
 * img_resources_scratch. The caller frees the result, which is NULL if memory is short. */
char *img_resources_scratch_beside(const char *output);

/* Returns a random path in the directory, for ImgStorePlace.file. A later command removes the file
 * if this one is killed. The caller frees the result, which is NULL if memory is short. */
char *img_resources_scratch_file(const char *directory);

#endif
