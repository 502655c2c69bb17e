/* make_seeds OUT_DIR: writes first inputs to the directories OUT_DIR/png, for fuzz_decode and
 * fuzz_speculative, and OUT_DIR/roundtrip. make_corpus.sh runs it.
 * The inputs are the files of the round-trip tests' matrix, rows deflated with different
 * parameters, streams with unusual starts and ends, and pictures of every format at every level. */
#include <stdio.h>
#include <unistd.h>

#include "tests/fuzz/build_png.h"
#include "tests/roundtrip/matrix.h"
#include "tests/tools/png_read.h"

static const char *directory;

static void write_seed(const char *name, const FuzzBytes *seed)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(seed->data, 1, seed->size, file) != seed->size ||
        fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

/* Writes an input with this head and this body, and frees the body. */
static void put_seed(const char *name, const uint8_t *head, FuzzBytes *body)
{
    FuzzBytes seed = {0};
    fuzz_put(&seed, head, FUZZ_HEAD_BYTES);
    fuzz_put(&seed, body->data, body->size);
    write_seed(name, &seed);
    free(seed.data);
    free(body->data);
    *body = (FuzzBytes){0};
}

/* Writes the files of the round-trip tests' matrix as inputs. */
static void put_matrix(void)
{
    static Input inputs[INPUTS_MAX];
    char path[4200];
    char name[128];
    snprintf(path, sizeof path, "%s/matrix.png", directory);
    size_t count = matrix_inputs(19, 11, inputs);
    for (size_t i = 0; i < count; i++) {
        Picture picture = matrix_draw(&inputs[i]);
        png_file_write(path, &picture, NULL, 0);
        free(picture.samples);
        Bytes file = bytes_read(path);
        FuzzBytes body = {0};
        fuzz_put(&body, file.data, file.size);
        free(file.data);
        const uint8_t head[FUZZ_HEAD_BYTES] = {FUZZ_FILE, 0, 0, 0, 0, 0, 0, (uint8_t)(37 * i)};
        snprintf(name, sizeof name, "file-%.63s", inputs[i].name);
        put_seed(name, head, &body);
    }
    (void)unlink(path);
}

/* Writes short inputs that become large pictures, with different levels, strategies, memory levels,
 * windows and flushes. */
static void put_rows(void)
{
    char name[64];
    for (unsigned i = 0; i < 60; i++) {
        const uint8_t head[FUZZ_HEAD_BYTES] = {FUZZ_ROWS,
                                               (uint8_t)i,
                                               (uint8_t)(60 + 31 * i),
                                               (uint8_t)(90 + 43 * i),
                                               (uint8_t)(67 * i),
                                               i % 9 == 8 ? FUZZ_EMPTY_FIRST : 0,
                                               7,
                                               (uint8_t)(29 * i)};
        const uint8_t how[8] = {(uint8_t)i,
                                (uint8_t)(i / 2),
                                (uint8_t)(8 + i / 3),
                                (uint8_t)(6 + i),
                                (uint8_t)(i / 5),
                                (uint8_t)(7 * i),
                                0,
                                (uint8_t)(i % 10 == 9 ? i : 0)};
        uint8_t material[40];
        for (unsigned k = 0; k < sizeof material; k++)
            material[k] = (uint8_t)(k * k * (i + 1) + (k & i) * 16);
        FuzzBytes body = {0};
        fuzz_put(&body, how, sizeof how);
        fuzz_put(&body, material, 1 + i % sizeof material);
        snprintf(name, sizeof name, "rows-%02u", i);
        put_seed(name, head, &body);
    }
}

/* Writes a small stream with each flag of build_png.h, and with each window size. */
static void put_streams(void)
{
    char name[64];
    for (unsigned i = 0; i < 32; i++) {
        const uint8_t how[8] = {(uint8_t)i, (uint8_t)(i / 4), 7, 6, (uint8_t)i, (uint8_t)(i * 5)};
        uint8_t head[FUZZ_HEAD_BYTES] = {FUZZ_STREAM, 3, 33, 21, (uint8_t)(i * 9), 0, 7, 5};
        if (i < 16)
            head[5] = i < 8 ? (uint8_t)(1U << i) : (uint8_t)(i * 16 + 8);
        else
            head[6] = (uint8_t)i;
        FuzzBytes body = {0};
        fuzz_deflate_rows(how, sizeof how, 1 + 34, i % 8 == 7 ? 25 : 22, &body);
        if (i % 8 == 6)
            body.size -= 3;
        if (i % 4 == 3)
            fuzz_put(&body, "more", 4);
        snprintf(name, sizeof name, "stream-%02u", i);
        put_seed(name, head, &body);
    }
}

/* Writes the inputs of fuzz_roundtrip. */
static void put_pictures(void)
{
    char name[64];
    for (unsigned i = 0; i < 60; i++) {
        uint8_t head[FUZZ_HEAD_BYTES] = {
            (uint8_t)i,       (uint8_t)(200 - 41 * i), (uint8_t)(37 * i), (uint8_t)(i / 2),
            (uint8_t)(i / 3), (uint8_t)(5 * i),        (uint8_t)(i % 8),  (uint8_t)(17 * i % 128)};
        if (i % 12 == 5) { /* tall enough for several strips */
            head[1] = head[2] = (uint8_t)(255 - i);
            head[7] = (uint8_t)(128 | (head[7] & 31));
        }
        FuzzBytes body = {0};
        fuzz_put(&body, "a picture made of this and noise", i % 33);
        snprintf(name, sizeof name, "picture-%02u", i);
        put_seed(name, head, &body);
    }
}

int main(int argc, char **argv)
{
    char path[4096];
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds OUT_DIR\n");
        return 2;
    }
    directory = path;
    snprintf(path, sizeof path, "%s/png", argv[1]);
    put_matrix();
    put_rows();
    put_streams();
    snprintf(path, sizeof path, "%s/roundtrip", argv[1]);
    put_pictures();
    return 0;
}
