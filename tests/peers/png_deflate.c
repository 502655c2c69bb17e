/* png_deflate [--rounds N] [--most BYTES] [--list] [--zopfli I]... FILE...: compares deflaters on
 * the filtered rows of PNG files. Each file gives two inputs: its rows without filters, and its
 * rows with filters chosen by the least sum of absolute values. Checks every output with zlib and
 * with imgtool's inflate.
 *
 * Prints for each deflater the bytes, their mean quotient by those of libdeflate's level 12, and
 * the processor time in milliseconds: the sum of the medians of N rounds (3) in turns. --list
 * prints bytes and milliseconds for each input. --most leaves out larger files. --zopfli I adds the
 * program zopfli with I iterations, whose time includes that to start. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/exact.h"
#include "io/png/deflate/search.h"
#include "io/png/filter/filter.h"
#include "io/png/inflate/inflate.h"

enum { WAYS_MOST = 16, ROUNDS_MOST = 15, ROOM_LEAST = 1000 };

/* A deflater. It is libdeflate if `search` > 0, zopfli if `zopfli` > 0, otherwise
 * img_deflate_exact. */
typedef struct Way {
    char name[24];
    int search, zopfli;
    ImgExactEffort exact;
} Way;

typedef struct Total {
    double bytes, quotients, seconds;
} Total;

typedef struct Run {
    int rounds, ways, inputs;
    bool list;
    long most;
    Way way[WAYS_MOST];
    Total totals[WAYS_MOST];
} Run;

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_of_children(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* --- Inputs ----------------------------------------------------------------------------------- */

typedef struct Rows {
    uint8_t *pixels;
    size_t row_bytes, rows, pixel;
} Rows;

/* Reads the rows of a PNG as the file has them: indices and few bits stay. Returns false if libpng
 * rejects the file. */
static bool read_rows(const char *path, Rows *rows)
{
    FILE *file = fopen(path, "rb");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    rows->pixels = NULL;
    if (file == NULL || setjmp(png_jmpbuf(png)) != 0) {
        free(rows->pixels);
        png_destroy_read_struct(&png, &info, NULL);
        if (file != NULL)
            (void)fclose(file);
        return false;
    }
    png_init_io(png, file);
    png_read_info(png, info);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    rows->row_bytes = png_get_rowbytes(png, info);
    rows->rows = png_get_image_height(png, info);
    rows->pixel = (size_t)png_get_channels(png, info) * png_get_bit_depth(png, info) / 8;
    rows->pixel += rows->pixel == 0;
    rows->pixels = calloc(rows->rows, rows->row_bytes);
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < rows->rows; y++)
            png_read_row(png, rows->pixels + y * rows->row_bytes, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    (void)fclose(file);
    return true;
}

static Bytes filtered(const Rows *rows, unsigned allowed)
{
    const size_t step = rows->row_bytes + 1;
    Bytes bytes = {allocate(step * rows->rows), step * rows->rows};
    for (size_t y = 0; y < rows->rows; y++) {
        const uint8_t *row = rows->pixels + y * rows->row_bytes;
        (void)img_png_filter_best(allowed, rows->pixel, rows->row_bytes, row,
                                  y > 0 ? row - rows->row_bytes : NULL, bytes.data + y * step);
    }
    return bytes;
}

/* --- Deflaters -------------------------------------------------------------------------------- */

/* Deflates with the program zopfli, by temporary files. */
static size_t by_zopfli(const Way *way, const Bytes *input, uint8_t *out, size_t room)
{
    char name[] = "/tmp/png_deflate-XXXXXX", command[128], result[64];
    const int descriptor = mkstemp(name);
    if (descriptor < 0 || write(descriptor, input->data, input->size) != (ssize_t)input->size)
        abort();
    (void)close(descriptor);
    snprintf(command, sizeof command, "zopfli --deflate --i%d %s", way->zopfli, name);
    snprintf(result, sizeof result, "%s.deflate", name);
    if (system(command) != 0) /* NOLINT(cert-env33-c): the names are ours */
        abort();
    FILE *file = fopen(result, "rb");
    const size_t size = file == NULL ? 0 : fread(out, 1, room, file);
    if (file != NULL)
        (void)fclose(file);
    (void)unlink(name);
    (void)unlink(result);
    return size;
}

static size_t deflate_by(const Way *way, const Bytes *input, uint8_t *out, size_t room,
                         double *seconds)
{
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID), before = seconds_of_children();
    size_t size;
    if (way->zopfli > 0) {
        size = by_zopfli(way, input, out, room);
    } else if (way->search > 0) {
        ImgSearch *search = img_search_create(way->search);
        size = img_deflate_search(search, input->data, input->size, true, out);
        img_search_free(search);
    } else {
        ImgExact *exact = img_exact_create(input->size);
        size = img_deflate_exact(exact, &way->exact, input->data, input->size, true, out,
                                 room - IMG_BITS_SLACK);
        img_exact_free(exact);
    }
    *seconds = way->zopfli > 0 ? seconds_of_children() - before
                               : seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    return size;
}

static bool zlib_inflates(uint8_t *stream, size_t size, const Bytes *input)
{
    Bytes back = {allocate(input->size + 1), input->size + 1};
    z_stream z = {.next_in = stream, .avail_in = (uInt)size};
    z.next_out = back.data;
    z.avail_out = (uInt)back.size;
    bool same = inflateInit2(&z, -15) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END &&
                z.avail_in == 0 && z.total_out == input->size &&
                memcmp(back.data, input->data, input->size) == 0;
    inflateEnd(&z);
    free(back.data);
    return same;
}

static bool we_inflate(const uint8_t *stream, size_t size, const Bytes *input)
{
    ImgInflate *inflate = allocate(sizeof *inflate);
    uint8_t *copy = allocate(size + IMG_INFLATE_DATA_SLACK);
    uint8_t *back = allocate(input->size + IMG_INFLATE_ROOM_SLACK);
    memcpy(copy, stream, size);
    memset(copy + size, 0, IMG_INFLATE_DATA_SLACK);
    const ImgInflateData data = {copy, 0, size, true};
    ImgInflateRoom room = {back, back, back + input->size + 1};
    img_inflate_start(inflate, 0);
    const bool same = img_inflate(inflate, &data, &room, false) == IMG_INFLATE_END &&
                      (size_t)(room.at - back) == input->size &&
                      memcmp(back, input->data, input->size) == 0;
    free(inflate);
    free(copy);
    free(back);
    return same;
}

static int compare_seconds(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static void measure(Run *run, const char *name, const Bytes *input)
{
    const size_t room = 2 * input->size + ROOM_LEAST;
    double seconds[WAYS_MOST][ROUNDS_MOST];
    size_t sizes[WAYS_MOST] = {0};
    uint8_t *out = allocate(room);
    for (int round = 0; round < run->rounds; round++)
        for (int w = 0; w < run->ways; w++) {
            sizes[w] = deflate_by(&run->way[w], input, out, room, &seconds[w][round]);
            if (round == 0 &&
                (!zlib_inflates(out, sizes[w], input) || !we_inflate(out, sizes[w], input))) {
                fprintf(stderr, "%s: %s: wrong\n", name, run->way[w].name);
                exit(EXIT_FAILURE);
            }
        }
    for (int w = 0; w < run->ways; w++) {
        qsort(seconds[w], (size_t)run->rounds, sizeof *seconds[w], compare_seconds);
        const double median = seconds[w][run->rounds / 2];
        run->totals[w].bytes += (double)sizes[w];
        run->totals[w].quotients += (double)sizes[w] / (double)sizes[0];
        run->totals[w].seconds += median;
        if (run->list)
            printf("%9zu %8.2f", sizes[w], 1000 * median);
    }
    if (run->list)
        printf(" %9zu %s\n", input->size, name);
    run->inputs++;
    free(out);
}

static void measure_file(Run *run, const char *path)
{
    Rows rows;
    if (!read_rows(path, &rows)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return;
    }
    for (int way = 0; way < 2; way++) {
        const Bytes input = filtered(&rows, way == 0 ? 1U << IMG_FILTER_NONE : 31);
        measure(run, path, &input);
        free(input.data);
    }
    free(rows.pixels);
}

static void add_way(Run *run, Way way)
{
    if (run->ways < WAYS_MOST)
        run->way[run->ways++] = way;
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file != NULL)
        (void)fclose(file);
    return size;
}

static void print_totals(const Run *run)
{
    printf("%d inputs\n%-14s %12s %10s %10s\n", run->inputs, "", "bytes", "mean", "ms");
    for (int w = 0; w < run->ways; w++)
        printf("%-14s %12.0f %10.5f %10.1f\n", run->way[w].name, run->totals[w].bytes,
               run->totals[w].quotients / run->inputs, 1000 * run->totals[w].seconds);
}

int main(int argc, char **argv)
{
    static Run run = {.rounds = 3, .most = 1L << 40};
    add_way(&run, (Way){"libdeflate 12", 12, 0, {0}});
    for (int i = 1; i <= IMG_EXACT_EFFORTS; i++) {
        Way way = {.exact = img_exact_effort(i)};
        snprintf(way.name, sizeof way.name, "exact %d", i);
        add_way(&run, way);
    }
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *option = argv[at];
        if (strcmp(option, "--list") == 0) {
            run.list = true;
            continue;
        }
        const int number = at + 1 < argc ? atoi(argv[++at]) : 0;
        if (strcmp(option, "--rounds") == 0 && number > 0 && number <= ROUNDS_MOST)
            run.rounds = number;
        else if (strcmp(option, "--most") == 0)
            run.most = number;
        else if (strcmp(option, "--zopfli") == 0) {
            Way way = {.zopfli = number};
            snprintf(way.name, sizeof way.name, "zopfli %d", number);
            add_way(&run, way);
        } else
            return EXIT_FAILURE;
    }
    for (; at < argc; at++)
        if (size_of(argv[at]) <= run.most)
            measure_file(&run, argv[at]);
    print_totals(&run);
    return EXIT_SUCCESS;
}
