/* Private to step_files: reads a picture that an operation uses besides its source. */
#ifndef IMGTOOL_IO_STEP_PICTURE_H
#define IMGTOOL_IO_STEP_PICTURE_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "kernels/core/op.h"

/* Receives the warnings about pictures that steps read: one call for each kind of damage that
 * leaves the pixels readable. The damaged part is ignored. */
typedef struct ImgStepWarnings {
    void (*each)(void *context, const char *name, const char *damage); /* NULL: not wanted */
    void *context;
} ImgStepWarnings;

/* Reads the header of the file. *most is the largest number of bytes alive at one time while the
 * picture is read, *kept the number that stays. Fails as img_step_picture_read does. */
ImgStatus img_step_picture_estimate(const char *path, const ImgLimits *limits, uint64_t *most,
                                    uint64_t *kept, ImgError *err);

/* Reads a file as an ImgPicture and passes its warnings to `warnings`. *most is the largest number
 * of bytes that were alive at one time. Messages name the file; "-" is IMG_E_USAGE. */
ImgStatus img_step_picture_read(const char *path, const ImgLimits *limits,
                                const ImgInterrupt *interrupt, const ImgStepWarnings *warnings,
                                ImgConstants *content, uint64_t *most, ImgError *err);

#endif
