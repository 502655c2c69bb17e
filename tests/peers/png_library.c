/* png_library [--cpu-time] [--threads N] [--rounds N] FILE...: times how long libimgtool takes to
 * decode a PNG in memory through its public interface. Also times the decoder as the command calls
 * it, and other libraries. Results have the format of the file, or RGBA of 8 bits.
 * All of them run in turns, so that other work on the machine slows all of them equally. Times are
 * medians. --cpu-time measures processor time, on which other work has less effect. Exit code 1 if
 * pixels differ: wrong results are not timed. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/library/imgtool.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/peers/png_peers.h"

enum { ROUNDS_MAX = 201, JOBS_MAX = 16 };

typedef struct Subject {
    File file;
    ImgPngHeader header;
    bool rgba;
    uint8_t *wanted; /* packed pixels as libpng decodes them */
    size_t row, bytes;
    uint8_t *callers; /* memory of the caller for the pixels */
} Subject;

typedef struct Job Job;
struct Job {
    const char *name;
    /* Decodes the file. Sets the job's pixels and stride, and *seconds to the time of decoding
     * only. */
    bool (*run)(const Subject *subject, Job *job, double *seconds);
    PeerDecode *peer;
    imgtool_context *context;
    int threads;
    int base; /* index of the job to compare with, or -1 */
    bool callers;
    double seconds[ROUNDS_MAX];
};

static int threads = 2, rounds = 21;
static bool cpu_time;

static double now(void)
{
    struct timespec time;
    if (!cpu_time)
        return img_clock();
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool is_right(const Subject *subject, const char *name, const uint8_t *pixels, size_t stride)
{
    for (size_t y = 0; y < (size_t)subject->header.shape.height; y++)
        if (memcmp(pixels + y * stride, subject->wanted + y * subject->row, subject->row) != 0)
            return complain(name, "decodes to other pixels than libpng");
    return true;
}

/* Compares with libpng's pixels. A difference of 1 is allowed, because some libraries truncate 16
 * bits to 8 instead of rounding. */
static bool is_about_right(const Subject *subject, const char *name, const uint8_t *pixels)
{
    for (size_t i = 0; i < subject->bytes; i++)
        if (pixels[i] > subject->wanted[i] + 1 || pixels[i] + 1 < subject->wanted[i])
            return complain(name, "decodes to other pixels than libpng");
    return true;
}

/* --- Decoders --------------------------------------------------------------------------------- */

static bool run_command(const Subject *subject, Job *job, double *seconds)
{
    ImgImage image = IMG_IMAGE_NONE;
    ImgPngDecodeReport report;
    const double start = now();
    if (!our_decode(&subject->file, job->threads, &image, &report))
        return false;
    *seconds = now() - start;
    const bool right = is_right(subject, job->name, image.view.data, image.view.stride);
    img_image_free(&image);
    return right;
}

static bool run_library(const Subject *subject, Job *job, double *seconds)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    if (subject->rgba)
        picture.format = (imgtool_format){IMGTOOL_RGBA, 8};
    if (job->callers) {
        picture.width = subject->header.shape.width;
        picture.height = subject->header.shape.height;
        picture.pixels = subject->callers;
        picture.stride = subject->row;
    }
    const double start = now();
    if (imgtool_read_memory(job->context, subject->file.data, subject->file.size, &picture, NULL,
                            &error) != IMGTOOL_OK)
        return complain(job->name, error.message);
    *seconds = now() - start;
    const bool right = is_right(subject, job->name, picture.pixels, picture.stride);
    imgtool_picture_free(job->context, &picture);
    return right;
}

/* Swaps the bytes of 16-bit samples, because lodepng leaves them in the byte order of the file. */
static void swap(uint8_t *pixels, size_t bytes)
{
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        const uint8_t first = pixels[i];
        pixels[i] = pixels[i + 1];
        pixels[i + 1] = first;
    }
}

static bool run_peer(const Subject *subject, Job *job, double *seconds)
{
    const double start = now();
    uint8_t *pixels = job->peer(&subject->file, subject->header.shape, subject->rgba);
    *seconds = now() - start;
    if (pixels == NULL)
        return false;
    if (job->peer == peer_lodepng && !subject->rgba && subject->header.shape.format.bits == 16)
        swap(pixels, subject->bytes);
    const bool right = subject->rgba && subject->header.shape.format.bits == 16
                           ? is_about_right(subject, job->name, pixels)
                           : is_right(subject, job->name, pixels, subject->row);
    free(pixels);
    return right;
}

/* --- Measuring -------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values)
{
    double sorted[ROUNDS_MAX];
    memcpy(sorted, values, sizeof *values * (size_t)rounds);
    qsort(sorted, (size_t)rounds, sizeof *sorted, compare_doubles);
    return sorted[rounds / 2];
}

/* Returns the median of the ratios of both jobs' times. Each ratio is of one round, because runs of
 * a round see about the same load. */
static double median_quotient(const Job *job, const Job *base)
{
    double quotients[ROUNDS_MAX];
    for (int i = 0; i < rounds; i++)
        quotients[i] = job->seconds[i] / base->seconds[i];
    return median(quotients);
}

/* Runs all jobs in each round. The first round is a warm-up. Every second round runs in reverse
 * order, so that no job is always first. */
static bool measure(const Subject *subject, Job *jobs, int count)
{
    for (int round = -1; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            Job *job = &jobs[round % 2 == 0 ? i : count - 1 - i];
            double seconds;
            if (!job->run(subject, job, &seconds))
                return false;
            if (round >= 0)
                job->seconds[round] = seconds;
        }
    return true;
}

static void print_jobs(const Job *jobs, int count)
{
    printf("  %-34s %3s %9s %10s %15s\n", "", "thr", "median ms", "of libpng", "of the command");
    for (int i = 0; i < count; i++) {
        printf("  %-34s %3d %9.1f %10.3f", jobs[i].name, jobs[i].threads,
               median(jobs[i].seconds) * 1e3, median_quotient(&jobs[i], &jobs[0]));
        if (jobs[i].base >= 0)
            printf(" %15.3f", median_quotient(&jobs[i], &jobs[jobs[i].base]));
        printf("\n");
    }
    (void)fflush(stdout);
}

static int add_ours(const Subject *subject, Job *jobs, int count, imgtool_context *context, int n)
{
    int base = -1;
    if (!subject->rgba) {
        base = count;
        jobs[count++] =
            (Job){.name = "inside the command", .run = run_command, .threads = n, .base = -1};
    }
    jobs[count++] = (Job){.name = "libimgtool, memory of its own",
                          .run = run_library,
                          .context = context,
                          .threads = n,
                          .base = base};
    jobs[count++] = (Job){.name = "libimgtool, the caller's memory",
                          .run = run_library,
                          .context = context,
                          .threads = n,
                          .base = base,
                          .callers = true};
    return count;
}

static int add_peer(Job *jobs, int count, const char *name, PeerDecode *peer, bool is_there)
{
    if (is_there)
        jobs[count++] =
            (Job){.name = name, .run = run_peer, .peer = peer, .threads = 1, .base = -1};
    return count;
}

static bool measure_format(Subject *subject, bool rgba, imgtool_context *const contexts[2])
{
    static Job jobs[JOBS_MAX];
    const ImgShape shape = subject->header.shape;
    subject->rgba = rgba;
    subject->row = (size_t)shape.width * (rgba ? 4 : img_format_pixel_size(shape.format));
    subject->bytes = subject->row * (size_t)shape.height;
    subject->wanted = peer_libpng(&subject->file, shape, rgba);
    subject->callers = malloc(subject->bytes);
    int count = add_peer(jobs, 0, "libpng", peer_libpng, true);
    count = add_peer(jobs, count, "libspng", peer_spng, peer_has_spng());
    count = add_peer(jobs, count, "lodepng", peer_lodepng, peer_has_lodepng());
    count = add_peer(jobs, count, "stb_image", peer_stb, peer_has_stb());
    count = add_ours(subject, jobs, count, contexts[0], 1);
    if (threads > 1)
        count = add_ours(subject, jobs, count, contexts[1], threads);
    const bool ok =
        subject->wanted != NULL && subject->callers != NULL && measure(subject, jobs, count);
    if (ok) {
        printf(" %s:\n", rgba ? "as RGBA of 8 bits" : "as it is");
        print_jobs(jobs, count);
    }
    free(subject->wanted);
    free(subject->callers);
    return ok;
}

static bool measure_file(const char *path, imgtool_context *const contexts[2])
{
    Subject subject = {.file = {NULL, 0}};
    ImgError err = {IMG_OK, ""};
    bool ok = file_read(path, &subject.file);
    if (ok && (subject.file.size < IMG_PNG_HEADER_BYTES ||
               img_png_header(subject.file.data, &subject.header, &err) != IMG_OK))
        ok = complain(path, err.message);
    if (ok) {
        const ImgShape shape = subject.header.shape;
        printf("%s: %d x %d, %s, %d bit, %.3f MB\n", path, shape.width, shape.height,
               img_color_name(shape.format.color), shape.format.bits,
               (double)subject.file.size / 1e6);
        ok = measure_format(&subject, false, contexts) && measure_format(&subject, true, contexts);
    }
    free(subject.file.data);
    return ok;
}

/* --- Command line ----------------------------------------------------------------------------- */

static imgtool_context *create(int32_t count)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_context *context = NULL;
    config.threads = count;
    config.backend = IMGTOOL_BACKEND_CPU;
    (void)imgtool_context_create(&config, &context, NULL);
    return context;
}

static bool take_option(char **argv, const char *name, int most, int *number)
{
    if (strcmp(argv[0], name) != 0 || argv[1] == NULL)
        return false;
    *number = (int)strtol(argv[1], NULL, 10);
    return *number >= 1 && *number <= most;
}

int main(int argc, char **argv)
{
    int first = 1;
    if (first < argc && strcmp(argv[first], "--cpu-time") == 0) {
        cpu_time = true;
        first++;
    }
    while (first < argc && (take_option(argv + first, "--threads", 1024, &threads) ||
                            take_option(argv + first, "--rounds", ROUNDS_MAX, &rounds)))
        first += 2;
    if (first >= argc || strncmp(argv[first], "--", 2) == 0) {
        fprintf(stderr, "usage: png_library [--cpu-time] [--threads N] [--rounds N] FILE...\n");
        return 2;
    }
    /* makes the heap keep freed memory, so that memory is warm for all jobs */
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, -1);
    printf("Medians in turns, in memory, %s; rounds: %d; %s\n",
           cpu_time ? "processor time" : "by the clock", rounds,
           img_cpu_level_name(img_cpu_level()));
    imgtool_context *const contexts[2] = {create(1), create(threads)};
    bool ok = contexts[0] != NULL && contexts[1] != NULL;
    for (int i = first; i < argc && ok; i++)
        ok = measure_file(argv[i], contexts);
    imgtool_context_destroy(contexts[0]);
    imgtool_context_destroy(contexts[1]);
    return ok ? 0 : 1;
}
