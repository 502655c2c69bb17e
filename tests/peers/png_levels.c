/* png_levels [--quick] (--photos | --graphics) FILE...: compares every compression level of imgtool
 * with the default of libpng, in memory and with one thread. Prints the file size with libpng's
 * default, and the sizes of all levels relative to it. Also prints the time of imgtool's default
 * level relative to libpng's, as the minimum of a few rounds of processor time. Marks and counts
 * violations:
 *
 *   level   the file is more than 0.1 % larger than at the level below
 *   size    the default gives a larger file than libpng for a photograph, or a file more than 3 %
 *           larger for graphics
 *   time    the default takes more than 1/50 of libpng's time for a photograph, more than 1/4 for
 *           graphics
 *
 * Files that take libpng less than 0.2 ms are not timed. Exit code 1 if `level` or `size` is
 * violated, but not for `time`, because times depend on the machine. --quick leaves out levels
 * above 5.
 *
 * png_levels [--quick] --costs FILE...: prints the costs of each level from 1 on without a
 * comparison. For each file these are the bytes and the milliseconds of processor time: the median
 * of a few rounds in which the levels alternate. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/encode.h"
#include "tests/peers/png_peers.h"

enum { LEVELS = 10, QUICK_LEVELS = 6, ROUNDS = 5, QUICK_ROUNDS = 3, COST_ROUNDS = 3 };

/* A file is encoded again and again until its runs have taken at least ENOUGH_SECONDS together. A
 * file that takes libpng less than LEAST_SECONDS is not timed. */
static const double ENOUGH_SECONDS = 3e-2, LEAST_SECONDS = 2e-4;

typedef struct Bounds {
    /* largest allowed size and time of imgtool's default level, relative to libpng's default */
    double size, time;
} Bounds;

static const Bounds PHOTOS = {1.0, 0.02}, GRAPHICS = {1.03, 0.25};

typedef struct Count {
    int files, levels, sizes, times;
} Count;

static double seconds_of_thread(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct Clock {
    double least, all; /* seconds: the fastest run, and all runs together */
} Clock;

static void add_seconds(Clock *clock, double seconds)
{
    if (clock->all == 0 || seconds < clock->least)
        clock->least = seconds;
    clock->all += seconds;
}

static size_t encode_once(const ImgImage *image, const ImgMetadata *metadata, int level,
                          Clock *clock)
{
    size_t bytes = 0;
    double start = seconds_of_thread();
    if (!our_encode(image, metadata, level, 1, "/dev/null", &bytes))
        exit(EXIT_FAILURE);
    add_seconds(clock, seconds_of_thread() - start);
    return bytes;
}

static size_t libpng_once(const ImgImage *image, const ImgMetadata *metadata, Clock *clock)
{
    double start = seconds_of_thread();
    size_t bytes = libpng_encode(&image->view, metadata, LIBPNG_DEFAULTS);
    add_seconds(clock, seconds_of_thread() - start);
    if (bytes == 0)
        exit(EXIT_FAILURE);
    return bytes;
}

static void print_mark(bool wrong, const char *mark, int *count)
{
    if (wrong)
        printf(" %s!", mark);
    *count += wrong;
}

static void measure(const char *name, const ImgImage *image, const ImgMetadata *metadata,
                    const Bounds *bounds, int levels, Count *count)
{
    Clock ours = {0, 0}, theirs = {0, 0}, unused = {0, 0};
    size_t wanted = 0, bytes[LEVELS];
    int rounds = levels == LEVELS ? ROUNDS : QUICK_ROUNDS;
    for (int round = 0; round < rounds || ours.all < ENOUGH_SECONDS; round++) {
        if (round < 2 || theirs.all < ENOUGH_SECONDS)
            wanted = libpng_once(image, metadata, &theirs);
        bytes[IMG_DEFAULT_LEVEL] = encode_once(image, metadata, IMG_DEFAULT_LEVEL, &ours);
    }
    for (int level = 0; level < levels; level++)
        bytes[level] = encode_once(image, metadata, level, &unused);
    printf("%-28s %9zu %9zu %7.4f", name, wanted, bytes[IMG_DEFAULT_LEVEL],
           ours.least / theirs.least);
    for (int level = 0; level < levels; level++)
        printf(" %6.3f", (double)bytes[level] / (double)wanted);
    for (int level = 1; level < levels; level++) {
        char mark[24];
        snprintf(mark, sizeof mark, "level %d", level);
        print_mark((double)bytes[level] > 1.001 * (double)bytes[level - 1], mark, &count->levels);
    }
    print_mark((double)bytes[IMG_DEFAULT_LEVEL] > bounds->size * (double)wanted, "size",
               &count->sizes);
    print_mark(theirs.least > LEAST_SECONDS && ours.least > bounds->time * theirs.least, "time",
               &count->times);
    printf("\n");
    (void)fflush(stdout);
    count->files++;
}

static int compare_seconds(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static void measure_costs(const char *name, const ImgImage *image, const ImgMetadata *metadata,
                          int levels)
{
    double seconds[LEVELS][COST_ROUNDS];
    size_t bytes[LEVELS];
    for (int round = 0; round < COST_ROUNDS; round++)
        for (int level = 1; level < levels; level++) {
            Clock clock = {0, 0};
            bytes[level] = encode_once(image, metadata, level, &clock);
            seconds[level][round] = clock.all;
        }
    printf("%-16s", name);
    for (int level = 1; level < levels; level++) {
        qsort(seconds[level], COST_ROUNDS, sizeof seconds[level][0], compare_seconds);
        printf(" %9zu %7.1f", bytes[level], 1e3 * seconds[level][COST_ROUNDS / 2]);
    }
    printf("\n");
    (void)fflush(stdout);
}

static void measure_file(const char *path, const Bounds *bounds, int levels, Count *count)
{
    File file;
    ImgPngHeader header;
    ImgPngScan scan;
    ImgImage image;
    ImgMetadata metadata = IMG_METADATA_NONE, palette = IMG_METADATA_NONE;
    ImgError err = {IMG_OK, ""};
    if (!file_read(path, &file))
        exit(EXIT_FAILURE);
    if (img_png_header(file.data, &header, &err) != IMG_OK ||
        img_png_scan(file.data, file.size, &header, (ImgPngBudget){0, UINT64_MAX, NULL, NULL},
                     &metadata, &scan, &err) != IMG_OK ||
        !libpng_decode(file.data, file.size, header.shape, &image)) {
        fprintf(stderr, "png_levels: %s: cannot be read; give PNG files\n", path);
        exit(EXIT_FAILURE);
    }
    palette.palette_size = metadata.palette_size;
    memcpy(palette.palette, metadata.palette, sizeof palette.palette);
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (bounds != NULL)
        measure(name, &image, &palette, bounds, levels, count);
    else
        measure_costs(name, &image, &palette, levels);
    img_metadata_free(&metadata);
    img_image_free(&image);
    free(file.data);
}

int main(int argc, char **argv)
{
    const Bounds *bounds = NULL;
    bool costs = false;
    Count count = {0, 0, 0, 0};
    int levels = LEVELS;
    (void)mallopt(M_MMAP_MAX, 0); /* makes the heap keep freed memory */
    (void)mallopt(M_TRIM_THRESHOLD, -1);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            levels = QUICK_LEVELS;
        else if (strcmp(argv[i], "--photos") == 0)
            bounds = &PHOTOS;
        else if (strcmp(argv[i], "--graphics") == 0)
            bounds = &GRAPHICS;
        else if (strcmp(argv[i], "--costs") == 0)
            costs = true;
        else if (bounds != NULL || costs)
            measure_file(argv[i], bounds, levels, &count);
    }
    if (costs)
        return 0;
    if (count.files == 0) {
        fprintf(stderr, "usage: png_levels [--quick] (--photos | --graphics | --costs) FILE...\n");
        return 2;
    }
    printf(
        "%d files; larger than the level below: %d; larger than they should be: %d; slower: %d\n",
        count.files, count.levels, count.sizes, count.times);
    return count.levels == 0 && count.sizes == 0 ? 0 : 1;
}
