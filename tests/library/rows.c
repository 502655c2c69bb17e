/* rows: writes a picture to a function and reads it row by row. The picture is large enough for
 * several threads, so rows go from the decoding threads to the caller.
 * This is a program of its own because ThreadSanitizer (IMGTOOL_SANITIZE=thread) does not work with
 * Criterion. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imgtool.h"

enum { WIDTH = 1100, HEIGHT = 900, THREADS = 4 };

typedef struct File {
    unsigned char *data;
    size_t bytes, capacity;
} File;

static bool append(void *user, const void *data, size_t bytes)
{
    File *file = user;
    if (bytes > file->capacity - file->bytes)
        return false;
    memcpy(file->data + file->bytes, data, bytes);
    file->bytes += bytes;
    return true;
}

typedef struct Rows {
    const imgtool_picture *wanted;
    pthread_t caller;
    int32_t next, stop_at;
    bool wrong;
} Rows;

static bool take(void *user, const imgtool_picture *rows, int32_t first)
{
    Rows *taken = user;
    taken->wrong |= first != taken->next || !pthread_equal(pthread_self(), taken->caller);
    for (int32_t y = 0; y < rows->height; y++)
        taken->wrong |= memcmp((const unsigned char *)rows->pixels + (size_t)y * rows->stride,
                               (const unsigned char *)taken->wanted->pixels +
                                   (size_t)(first + y) * taken->wanted->stride,
                               (size_t)WIDTH * 3) != 0;
    taken->next += rows->height;
    return taken->next < taken->stop_at;
}

static bool read_rows(imgtool_context *context, const File *file, const imgtool_picture *wanted,
                      int32_t stop_at)
{
    const imgtool_status expected = stop_at > HEIGHT ? IMGTOOL_OK : IMGTOOL_E_CANCELLED;
    imgtool_reader *reader = NULL;
    Rows rows = {.wanted = wanted, .caller = pthread_self(), .stop_at = stop_at};
    bool good =
        imgtool_open_memory(context, file->data, file->bytes, &reader, NULL) == IMGTOOL_OK &&
        imgtool_reader_rows(reader, wanted->format, take, &rows, NULL) == expected;
    imgtool_reader_destroy(reader);
    return good && !rows.wrong && (rows.next == HEIGHT) == (stop_at > HEIGHT);
}

static bool draw(imgtool_context *context, imgtool_picture *picture)
{
    unsigned noise = 1;
    picture->width = WIDTH;
    picture->height = HEIGHT;
    picture->format = (imgtool_format){IMGTOOL_RGB, 8};
    if (imgtool_picture_allocate(context, picture, NULL) != IMGTOOL_OK)
        return false;
    for (size_t i = 0; i < HEIGHT * picture->stride; i++) {
        noise = noise * 1664525U + 1013904223U;
        ((unsigned char *)picture->pixels)[i] = (unsigned char)(i / 64 + (noise >> 29));
    }
    return true;
}

static bool check(imgtool_context *context)
{
    static unsigned char memory[WIDTH * HEIGHT * 4];
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    File file = {memory, 0, sizeof memory};
    const bool good =
        draw(context, &picture) &&
        imgtool_write_callback(context, &picture, NULL, append, &file, NULL) == IMGTOOL_OK &&
        read_rows(context, &file, &picture, HEIGHT + 1) && read_rows(context, &file, &picture, 100);
    imgtool_picture_free(context, &picture);
    return good;
}

int main(void)
{
    bool good = true;
    for (int32_t threads = 1; threads <= THREADS && good; threads++) {
        imgtool_config config = IMGTOOL_CONFIG_INIT;
        imgtool_context *context = NULL;
        config.threads = threads;
        config.backend = IMGTOOL_BACKEND_CPU;
        good = imgtool_context_create(&config, &context, NULL) == IMGTOOL_OK && check(context);
        imgtool_context_destroy(context);
        if (!good)
            printf("wrong on %d threads\n", threads);
    }
    return good ? 0 : 1;
}
