/* ways [FILE... | --every N]: compares every decoding strategy with libpng. Without files it
 * decodes the whole matrix, and files that libpng writes with every level, strategy and filter.
 * --every decodes one of N of the files that libpng writes.
 * Stops at the first difference; the last line names it. Also fails if a strategy was never
 * used. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/judge.h"
#include "tests/roundtrip/matrix.h"
#include "tests/roundtrip/spawn.h"
#include "tests/tools/png_read.h"

static int checks;
/* Number of runs per strategy. Strategies that divide the file into pieces count only runs with
 * several pieces. */
static int done_by[IMG_PNG_SPECULATIVE + 1];

static int done_by_rows;

/* Returns true if a valid file may end with `status`. A strategy may report that it does not apply,
 * or that many small pieces need more memory than allowed. */
static bool is_no_fault(ImgStatus status, ImgPngStrategy strategy, size_t piece_bytes)
{
    const bool small_pieces = strategy == IMG_PNG_SPECULATIVE && piece_bytes > 0;
    return status == IMG_OK || status == IMG_E_UNSUPPORTED ||
           (small_pieces && status == IMG_E_MEMORY);
}

static void check_strategy(Judged *file, ImgPngStrategy strategy, int threads, size_t piece_bytes,
                           const ImgImage *image)
{
    ImgStatus status = judge(file, &strategy, threads, piece_bytes, IMG_OK, image);
    if (!is_no_fault(status, strategy, piece_bytes)) {
        printf("refused %s: status %d\n", img_png_strategy_name(strategy), (int)status);
        exit(EXIT_FAILURE);
    }
    done_by[strategy] += status == IMG_OK && (strategy <= IMG_PNG_PIPELINED || file->pieces > 1);
}

static void check_rows(Judged *file, int threads, size_t piece_bytes, const ImgImage *image)
{
    static const ImgPngStrategy strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_PIPELINED,
                                                IMG_PNG_SPECULATIVE};
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        ImgStatus status = judge_rows(file, strategies[i], threads, piece_bytes, IMG_OK, image);
        if (!is_no_fault(status, strategies[i], piece_bytes)) {
            printf("row by row: status %d\n", (int)status);
            exit(EXIT_FAILURE);
        }
        done_by_rows += status == IMG_OK;
    }
}

/* Decodes with one thread and with four. Pieces have 500 bytes, or the size that the program
 * chooses. */
static void check_ways(Judged *file, const ImgImage *image)
{
    static const ImgPngStrategy strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_PIPELINED,
                                                IMG_PNG_BY_STRIPS, IMG_PNG_SPECULATIVE};
    static const size_t pieces[] = {0, 500};
    for (int threads = 1; threads <= 4; threads += 3) {
        (void)judge(file, NULL, threads, 0, IMG_OK, image);
        for (size_t strategy = 0; strategy < sizeof strategies / sizeof strategies[0]; strategy++) {
            for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
                check_strategy(file, strategies[strategy], threads, pieces[i], image);
        }
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
            check_rows(file, threads, pieces[i], image);
    }
    checks++;
}

static void check(const char *name, const uint8_t *data, size_t size)
{
    static const ImgPngStrategy libpng = IMG_PNG_BY_LIBPNG;
    Judged file;
    ImgImage image;
    ImgError err = {IMG_OK, ""};
    printf("%s\n", name);
    (void)fflush(stdout);
    if (!judged_open(data, size, &file)) {
        printf("is not a PNG\n");
        exit(EXIT_FAILURE);
    }
    if (judged_decode(&file, &libpng, 1, 0, &image, &err) != IMG_OK) {
        printf("libpng: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    check_ways(&file, &image);
    img_image_free(&image);
    judged_close(&file);
}

static void check_file(const char *path)
{
    Bytes file = bytes_read(path);
    if (file.data == NULL)
        exit(EXIT_FAILURE);
    check(path, file.data, file.size);
    free(file.data);
}

/* Checks all inputs with rows that are shorter than a vector, and with pictures that have several
 * pieces. */
static void check_matrix(void)
{
    static const uint32_t sizes[][2] = {{5, 1}, {1, 29}, {131, 97}};
    static Input inputs[INPUTS_MAX];
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        size_t count = matrix_inputs(sizes[k][0], sizes[k][1], inputs);
        for (size_t i = 0; i < count; i++) {
            char path[128];
            snprintf(path, sizeof path, "%.63s.png", inputs[i].name);
            Picture picture = matrix_draw(&inputs[i]);
            png_file_write(path, &picture, NULL, 0);
            free(picture.samples);
            check_file(path);
        }
    }
}

typedef struct Settings {
    int level, strategy, filters;
    int memory; /* memory level of zlib; low levels give small blocks, so that speculative decoding
                   finds many block starts */
    int bytes_per_idat;
} Settings;

static void write_by(const char *path, const Picture *picture, Settings settings)
{
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (file == NULL || info == NULL || setjmp(png_jmpbuf(png)) != 0)
        exit(EXIT_FAILURE);
    png_init_io(png, file);
    png_set_compression_level(png, settings.level);
    png_set_compression_strategy(png, settings.strategy);
    png_set_compression_mem_level(png, settings.memory);
    png_set_compression_buffer_size(png, (size_t)settings.bytes_per_idat);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, settings.filters);
    png_set_IHDR(png, info, picture->width, picture->height, picture->depth, picture->color,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(png, info);
    size_t count = (size_t)picture->width * (size_t)png_channels(picture->color);
    uint8_t *row = malloc(2 * count);
    if (row == NULL)
        png_error(png, "no memory");
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint16_t *samples = picture_at(picture, 0, y);
        for (size_t i = 0; i < count; i++) {
            if (picture->depth == 16)
                row[2 * i] = (uint8_t)(samples[i] >> 8);
            row[picture->depth == 16 ? 2 * i + 1 : i] = (uint8_t)samples[i];
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(row);
    if (fclose(file) != 0)
        exit(EXIT_FAILURE);
}

/* There are 300 combinations of settings. Checks every one whose index is `number`, plus a multiple
 * of 4 * `every`. `number` is the index of the format, so that formats check different ones. */
static void check_settings(const Input *input, size_t number, int every)
{
    static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                                  PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};
    Picture picture = matrix_draw(input);
    int step = 4 * every;
    for (int i = (int)number % step; i < 10 * 5 * 6; i += step) {
        Settings settings = {i % 10, i / 10 % 5, filters[i / 50], 1 + i % 3,
                             i % 3 == 0 ? 97 : 8192};
        char path[160];
        snprintf(path, sizeof path, "%.63s, level %d, strategy %d, filters %#x", input->name,
                 settings.level, settings.strategy, settings.filters);
        write_by(path, &picture, settings);
        check_file(path);
        (void)unlink(path);
    }
    free(picture.samples);
}

int main(int argc, char **argv)
{
    bool partly = argc == 3 && strcmp(argv[1], "--every") == 0;
    int every = partly ? atoi(argv[2]) : 1;
    if (every < 1)
        return 2;
    for (int i = 1; i < argc && !partly; i++)
        check_file(argv[i]);
    if (argc == 1 || partly) {
        static Input inputs[INPUTS_MAX];
        if (chdir(directory_make()) != 0)
            return 1;
        check_matrix();
        size_t count = matrix_inputs(97, 61, inputs);
        size_t number = 0;
        for (size_t i = 0; i < count; i++) {
            /* libpng always decodes the other formats. */
            if (inputs[i].kind->depth >= 8 && inputs[i].kind->color != PNG_PALETTE &&
                !inputs[i].interlaced && !inputs[i].trns)
                check_settings(&inputs[i], number++, every);
        }
        directory_remove();
    }
    printf("%d files decoded alike; runs in sequence %d, pipelined %d, by strips %d, speculative "
           "%d, row by row %d\n",
           checks, done_by[IMG_PNG_IN_SEQUENCE], done_by[IMG_PNG_PIPELINED],
           done_by[IMG_PNG_BY_STRIPS], done_by[IMG_PNG_SPECULATIVE], done_by_rows);
    return done_by[IMG_PNG_IN_SEQUENCE] > 0 && done_by[IMG_PNG_PIPELINED] > 0 &&
                   done_by[IMG_PNG_SPECULATIVE] > 0 && done_by_rows > 0
               ? 0
               : 1;
}
