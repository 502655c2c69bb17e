/* Private to step_files.c: a picture that an operation reads beside its source. */
#ifndef IMGTOOL_IO_STEP_PICTURE_H
#define IMGTOOL_IO_STEP_PICTURE_H

#include "io/interrupt.h"
#include "io/limits.h"
#include "io/step_damage.h"
#include "kernels/core/op.h"

/* Of a file whose header is read: at most so many bytes are alive at a time while a picture is made
 * of it (*most), and stay (*kept). Fails as img_step_picture_read does. */
ImgStatus img_step_picture_look(const char *path, const ImgLimits *limits, uint64_t *most,
                                uint64_t *kept, ImgError *err);

/* Makes an ImgPicture of a file, and hands over what is damaged in it. *most: the bytes that were
 * alive at a time meanwhile. Messages name the file; "-" is IMG_E_USAGE. */
ImgStatus img_step_picture_read(const char *path, const ImgLimits *limits,
                                const ImgInterrupt *interrupt, const ImgStepWarned *warned,
                                ImgConstants *content, uint64_t *most, ImgError *err);

#endif
