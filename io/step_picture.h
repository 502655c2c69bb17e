/* Private to step_files: reads a second picture that an operation uses besides the picture that it
 * processes. */
#ifndef IMGTOOL_IO_STEP_PICTURE_H
#define IMGTOOL_IO_STEP_PICTURE_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "kernels/core/op.h"

/* Receives warnings about the pictures that steps read. `each` is called for each kind of damage
 * that leaves the pixels readable. The damaged parts are ignored. */
typedef struct ImgStepWarnings {
    /* May be NULL if the caller needs no warnings. */
    void (*each)(void *context, const char *name, const char *damage);
    void *context;
} ImgStepWarnings;

/* Estimates the memory for reading a picture from the header of its file. Sets `*most` to the
 * largest number of bytes in use at any time, and `*kept` to the number of bytes that stay in use.
 * Fails if img_step_picture_read would fail because of the header. */
ImgStatus img_step_picture_estimate(const char *path, const ImgLimits *limits, uint64_t *most,
                                    uint64_t *kept, ImgError *err);

/* Reads a file as an ImgPicture and passes its warnings to `warnings`. Sets `*most` to the largest
 * number of bytes that were in use at any time. Error messages contain the file's name. Fails with
 * IMG_E_USAGE if `path` is "-". */
ImgStatus img_step_picture_read(const char *path, const ImgLimits *limits,
                                const ImgInterrupt *interrupt, const ImgStepWarnings *warnings,
                                ImgConstants *content, uint64_t *most, ImgError *err);

#endif
