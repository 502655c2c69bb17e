/* png_codec [OPTIONS] FILE...: times the PNG decoder and encoder of imgtool and of libpng, in
 * memory. The programs run in turns, so that other work on the machine slows all of them equally.
 * Prints the minimum and the median time of each, the median relative to libpng, the speed-up by
 * threads, and sizes. `usage` lists the options. Exit code 1 if pixels differ: wrong results are
 * not timed. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/encode.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/cpu.h"
#include "tests/peers/png_peers.h"

enum { ROUNDS_MAX = 101, JOBS_MAX = 24 };

/* A file to measure, with all data derived from it. */
typedef struct Subject {
    File file;     /* the file of the command line */
    File our_file; /* pixels of `file`, encoded again by imgtool at the default level */
    ImgPngHeader header;
    ImgMetadata metadata;
    ImgImage image; /* pixels of `file`, decoded by libpng */
} Subject;

typedef struct Job Job;
struct Job {
    const char *name;
    bool (*run)(Subject *subject, Job *job);
    int threads, level;
    LibpngSettings settings; /* settings of libpng's encoder */
    bool of_our_file;        /* true if a decoder reads our_file in place of `file` */
    bool slow;               /* true if the job runs in fewer rounds, without a warm-up */
    bool checked;
    int base;  /* index of the job with which this one is compared */
    int alone; /* index of the same job with one thread; -1: none */
    double seconds[ROUNDS_MAX];
    int rounds;
    size_t bytes; /* number of bytes that an encoder wrote */
    char how[64]; /* name of the strategy that a decoder chose */
};

static int threads;
static int rounds = 7;
static int slow_rounds = 3;
static bool decode = true;
static bool encode = true;
static bool fresh_memory;

/* Before the measurement, checks that libpng reads the right pixels from the file that this job
 * writes. */
static bool check_writing(const Subject *subject, const Job *job)
{
    File written = {NULL, 0};
    ImgImage image = IMG_IMAGE_NONE;
    bool ok =
        our_encode_to(&subject->image, &subject->metadata, job->level, job->threads, &written) &&
        libpng_decode(written.data, written.size, subject->header.shape, &image) &&
        same_pixels(&image.view, &subject->image.view);
    img_image_free(&image);
    free(written.data);
    return ok || complain(job->name, "libpng does not read the same pixels from it");
}

static const File *file_of(const Subject *subject, const Job *job)
{
    return job->of_our_file ? &subject->our_file : &subject->file;
}

static bool run_libpng_decode(Subject *subject, Job *job)
{
    const File *file = file_of(subject, job);
    ImgImage image;
    double start = img_clock();
    if (!libpng_decode(file->data, file->size, subject->header.shape, &image))
        return false;
    job->seconds[job->rounds++] = img_clock() - start;
    img_image_free(&image);
    return true;
}

static bool run_our_decode(Subject *subject, Job *job)
{
    ImgImage image = IMG_IMAGE_NONE;
    ImgPngDecodeReport report = {0};
    double start = img_clock();
    if (!our_decode(file_of(subject, job), job->threads, &image, &report))
        return false;
    job->seconds[job->rounds++] = img_clock() - start;
    if (job->rounds == 1)
        snprintf(job->how, sizeof job->how, "%s, %zu", img_png_strategy_name(report.strategy),
                 report.pieces);
    bool same = same_pixels(&image.view, &subject->image.view);
    img_image_free(&image);
    return same || complain(job->name, "decodes to other pixels than libpng");
}

static bool run_libpng_encode(Subject *subject, Job *job)
{
    double start = img_clock();
    job->bytes = libpng_encode(&subject->image.view, &subject->metadata, job->settings);
    job->seconds[job->rounds++] = img_clock() - start;
    return job->bytes > 0;
}

static bool run_our_encode(Subject *subject, Job *job)
{
    job->checked = job->checked || check_writing(subject, job);
    if (!job->checked)
        return false;
    double start = img_clock();
    bool ok = our_encode(&subject->image, &subject->metadata, job->level, job->threads, "/dev/null",
                         &job->bytes);
    job->seconds[job->rounds++] = img_clock() - start;
    return ok;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const Job *job)
{
    double sorted[ROUNDS_MAX];
    memcpy(sorted, job->seconds, sizeof sorted[0] * (size_t)job->rounds);
    qsort(sorted, (size_t)job->rounds, sizeof sorted[0], compare_doubles);
    int middle = job->rounds / 2;
    return job->rounds % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

static double least_of(const Job *job)
{
    double least = job->seconds[0];
    for (int i = 1; i < job->rounds; i++)
        least = job->seconds[i] < least ? job->seconds[i] : least;
    return least;
}

/* Runs all jobs in each round. Round 0 is a warm-up, which does not count. Slow jobs have no
 * warm-up and fewer rounds. */
static bool measure(Subject *subject, Job *jobs, int count)
{
    for (int round = 0; round <= rounds; round++) {
        for (int i = 0; i < count; i++) {
            if (jobs[i].slow && (round == 0 || round > slow_rounds))
                continue;
            if (!jobs[i].run(subject, &jobs[i]))
                return false;
            if (round == 0)
                jobs[i].rounds = 0;
        }
    }
    return true;
}

static void print_job(const Job *jobs, int number, bool sizes)
{
    const Job *job = &jobs[number];
    const Job *base = &jobs[job->base];
    double median = median_of(job);
    printf("  %-32s %3d %9.1f %9.1f %10.4f", job->name, job->threads, least_of(job) * 1e3,
           median * 1e3, median / median_of(base));
    if (job->alone >= 0 && job->threads > 1)
        printf(" %6.2fx", median_of(&jobs[job->alone]) / median);
    else
        printf(" %7s", "");
    if (sizes)
        printf(" %8.3f %8.3f\n", (double)job->bytes / 1e6,
               (double)job->bytes / (double)base->bytes);
    else
        printf("  %s\n", job->how);
}

static void print_jobs(const char *what, const char *last, const Job *jobs, int count, bool sizes)
{
    printf("  %-32s %3s %9s %9s %10s %7s %s\n", what, "thr", "min ms", "median ms", "of libpng",
           "gain", last);
    for (int i = 0; i < count; i++)
        print_job(jobs, i, sizes);
    (void)fflush(stdout);
}

/* Adds a job with one thread. If `threads` is above 1, also adds the same job with `threads`
 * threads. Returns the new number of jobs. */
static int add_ours(Job *jobs, int count, Job job)
{
    job.alone = count;
    job.threads = 1;
    jobs[count++] = job;
    job.threads = threads;
    if (threads > 1)
        jobs[count++] = job;
    return count;
}

static bool measure_decoding(Subject *subject)
{
    static Job jobs[JOBS_MAX];
    memset(jobs, 0, sizeof jobs);
    int count = 0;
    jobs[count++] = (Job){.name = "libpng", .run = run_libpng_decode, .threads = 1, .alone = -1};
    count = add_ours(jobs, count, (Job){.name = "ours", .run = run_our_decode});
    int base = count;
    jobs[count++] = (Job){.name = "libpng, our file",
                          .run = run_libpng_decode,
                          .threads = 1,
                          .of_our_file = true,
                          .base = base,
                          .alone = -1};
    count = add_ours(
        jobs, count,
        (Job){.name = "ours, our file", .run = run_our_decode, .of_our_file = true, .base = base});
    if (!measure(subject, jobs, count))
        return false;
    print_jobs("decoding", " how, entries", jobs, count, false);
    return true;
}

static bool measure_encoding(Subject *subject)
{
    static Job jobs[JOBS_MAX];
    memset(jobs, 0, sizeof jobs);
    int count = 0;
    LibpngSettings smallest = LIBPNG_DEFAULTS;
    smallest.level = 9;
    const Job libpng = {.run = run_libpng_encode, .threads = 1, .alone = -1, .slow = true};
    jobs[count] = libpng;
    jobs[count].name = "libpng, default";
    jobs[count++].settings = LIBPNG_DEFAULTS;
    count = add_ours(
        jobs, count,
        (Job){.name = "ours, default level", .run = run_our_encode, .level = IMG_DEFAULT_LEVEL});
    jobs[count] = libpng;
    jobs[count].name = "libpng, level 1, Sub, RLE";
    jobs[count].slow = false;
    jobs[count++].settings = LIBPNG_LIKE_OPENCV;
    count =
        add_ours(jobs, count, (Job){.name = "ours, level 1", .run = run_our_encode, .level = 1});
    jobs[count] = libpng;
    jobs[count].name = "libpng, level 9";
    jobs[count++].settings = smallest;
    jobs[count++] = (Job){.name = "ours, level 9",
                          .run = run_our_encode,
                          .threads = threads,
                          .level = 9,
                          .alone = -1,
                          .slow = true};
    if (!measure(subject, jobs, count))
        return false;
    print_jobs("encoding", "      MB of libpng", jobs, count, true);
    return true;
}

static bool prepare(const char *path, Subject *subject)
{
    ImgPngScan scan;
    ImgError err = {IMG_OK, ""};
    if (!file_read(path, &subject->file))
        return false;
    if (subject->file.size < IMG_PNG_HEADER_BYTES ||
        !img_png_is_signed(subject->file.data, subject->file.size))
        return complain(path, "is not a PNG");
    if (img_png_header(subject->file.data, &subject->header, &err) != IMG_OK ||
        img_png_scan(subject->file.data, subject->file.size, &subject->header,
                     (ImgPngBudget){0, UINT64_MAX, NULL, NULL}, &subject->metadata, &scan,
                     &err) != IMG_OK)
        return complain(path, err.message);
    return libpng_decode(subject->file.data, subject->file.size, subject->header.shape,
                         &subject->image) &&
           our_encode_to(&subject->image, &subject->metadata, IMG_DEFAULT_LEVEL, threads,
                         &subject->our_file);
}

static bool measure_file(const char *path)
{
    Subject subject = {.metadata = IMG_METADATA_NONE, .image = IMG_IMAGE_NONE};
    bool ok = prepare(path, &subject);
    if (ok) {
        ImgShape shape = subject.header.shape;
        printf("%s: %d x %d, %s, %d bit, %.3f MB; written by us %.3f MB\n", path, shape.width,
               shape.height, img_color_name(shape.format.color), shape.format.bits,
               (double)subject.file.size / 1e6, (double)subject.our_file.size / 1e6);
        ok = (!decode || measure_decoding(&subject)) && (!encode || measure_encoding(&subject));
    }
    img_image_free(&subject.image);
    img_metadata_free(&subject.metadata);
    free(subject.file.data);
    free(subject.our_file.data);
    return ok;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: png_codec [OPTIONS] FILE...\n"
            "  --threads N       threads of ours, beside one (all processors)\n"
            "  --rounds N        how often each is run (7)\n"
            "  --slow-rounds N   how often libpng's default and level 9 are written (3)\n"
            "  --only decode     or --only encode\n"
            "  --fresh-memory    give memory back after each run, for all alike: every run then\n"
            "                    pays for the first touch of its pages, as a program would once\n");
    return 2;
}

static bool take_number(const char *text, int most, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    return *end == '\0' && value >= 1 && value <= most;
}

/* Returns the index of the first argument that is not an option. Returns 0 for invalid options. */
static int parse(int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool ok = true;
        if (strcmp(argv[i], "--fresh-memory") == 0) {
            fresh_memory = true;
            continue;
        }
        if (strcmp(argv[i], "--threads") == 0)
            ok = take_number(value, 1024, &threads);
        else if (strcmp(argv[i], "--rounds") == 0)
            ok = take_number(value, ROUNDS_MAX, &rounds);
        else if (strcmp(argv[i], "--slow-rounds") == 0)
            ok = take_number(value, ROUNDS_MAX, &slow_rounds);
        else if (strcmp(argv[i], "--only") == 0 && strcmp(value, "decode") == 0)
            encode = false;
        else if (strcmp(argv[i], "--only") == 0 && strcmp(value, "encode") == 0)
            decode = false;
        else
            ok = false;
        if (!ok)
            return 0;
        i++;
    }
    return i < argc ? i : 0;
}

int main(int argc, char **argv)
{
    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int first = parse(argc, argv);
    if (first == 0)
        return usage();
    if (slow_rounds > rounds)
        slow_rounds = rounds;
    if (!fresh_memory) { /* makes the heap keep freed memory and use it again */
        (void)mallopt(M_MMAP_MAX, 0);
        (void)mallopt(M_TRIM_THRESHOLD, -1);
    }
    printf("Least and median in turns, in memory, %s memory; rounds: %d, of slow ones: %d; %s\n",
           fresh_memory ? "fresh" : "warm", rounds, slow_rounds,
           img_cpu_level_name(img_cpu_level()));
    bool ok = true;
    for (int i = first; i < argc; i++)
        ok = measure_file(argv[i]) && ok;
    return ok ? 0 : 1;
}
