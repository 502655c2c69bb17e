#include "app/engine/share/resources.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/engine/share/kept.h"
#include "app/engine/share/machine.h"
#include "app/text/amounts.h"
#include "app/text/streams.h"
#include "io/output/output_path.h"
#include "io/size_text.h"
#include "kernels/core/exec/exec_cost.h"

/* Approximate number of bytes of pixels that one thread decodes per second. Measured: 340 to 1600
 * MB per second (io/png/MEASUREMENTS.md). */
static const double DECODE_BYTES_PER_SECOND = 500e6;
static const double ENCODE_BYTES_PER_SECOND = 700e6;

/* Bytes of pixels per second. Low estimates from measurements on an H200, including transfers. */
static const double DEVICE_DECODE_BYTES_PER_SECOND = 8e9;
/* Rows per second if each row depends on the row above; independent of the width
 * (io/png/cuda/decode/README.md). */
static const double DEVICE_DECODE_ROWS_PER_SECOND = 11e6;
/* Bytes of pixels per second with LZ77. Run-length encoding is five times as fast. */
static const double DEVICE_ENCODE_BYTES_PER_SECOND = 18e9;
/* CPU seconds per picture for launches, copies and waits. Measured: with one H200, 16 cores
 * processed 3,962 pictures of a quarter of a megapixel per second, which is 16 / 3,962 s = 4 ms
 * each. */
static const double DEVICE_PICTURE_SECONDS = 4e-3;
/* The same for a small picture, which a GPU processes in a group. */
static const double DEVICE_GROUPED_SECONDS = 0.4e-3;
/* A picture of at most this many bytes of pixels is small. */
static const uint64_t GROUPED_BYTES_MOST = 8 << 20;

/* More threads than this hardly make one picture faster. */
enum { CODEC_THREADS_MOST = 8 };

/* Approximate bytes of address space for buffers of the codec and of the C library. */
static const uint64_t BYTES_BESIDE_IMAGES = 32 << 20;

ImgLimits img_resources_limits(const EngineOptions *options)
{
    return (ImgLimits){
        .max_pixels = options->max_pixels,
        .max_memory = options->max_memory != 0 ? options->max_memory : img_machine_memory() / 4 * 3,
        .max_text = IMG_DEFAULT_MAX_TEXT,
        .more_pixels = img_engine_has_options(options) ? "raise it with --max-pixels" : NULL,
        .more_memory = img_engine_has_options(options) ? "raise it with --max-memory" : NULL,
        .only_files = options->only_files,
    };
}

ImgStatus img_resources_check_pixels(const char *who, ImgShape shape, const ImgLimits *limits,
                                     ImgError *err)
{
    const uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    if (pixels <= limits->max_pixels)
        return IMG_OK;
    const char *more = limits->more_pixels;
    return img_fail(err, IMG_E_LIMIT, "%s%s%d x %d is %llu pixels, more than the limit of %llu%s%s",
                    who, *who != '\0' ? ": " : "", shape.width, shape.height,
                    (unsigned long long)pixels, (unsigned long long)limits->max_pixels,
                    more != NULL ? "; " : "", more != NULL ? more : "");
}

ImgStatus img_resources_check_results(const ImgStep *steps, size_t count, ImgShape shape,
                                      const ImgLimits *limits, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const ImgStep *step = &steps[i];
        if (step->op->measured.by != NULL ||
            step->op->shape(shape, step->params.bytes, &shape, NULL) != IMG_OK)
            return IMG_OK;
        status = img_resources_check_pixels(step->op->name, shape, limits, err);
    }
    return status;
}

ImgStatus img_resources_check_memory(ImgShape shape, uint64_t need, const ImgLimits *limits,
                                     ImgError *err)
{
    if (need <= limits->max_memory)
        return IMG_OK;
    ImgSizeText texts[2];
    char option[AMOUNT_TEXT];
    img_size_texts(need, limits->max_memory, texts);
    if (limits->more_memory == NULL)
        return img_fail(err, IMG_E_LIMIT,
                        "%d x %d pixels need %s of memory at a time, more than the limit of %s; "
                        "max_memory = %llu would allow it",
                        shape.width, shape.height, texts[0].text, texts[1].text,
                        (unsigned long long)need);
    return img_fail(err, IMG_E_LIMIT,
                    "%d x %d pixels need %s of memory at a time, more than the limit of %s; "
                    "--max-memory %s would allow it",
                    shape.width, shape.height, texts[0].text, texts[1].text,
                    img_amount_print_option(need, option));
}

ImgStatus img_resources_check_least(ImgShape shape, uint64_t least, const char *what,
                                    const ImgLimits *limits, ImgError *err)
{
    if (least <= limits->max_memory)
        return IMG_OK;
    ImgSizeText texts[2];
    char option[AMOUNT_TEXT];
    img_size_texts(least, limits->max_memory, texts);
    return img_fail(err, IMG_E_LIMIT,
                    "%d x %d pixels need %s of memory at a time, more than the limit of %s, and %s "
                    "more than that; --max-memory must be above %s",
                    shape.width, shape.height, texts[0].text, texts[1].text, what,
                    img_amount_print_option(least, option));
}

static void note_damage(void *context, const char *name, const char *damage)
{
    img_engine_note(context, "%s: %s", name, damage);
}

ImgStatus img_resources_load_step_files(ImgStepFiles *files, ImgStep *steps, size_t count,
                                        const EngineOptions *options, ImgError *err)
{
    const ImgLimits limits = img_resources_limits(options);
    files->warnings = (ImgStepWarnings){note_damage, (void *)options};
    return img_step_files_load(files, steps, count, &limits, err);
}

bool img_resources_use_threads(uint64_t traffic)
{
    return traffic >= IMG_BYTES_WORTH_THREADS;
}

int img_resources_wanted_threads(const EngineOptions *options)
{
    return options->threads != 0 ? options->threads : img_machine_threads();
}

/* Open files per job: the input, the output, its lock, and one more that library functions open for
 * a moment, such as in /proc. FILES_OF_ALL: open files of the whole process. */
enum { FILES_PER_JOB = 4, FILES_OF_ALL = 4 };

static uint64_t jobs_by_open_files(uint64_t files, size_t held)
{
    uint64_t others = (uint64_t)held + FILES_OF_ALL;
    return files > others ? (files - others) / FILES_PER_JOB : 0;
}

/* Limits the number of threads by the limit of open files: a thread without a free descriptor could
 * not open its picture. */
static int limit_by_open_files(const EngineOptions *options, int wanted, size_t held)
{
    uint64_t jobs = jobs_by_open_files(img_machine_raise_open_files(), held);
    if (jobs >= (uint64_t)wanted)
        return wanted;
    img_engine_detail(options, "the limit of open files is too low for %d threads (ulimit -n)",
                      wanted);
    return jobs > 0 ? (int)jobs : 1;
}

int img_resources_jobs_at_work(const EngineOptions *options)
{
    return options->jobs != 0 ? options->jobs : img_resources_wanted_threads(options);
}

int img_resources_jobs(const EngineOptions *options, size_t held)
{
    return limit_by_open_files(options, img_resources_jobs_at_work(options), held);
}

ImgStatus img_resources_check_open_files(size_t held, ImgError *err)
{
    uint64_t files = img_machine_raise_open_files();
    if (jobs_by_open_files(files, held) > 0)
        return IMG_OK;
    return img_fail(err, IMG_E_LIMIT, "only %" PRIu64 " more files can be open at the same time",
                    files);
}

/* Returns true if a batch has more threads than processors, for pictures that wait for a GPU. */
static bool has_waiting_threads(const EngineOptions *options)
{
    const bool is_chosen = options->jobs != 0 || options->threads != 0;
    return !is_chosen && img_resources_may_use_gpu(options);
}

int img_resources_jobs_with_gpu(const EngineOptions *options, size_t held)
{
    enum { WAITING = 4 }; /* number of threads that wait for a GPU at one time */
    if (!has_waiting_threads(options))
        return img_resources_jobs(options, held);
    return limit_by_open_files(options, img_resources_wanted_threads(options) + WAITING, held);
}

int img_resources_workers(const EngineOptions *options, int jobs, size_t held)
{
    /* Number of threads that wait for groups of small pictures. On an H200 with 16 cores, a group
     * of 512 x 512 pictures took 10 ms, in which the cores read 100 pictures. 96 to 288 threads
     * were equally fast. */
    enum { GROUPED = 128 };
    if (!has_waiting_threads(options))
        return jobs;
    return limit_by_open_files(options, jobs + GROUPED, held);
}

uint64_t img_resources_batch_memory(const EngineOptions *options)
{
    return options->max_memory != 0 ? options->max_memory : img_machine_memory_free() / 4 * 3;
}

void img_resources_keep_memory(const EngineOptions *options, uint64_t memory, int threads)
{
    img_kept_start(options->max_memory != 0, memory, threads);
}

ImgTeam *img_resources_team(uint64_t need)
{
    const ImgTeamConfig config = {.stack_bytes = IMG_TEAM_STACK_BYTES,
                                  .reserve_bytes = need + BYTES_BESIDE_IMAGES};
    return img_team_create(&config);
}

ImgTeam *img_resources_batch_team(void)
{
    /* Keeps the default stack size, because the threads call the GPU driver and libraries, whose
     * use of stack is unknown. */
    const ImgTeamConfig config = {.reserve_bytes = BYTES_BESIDE_IMAGES};
    return img_team_create(&config);
}

void img_resources_explain_refused(const EngineOptions *options, ImgTeam *team)
{
    int refused = img_team_refused(team);
    if (refused > 0)
        img_engine_detail(options, "%d of the requested threads could not be started", refused);
}

uint64_t img_resources_file_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0 ? (uint64_t)info.st_size : 0;
}

uint64_t img_resources_codec_bytes(const EngineOptions *options, int threads)
{
    /* MiB per thread of the encoder. From level 7 on, the search for the best sequence of matches
     * needs large tables. At level 9, 16 threads used 169 MB, which is 10.6 MB per thread. 12 MiB
     * (12.6 MB) leave a margin. The 6 MiB of lower levels are an estimate from the sizes of
     * strips. */
    enum { SEARCHING_LEVEL = 7, MEBIBYTE = 1 << 20 };
    uint64_t mebibytes = options->level >= SEARCHING_LEVEL ? 12 : 6;
    return (uint64_t)threads * mebibytes * MEBIBYTE;
}

bool img_resources_may_use_gpu(const EngineOptions *options)
{
    return options->backend != IMG_BACKEND_CPU && img_cuda_in_build() && img_machine_may_have_gpu();
}

uint64_t img_resources_pinned_bytes(const EngineOptions *options, uint64_t file_bytes)
{
    if (!img_resources_may_use_gpu(options))
        return 0;
    /* The file, and one and a half times its size for the output. If the output is larger than
     * that, it fits in the memory that is planned for pixels on the host, which a run on a GPU does
     * not use. */
    return file_bytes * 5 / 2;
}

double img_resources_decode_seconds(ImgShape shape)
{
    return (double)img_image_bytes(shape) / DECODE_BYTES_PER_SECOND;
}

ImgEndsCost img_resources_codec_cost(ImgShape read, ImgShape written, bool decodes, bool encodes,
                                     int threads)
{
    double used = threads < CODEC_THREADS_MOST ? threads : CODEC_THREADS_MOST;
    ImgEndsCost cost = {.cuda = decodes || encodes ? DEVICE_PICTURE_SECONDS : 0};
    cost.in_group = decodes && encodes && img_image_bytes(read) <= GROUPED_BYTES_MOST &&
                    img_image_bytes(written) <= GROUPED_BYTES_MOST;
    if (cost.in_group)
        cost.cuda = DEVICE_GROUPED_SECONDS;
    if (decodes) {
        cost.cpu += (double)img_image_bytes(read) / DECODE_BYTES_PER_SECOND / used;
        double rows = read.height / DEVICE_DECODE_ROWS_PER_SECOND;
        double bytes = (double)img_image_bytes(read) / DEVICE_DECODE_BYTES_PER_SECOND;
        cost.cuda += bytes > rows ? bytes : rows;
    }
    if (encodes) {
        cost.cpu += (double)img_image_bytes(written) / ENCODE_BYTES_PER_SECOND / used;
        cost.cuda += (double)img_image_bytes(written) / DEVICE_ENCODE_BYTES_PER_SECOND;
    }
    return cost;
}

double img_resources_file_seconds(const char *path, const ImgStep *steps, size_t count,
                                  const EngineOptions *options)
{
    ImgSource *source = NULL;
    const ImgLimits limits = img_resources_limits(options);
    if (img_source_open(path, &limits, &source, NULL) != IMG_OK)
        return -1;
    ImgShape before = img_source_shape(source), after = before;
    img_source_close(source);
    for (size_t i = 0; i < count; i++) {
        ImgShape next;
        if (steps[i].op->shape(after, steps[i].params.bytes, &next, NULL) == IMG_OK)
            after = next;
    }
    return img_cost_of(steps, count, before, 1).cpu +
           img_resources_codec_cost(before, after, true, true, 1).cpu;
}

const char *img_resources_scratch(void)
{
    const char *given = getenv("TMPDIR");
    return given != NULL && *given != '\0' ? given : "/var/tmp";
}

char *img_resources_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *img_resources_scratch_beside(const char *output)
{
    const char *given = getenv("TMPDIR");
    if (output == NULL || strcmp(output, "-") == 0 || (given != NULL && *given != '\0'))
        return strdup(img_resources_scratch());
    return img_resources_directory_of(output);
}

char *img_resources_scratch_file(const char *directory)
{
    static const char name[] = "/imgtool.png";
    const size_t size = strlen(directory) + sizeof name;
    char *path = malloc(size), *file = NULL;
    if (path != NULL) {
        snprintf(path, size, "%s%s", directory, name);
        file = img_output_temporary(path);
    }
    free(path);
    return file;
}
