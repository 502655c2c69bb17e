/* Private: where the bytes of a file come from: a path, memory, or a function. */
#ifndef IMGTOOL_IO_INPUT_H
#define IMGTOOL_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/interrupt.h"
#include "kernels/core/status.h"

/* Fills up to `size` bytes and sets *got, 0 at the end. */
typedef ImgStatus ImgReadFunction(void *context, void *data, size_t size, size_t *got,
                                  ImgError *err);

/* A file that is none of the system's. */
typedef struct ImgInputBytes {
    const void *memory; /* borrowed, all of it; not used where `read` is given */
    size_t size;        /* of it */
    ImgReadFunction *read;
    void *context;
} ImgInputBytes;

typedef struct ImgInput {
    int fd; /* -1: there is none, or it is done with */
    bool owns_fd;
    uint64_t size_hint; /* of a regular file; 0 where it is not known. Never trusted. */
    ImgInputBytes bytes;
    ImgInterrupt interrupt; /* of waits for the descriptor */
} ImgInput;

/* Opens a path for reading. A FIFO is waited for until a program writes to it, or fails where
 * `only_files` is set, as does a device (limits.h). Where it fails, *fd is -1. */
ImgStatus img_input_open_path(const char *path, bool only_files, const ImgInterrupt *interrupt,
                              int *fd, ImgError *err);

/* Opens a path so, or standard input for "-". On failure to be closed, too. */
ImgStatus img_input_open(ImgInput *input, const char *path, bool only_files, ImgError *err);

/* Reads until `size` bytes are there or the file ends; not from memory. */
ImgStatus img_input_read(const ImgInput *input, uint8_t *data, size_t size, size_t *got,
                         ImgError *err);

/* Harmless twice. */
void img_input_close(ImgInput *input);

#endif
