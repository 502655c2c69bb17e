/* A picture that a step names. */
#ifndef IMGTOOL_APP_JOB_STEP_PICTURE_H
#define IMGTOOL_APP_JOB_STEP_PICTURE_H

#include "app/cli/options.h"
#include "kernels/core/op.h"

/* Makes an ImgPicture of the file, on one thread. Messages name it. */
ImgStatus step_picture_read(const char *path, const Settings *settings, ImgConstants *content,
                            ImgError *err);

#endif
