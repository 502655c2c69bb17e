/* Private: the source of a file's bytes: a path, memory, or a function. */
#ifndef IMGTOOL_IO_INPUT_H
#define IMGTOOL_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/interrupt.h"
#include "kernels/core/status.h"

/* Reads up to `size` bytes into `data` and sets `*got` to their number; 0 at the end. */
typedef ImgStatus ImgReadFunction(void *context, void *data, size_t size, size_t *got,
                                  ImgError *err);

/* File contents that do not come from the file system: memory, or a function. */
typedef struct ImgInputBytes {
    const void *memory; /* borrowed; the whole file; unused if `read` is set */
    size_t size;        /* bytes of `memory` */
    ImgReadFunction *read;
    void *context;
} ImgInputBytes;

typedef struct ImgInput {
    int fd; /* -1: none, or already closed */
    bool owns_fd;
    uint64_t size_hint; /* bytes of a regular file, 0 if unknown; only a hint, as the file may
                         * change */
    ImgInputBytes bytes;
    ImgInterrupt interrupt; /* called when a signal interrupts a wait for the descriptor */
} ImgInput;

/* Opens a path for reading. Opening a FIFO blocks until a program writes to it. If `only_files` is
 * true, opening a FIFO or a device fails instead (limits.h). On failure `*fd` is -1. */
ImgStatus img_input_open_path(const char *path, bool only_files, const ImgInterrupt *interrupt,
                              int *fd, ImgError *err);

/* Opens a path as img_input_open_path does, or standard input for "-". The caller closes the input
 * even after a failure. */
ImgStatus img_input_open(ImgInput *input, const char *path, bool only_files, ImgError *err);

/* Reads `size` bytes, or fewer if the file ends; sets `*got` to their number. Not for input from
 * memory. */
ImgStatus img_input_read(const ImgInput *input, uint8_t *data, size_t size, size_t *got,
                         ImgError *err);

/* Closes the input. May be called twice. */
void img_input_close(ImgInput *input);

#endif
