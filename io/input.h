/* Private: reads the bytes of a file from a path, from memory, or through a function. */
#ifndef IMGTOOL_IO_INPUT_H
#define IMGTOOL_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "io/interrupt.h"
#include "kernels/core/status.h"

/* Reads up to `size` bytes into `data`. Sets `*got` to the number of bytes that were read, which is
 * 0 at the end of the file. */
typedef ImgStatus ImgReadFunction(void *context, void *data, size_t size, size_t *got,
                                  ImgError *err);

/* File contents that do not come from the file system, but from memory or from a function. */
typedef struct ImgInputBytes {
    const void *memory; /* The whole file in memory; borrowed. Unused if `read` is set. */
    size_t size;        /* number of bytes at `memory` */
    ImgReadFunction *read;
    void *context;
} ImgInputBytes;

typedef struct ImgInput {
    int fd; /* open descriptor; -1 if there is none or it is already closed */
    bool owns_fd;
    /* Size of a regular file in bytes; 0 if unknown. Only a hint, because the file may change. */
    uint64_t size_hint;
    struct timespec modified; /* time of the last change of a regular file when it was opened */
    ImgInputBytes bytes;
    ImgInterrupt interrupt; /* Called when a signal interrupts a system call on the descriptor. */
} ImgInput;

/* Opens a path for reading and sets `*fd`. Opening a FIFO blocks until a program opens it for
 * writing. If `only_files` is true, a FIFO or a device is an error instead (see
 * ImgLimits.only_files). On failure `*fd` is -1. */
ImgStatus img_input_open_path(const char *path, bool only_files, const ImgInterrupt *interrupt,
                              int *fd, ImgError *err);

/* Opens a path as img_input_open_path does, or standard input if `path` is "-". The caller must
 * close the input even after a failure. */
ImgStatus img_input_open(ImgInput *input, const char *path, bool only_files, ImgError *err);

/* Reads `size` bytes, or fewer if the file ends. Sets `*got` to the number of bytes that were read.
 * Must not be called for input from memory. */
ImgStatus img_input_read(const ImgInput *input, uint8_t *data, size_t size, size_t *got,
                         ImgError *err);

/* Returns true if img_input_piece can read the input: it is a regular file, and the `at` bytes that
 * were read so far are the first bytes of the file. */
bool img_input_has_pieces(const ImgInput *input, uint64_t at);

/* Reads `size` bytes of a regular file from offset `at` on. Returns 0 on success, an errno value if
 * reading fails, or -1 if the file ends before offset `at` + `size`. Any thread may call it. */
int img_input_piece(const ImgInput *input, uint64_t at, uint8_t *data, size_t size);

/* Moves the read position of a regular file to offset `at`, where the next img_input_read
 * continues. Returns false if the file cannot seek. */
bool img_input_continue_at(const ImgInput *input, uint64_t at);

/* Returns true if the size or the time of a regular file has changed since it was opened. */
bool img_input_has_changed(const ImgInput *input);

/* Closes the descriptor of the input, except standard input. A second call does nothing. */
void img_input_close(ImgInput *input);

#endif
