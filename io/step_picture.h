/* Private to step_files: reads a picture that an operation uses besides its source. */
#ifndef IMGTOOL_IO_STEP_PICTURE_H
#define IMGTOOL_IO_STEP_PICTURE_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "kernels/core/op.h"

/* Receives warnings about pictures that steps read: one call for each kind of damage that leaves
 * the pixels readable. The damaged parts are ignored. */
typedef struct ImgStepWarnings {
    void (*each)(void *context, const char *name, const char *damage); /* NULL: not wanted */
    void *context;
} ImgStepWarnings;

/* Reads only the header of the file. Sets `*most` to the largest number of bytes in use at any time
 * while the picture is read, `*kept` to the number that stays in use. Fails as
 * img_step_picture_read does. */
ImgStatus img_step_picture_estimate(const char *path, const ImgLimits *limits, uint64_t *most,
                                    uint64_t *kept, ImgError *err);

/* Reads a file as an ImgPicture and passes its warnings to `warnings`. Sets `*most` to the largest
 * number of bytes that were in use at any time. Messages name the file. Fails with IMG_E_USAGE for
 * "-". */
ImgStatus img_step_picture_read(const char *path, const ImgLimits *limits,
                                const ImgInterrupt *interrupt, const ImgStepWarnings *warnings,
                                ImgConstants *content, uint64_t *most, ImgError *err);

#endif
