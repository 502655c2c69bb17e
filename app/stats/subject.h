/* What figures are about, a file or the total of several, and how each form of output names it. */
#ifndef IMGTOOL_APP_STATS_SUBJECT_H
#define IMGTOOL_APP_STATS_SUBJECT_H

#include <stdio.h>

#include "app/stats/measure.h"
#include "app/stats/tables.h"
#include "app/text/json_file.h"
#include "kernels/core/color/luma.h"

typedef struct Subject {
    const char *path;        /* of one file; NULL: the total of several */
    ImgShape shape;          /* of one file */
    size_t files;            /* of a total */
    bool mixed;              /* of a total: of pictures of different depths */
    Tables tables;           /* borrowed */
    const ImgError *failure; /* of one file that could not be measured; else NULL */
} Subject;

Subject subject_picture(const Measured *measured);
Subject subject_failed(const Measured *measured, const ImgError *failure);
Subject subject_total(const Total *total);

/* "photo.png: 640 x 427, RGB, 8 bits" */
void subject_print(FILE *out, const Subject *subject);

/* "file,photo.png" or "total,": the first two fields of each row. */
void subject_csv(FILE *out, const Subject *subject);

/* What it is, for an object that holds its figures too: all up to "luma_weights". */
void subject_add_json(cJSON *object, const Subject *subject, ImgLuma luma, bool *failed);

/* Where the channel's counts are found for JSON, which has luma of every picture if it is wanted:
 * that of a gray one is its gray. CHANNEL_COUNT where there is no such channel. */
Channel subject_json_channel(const Subject *subject, Channel channel, ImgLuma luma);

/* "red" or, since there is more than one, "luma 709" */
enum { CHANNEL_LABEL = 16 };
const char *channel_label(Channel channel, ImgLuma luma, char text[CHANNEL_LABEL]);

/* "709" */
const char *luma_name(ImgLuma luma);

#endif
