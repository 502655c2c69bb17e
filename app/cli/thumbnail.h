/* thumbnail: a few steps that people expect to be one. It stands as a command, and among steps and
 * after `batch` where an operation does, with the options of resize. */
#ifndef IMGTOOL_APP_CLI_THUMBNAIL_H
#define IMGTOOL_APP_CLI_THUMBNAIL_H

#include "app/cli/options.h"

/* Is it this word? */
bool thumbnail_is(const char *word);

/* Whose options it has: resize by this name, for parsing and for messages, not for running. */
const ImgOp *thumbnail_options(void);

/* All defaults: those of resize, but pictures are not enlarged. */
void thumbnail_init(ImgParams *params);

/* autorotate, resize with `params`, depth. */
enum { THUMBNAIL_STEPS = 3 };
void thumbnail_steps(const ImgParams *params, ImgStep steps[THUMBNAIL_STEPS]);

/* What of the metadata stays, an ImgKeep: as --strip says, or what thumbnails are without it. */
int32_t thumbnail_keep(const ImgStep *steps, size_t count, const Settings *settings);

#endif
