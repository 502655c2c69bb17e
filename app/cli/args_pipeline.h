/* `--pipeline FILE` of `run` and `batch`: the same as "@FILE" in the place of STEPS. */
#ifndef IMGTOOL_APP_CLI_ARGS_PIPELINE_H
#define IMGTOOL_APP_CLI_ARGS_PIPELINE_H

#include "app/cli/args.h"

/* Where --pipeline was given, puts "@FILE" before the operands, so that nobody after this has to
 * know of it. IMG_E_USAGE where the operands have steps too. */
ImgStatus args_place_pipeline(Args *args, ImgError *err);

/* The usage of the command as it is called: without STEPS where --pipeline has them. */
const char *args_usage(const Args *args, char text[USAGE_SIZE]);

#endif
