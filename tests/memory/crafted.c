/* memory_crafted IMGTOOL HEAP_PEAK DIRECTORY: files that are made to take much memory beside their
 * bytes, which random jobs do not have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/room.h"
#include "tests/memory/measure.h"

enum { MIB = 1 << 20, PATH_BYTES = 4096 };

/* --- Files ------------------------------------------------------------------------------------ */

static void put_chunk(FILE *file, const char *type, const void *data, size_t size)
{
    uint8_t word[4];
    uLong crc = crc32(crc32(0, (const Bytef *)type, 4), data, (uInt)size);
    img_put_be32(word, (uint32_t)size);
    fwrite(word, 1, sizeof word, file);
    fwrite(type, 1, 4, file);
    fwrite(data, 1, size, file);
    img_put_be32(word, (uint32_t)(size > 0 ? crc : crc32(0, (const Bytef *)type, 4)));
    fwrite(word, 1, sizeof word, file);
}

static FILE *begin_file(const char *path)
{
    static const uint8_t header[] = {0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0}; /* 8 x 8, gray */
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    return file;
}

/* Returns its bytes. */
static uint64_t end_file(FILE *file)
{
    const uint8_t rows[8 * 9] = {0};
    uint8_t packed[256];
    uLongf size = sizeof packed;
    compress(packed, &size, rows, sizeof rows);
    put_chunk(file, "IDAT", packed, size);
    put_chunk(file, "IEND", "", 0);
    const long bytes = ftell(file);
    if (fclose(file) != 0) {
        perror("a file");
        exit(2);
    }
    return (uint64_t)bytes;
}

static uint64_t make_many_idat(const char *path)
{
    FILE *file = begin_file(path);
    for (int i = 0; i < MIB; i++)
        put_chunk(file, "IDAT", "", 0);
    return end_file(file);
}

/* A text of `size` bytes: `start`, and what `fill` says. */
static uint64_t make_text(const char *path, const char *type, const char *start, size_t start_size,
                          char fill, size_t size)
{
    char *text = malloc(size);
    FILE *file = begin_file(path);
    if (text == NULL)
        exit(2);
    memset(text, fill, size);
    memcpy(text, start, start_size);
    put_chunk(file, type, text, size);
    free(text);
    return end_file(file);
}

static uint64_t make_xmp(const char *path)
{
    static const char start[] = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"6\"/>";
    return make_text(path, "iTXt", start, sizeof start - 1, ' ', 16 * MIB);
}

/* Digits of zeros, which are no EXIF. */
static uint64_t make_raw(const char *path)
{
    static const char start[] = "Raw profile type exif\0\nexif\n 1\n";
    return make_text(path, "tEXt", start, sizeof start - 1, '0', 24 * MIB);
}

/* --- Runs ------------------------------------------------------------------------------------- */

typedef struct Runs {
    Meter meter;
    char *imgtool, *directory;
    char path[PATH_BYTES], result[PATH_BYTES], limit[64];
    int wrong;
} Runs;

/* `most` bytes of the heap, and the codec's own. */
static void run(Runs *runs, char *const *command, int code, uint64_t most)
{
    Measured measured;
    measure(&runs->meter, runs->directory, command, &measured);
    const bool fits = measured.heap > 0 && measured.heap <= most + IMG_PNG_OWN_BYTES;
    printf("%s: %llu bytes of the heap, %llu allowed, exit code %d\n", command[1],
           (unsigned long long)measured.heap, (unsigned long long)(most + IMG_PNG_OWN_BYTES),
           measured.code);
    if (!fits || measured.code != code) {
        printf("WRONG: exit code %d was expected\n%s", code, measured.said);
        runs->wrong++;
    }
}

static void run_within(Runs *runs, const char *command, int code, uint64_t limit)
{
    snprintf(runs->limit, sizeof runs->limit, "--max-memory=%llu", (unsigned long long)limit);
    char *const arguments[] = {
        runs->imgtool, (char *)(uintptr_t)command, runs->limit, runs->path, runs->result, NULL};
    run(runs, arguments, code, limit);
}

static void run_info(Runs *runs, uint64_t most)
{
    char *const arguments[] = {runs->imgtool, (char *)(uintptr_t) "info", runs->path, NULL};
    run(runs, arguments, 0, most);
}

int main(int argc, char **argv)
{
    enum { ARGUMENTS = 4, REFUSED = 3 };
    static Runs runs;
    if (argc != ARGUMENTS || !meter_open(argv[2], &runs.meter))
        return 2;
    runs.imgtool = argv[1];
    runs.directory = argv[3];
    snprintf(runs.path, sizeof runs.path, "%s/crafted.png", argv[3]);
    snprintf(runs.result, sizeof runs.result, "%s/result.png", argv[3]);
    uint64_t size = make_many_idat(runs.path);
    run_within(&runs, "flip", 0, size + MIB);
    size = make_xmp(runs.path);
    run_within(&runs, "autorotate", 0, 2 * size + MIB);
    run_info(&runs, 2 * size);
    size = make_raw(runs.path);
    run_within(&runs, "autorotate", REFUSED, 2 * size + MIB); /* for what it may decode to */
    run_info(&runs, 2 * size);
    unlink(runs.path);
    unlink(runs.result);
    return runs.wrong > 0 ? 1 : 0;
}
