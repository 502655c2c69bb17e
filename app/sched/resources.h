/* What the work on one picture may take of the machine, as the options say: pixels, memory and
 * threads. For every command that decodes pictures. */
#ifndef IMGTOOL_APP_SCHED_RESOURCES_H
#define IMGTOOL_APP_SCHED_RESOURCES_H

#include "app/cli/options.h"
#include "io/limits.h"
#include "io/source.h"
#include "io/step_files.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* --max-pixels and --max-memory. */
ImgLimits resources_limits(const Settings *settings);

/* IMG_E_LIMIT, with what --max-memory would have to be, if `need` bytes are too many. `shape` is
 * what the message says it is about. */
ImgStatus resources_check_memory(ImgShape shape, uint64_t need, const ImgLimits *limits,
                                 ImgError *err);

/* The same, where `what` ("the pictures on it need") takes more beside, which is not known yet. */
ImgStatus resources_check_least(ImgShape shape, uint64_t least, const char *what,
                                const ImgLimits *limits, ImgError *err);

/* As resources_check_memory, for results whose sizes only a run can tell; and what passes may take
 * as it was planned, beyond which they have fewer threads. */
void resources_limit_exec(ImgExec *exec, const ImgLimits *limits, uint64_t planned);

/* Reads the files that steps name (img_step_files_load), within those limits. */
ImgStatus resources_load_step_files(ImgStepFiles *files, ImgStep *steps, size_t count,
                                    const Settings *settings, ImgError *err);

/* Is it worth while to wake threads for moving that many bytes? */
bool resources_use_threads(uint64_t traffic);

/* Threads for many pictures side by side: --jobs or --threads, or all that the machine has, as far
 * as the system grants the files that they open beside `held` others. */
int resources_jobs(const Settings *settings, size_t held);

/* Are there files left for even one of them, beside `held` others? IMG_E_LIMIT, of which the
 * message says how many may be open; what the others are is for the caller to say. */
ImgStatus resources_check_open_files(size_t held, ImgError *err);

/* The same for pictures that may go through a GPU: some threads more, as those that wait for it
 * leave their cores to others. */
int resources_jobs_with_gpu(const Settings *settings, size_t held);

/* Memory for many pictures side by side: --max-memory, or three quarters of what is free. */
uint64_t resources_batch_memory(const Settings *settings);

/* Lets as many threads keep memory that they have freed, which is in no plan (kept.h): of `memory`
 * that is three quarters of what is free, a quarter; of --max-memory, with which a container may be
 * full, what is not planned. Single commands need it for --max-memory alone: of itself the C
 * library keeps more. */
void resources_keep_memory(const Settings *settings, uint64_t memory, int threads);

/* A team for work on one picture after the other, whose threads leave address space for the `need`
 * bytes that the work takes beside them. NULL is a team too. */
ImgTeam *resources_team(uint64_t need);

/* A team whose threads work on many pictures side by side. */
ImgTeam *resources_batch_team(void);

/* With -v, says how many threads the system refused, if any. */
void resources_explain_refused(const Settings *settings, ImgTeam *team);

/* --threads, or all that the machine has. */
int resources_wanted_threads(const Settings *settings);

/* Bytes of a file, before it is read; 0 for what has no size. */
uint64_t resources_file_bytes(const char *path);

/* What reading and writing a PNG take beside the file and its pixels, roughly. */
uint64_t resources_codec_bytes(const Settings *settings, int threads);

/* Pinned memory that a file's way through a GPU takes and keeps, about; 0 where there is none. */
uint64_t resources_pinned_bytes(const Settings *settings, uint64_t file_bytes);

/* About how long decoding and encoding such pictures take, whichever is asked for: on so many
 * threads of the CPU, and on a GPU. */
ImgEndsCost resources_codec_cost(ImgShape read, ImgShape written, bool decodes, bool encodes,
                                 int threads);

/* An estimate of how long decoding takes: enough to tell whether a GPU would be ready in time. */
double resources_decode_seconds(ImgShape shape);

#endif
