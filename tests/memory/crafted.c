/* memory_crafted IMGTOOL LIBRARY HEAP_PEAK DIRECTORY: runs commands on files that need much more
 * memory than their size. The random jobs of memory_jobs have no files of this kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/png/thread_count.h"
#include "tests/memory/judge.h"

enum { MIB = 1 << 20, PATH_BYTES = 4096, SIDE = 8 };

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

/* Starts a PNG file with a square picture of 8-bit gray. */
static FILE *begin_file(const char *path, int32_t side)
{
    uint8_t header[13] = {[8] = 8};
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    img_put_be32(header, (uint32_t)side);
    img_put_be32(header + 4, (uint32_t)side);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    put_chunk(file, "IHDR", header, sizeof header);
    return file;
}

/* Ends a PNG file with a square picture of noise. Returns the size of the file in bytes. */
static uint64_t end_file(FILE *file, int32_t side)
{
    const size_t size = (size_t)side * ((size_t)side + 1);
    uLongf packed_size = compressBound(size);
    uint8_t *rows = calloc(size, 1), *packed = malloc(packed_size);
    if (rows == NULL || packed == NULL)
        exit(2);
    uint64_t noise = 1;
    for (size_t i = 0; i < size; i++) {
        noise = noise * 6364136223846793005U + 1442695040888963407U;
        rows[i] = i % ((size_t)side + 1) == 0 ? 0 : (uint8_t)(noise >> 56);
    }
    compress2(packed, &packed_size, rows, size, 1);
    put_chunk(file, "IDAT", packed, packed_size);
    put_chunk(file, "IEND", "", 0);
    free(rows);
    free(packed);
    const long bytes = ftell(file);
    if (fclose(file) != 0) {
        perror("a file");
        exit(2);
    }
    return (uint64_t)bytes;
}

static uint64_t make_noise(const char *path)
{
    enum { NOISE_SIDE = 5000 };
    return end_file(begin_file(path, NOISE_SIDE), NOISE_SIDE);
}

static uint64_t make_many_idat(const char *path)
{
    FILE *file = begin_file(path, SIDE);
    for (int i = 0; i < MIB; i++)
        put_chunk(file, "IDAT", "", 0);
    return end_file(file, SIDE);
}

/* Writes a file with a text chunk of `size` bytes: `start`, then the character `fill` repeated.
 * Returns the size of the file in bytes. */
static uint64_t make_text(const char *path, int32_t side, const char *type, const char *start,
                          size_t start_size, char fill, size_t size)
{
    char *text = malloc(size);
    FILE *file = begin_file(path, side);
    if (text == NULL)
        exit(2);
    memset(text, fill, size);
    memcpy(text, start, start_size);
    put_chunk(file, type, text, size);
    free(text);
    return end_file(file, side);
}

enum { COMMENT = 30 * MIB, LARGE_SIDE = 3000, LARGE = LARGE_SIDE * LARGE_SIDE };

/* Writes a file with a comment that is larger than the pixels. No command needs the comment.
 * Returns the size of the file in bytes. */
static uint64_t make_comment(const char *path)
{
    return make_text(path, LARGE_SIDE, "tEXt", "Comment", 8, 'x', COMMENT);
}

static uint64_t make_xmp(const char *path)
{
    static const char start[] = "XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation=\"6\"/>";
    return make_text(path, SIDE, "iTXt", start, sizeof start - 1, ' ', 16 * MIB);
}

/* Writes a file with a raw profile that claims to be EXIF but has only zero digits. Returns the
 * size of the file in bytes. */
static uint64_t make_raw(const char *path)
{
    static const char start[] = "Raw profile type exif\0\nexif\n 1\n";
    return make_text(path, SIDE, "tEXt", start, sizeof start - 1, '0', 24 * MIB);
}

/* --- Runs ------------------------------------------------------------------------------------- */

typedef struct Runs {
    Meter meter;
    char *imgtool, *library, *directory;
    char path[PATH_BYTES], result[PATH_BYTES], limit[64];
    int wrong;
} Runs;

/* Runs a command. It must end with the exit code `code` and use at most `most` bytes of heap, plus
 * the fixed memory of the codec. */
static void run(Runs *runs, const char *what, char *const *command, int code, uint64_t most)
{
    Measured measured;
    measure(&runs->meter, runs->directory, command, &measured);
    const bool fits = measured.heap > 0 && measured.heap <= most + IMG_PNG_OWN_BYTES;
    printf("%s: %llu bytes of the heap, %llu allowed, exit code %d\n", what,
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
    run(runs, command, arguments, code, limit);
}

/* Runs `imgtool compare` on the crafted file and itself. */
static void run_compare(Runs *runs, int code, uint64_t limit)
{
    snprintf(runs->limit, sizeof runs->limit, "--max-memory=%llu", (unsigned long long)limit);
    char *const arguments[] = {
        runs->imgtool, (char *)(uintptr_t) "compare", runs->limit, runs->path, runs->path, NULL};
    run(runs, "compare", arguments, code, limit);
}

/* Runs `imgtool stats` on the crafted file three times. It has no output file. */
static void run_stats(Runs *runs, uint64_t limit)
{
    snprintf(runs->limit, sizeof runs->limit, "--max-memory=%llu", (unsigned long long)limit);
    char *const arguments[] = {runs->imgtool,
                               (char *)(uintptr_t) "stats",
                               (char *)(uintptr_t) "--threads=2",
                               runs->limit,
                               runs->path,
                               runs->path,
                               runs->path,
                               NULL};
    run(runs, "stats", arguments, 0, limit);
}

static void run_batch(Runs *runs, uint64_t limit)
{
    char other[PATH_BYTES + 32], directory[PATH_BYTES + 8];
    snprintf(other, sizeof other, "%s.2.png", runs->path);
    snprintf(directory, sizeof directory, "%s.d", runs->path);
    snprintf(runs->limit, sizeof runs->limit, "--max-memory=%llu", (unsigned long long)limit);
    char *const arguments[] = {runs->imgtool,
                               (char *)(uintptr_t) "batch",
                               (char *)(uintptr_t) "flip",
                               (char *)(uintptr_t) "--no-record",
                               (char *)(uintptr_t) "--jobs=2",
                               runs->limit,
                               runs->path,
                               other,
                               directory,
                               NULL};
    if (link(runs->path, other) != 0)
        exit(2);
    run(runs, "batch", arguments, 0, limit);
    unlink(other);
    const char *const names[] = {"crafted.png", "crafted.png.2.png"};
    for (int i = 0; i < 2; i++) {
        snprintf(other, sizeof other, "%s/%s", directory, names[i]);
        unlink(other);
    }
    rmdir(directory);
}

static void run_info(Runs *runs, uint64_t most)
{
    char *const arguments[] = {runs->imgtool, (char *)(uintptr_t) "info", runs->path, NULL};
    run(runs, "info", arguments, 0, most);
}

/* Reads the rows of the crafted file with the library on eight threads. */
static void run_rows(Runs *runs, uint64_t limit)
{
    snprintf(runs->limit, sizeof runs->limit, "%llu", (unsigned long long)limit);
    char *const arguments[] = {runs->library,
                               (char *)(uintptr_t) "8",
                               (char *)(uintptr_t) "1",
                               (char *)(uintptr_t) "rows",
                               runs->path,
                               runs->result,
                               runs->limit,
                               NULL};
    run(runs, "rows", arguments, 0, limit);
}

int main(int argc, char **argv)
{
    enum { OPERANDS = 5, REFUSED = 3 };
    static Runs runs;
    if (argc != OPERANDS || !meter_open(argv[3], &runs.meter))
        return 2;
    runs.imgtool = argv[1];
    runs.library = argv[2];
    runs.directory = argv[4];
    snprintf(runs.path, sizeof runs.path, "%s/crafted.png", argv[4]);
    snprintf(runs.result, sizeof runs.result, "%s/result.png", argv[4]);
    uint64_t size = make_many_idat(runs.path);
    run_within(&runs, "flip", 0, size + MIB);
    size = make_xmp(runs.path);
    run_within(&runs, "autorotate", 0, 2 * size + MIB);
    run_info(&runs, 2 * size);
    size = make_raw(runs.path);
    /* The file and its text chunk in memory take 2 * size bytes. The profile that the text encodes
     * in hexadecimal digits takes half of `size` more, which exceeds the limit. */
    run_within(&runs, "autorotate", REFUSED, 2 * size + MIB);
    run_info(&runs, 2 * size);
    size = make_comment(runs.path);
    run_within(&runs, "rotate", 0, size + COMMENT + LARGE + MIB);
    run_within(&runs, "rotate", 0, size + COMMENT); /* with temporary files */
    run_within(&runs, "rotate", REFUSED, COMMENT);
    run_compare(&runs, 0, 2 * size + 2 * COMMENT + LARGE + MIB);
    run_compare(&runs, 0, size + 2 * COMMENT); /* the files are read in pieces */
    run_compare(&runs, REFUSED, COMMENT);
    run_batch(&runs, size + COMMENT + LARGE + COMMENT);
    run_stats(&runs, 2 * size + 2 * COMMENT + LARGE);
    size = make_noise(runs.path);
    run_rows(&runs, size + MIB);
    run_rows(&runs, size + 40 * MIB);
    unlink(runs.path);
    unlink(runs.result);
    return runs.wrong > 0 ? 1 : 0;
}
