/* The subject of figures: a file, or the total of several. Prints it in each output format. */
#ifndef IMGTOOL_APP_STATS_SUBJECT_H
#define IMGTOOL_APP_STATS_SUBJECT_H

#include <stdio.h>

#include "app/stats/measure.h"
#include "app/stats/tables.h"
#include "app/text/json_file.h"
#include "kernels/core/color/luma.h"

typedef struct Subject {
    const char *path;        /* of one file; NULL: a total */
    ImgShape shape;          /* of one file */
    size_t files;            /* of a total */
    bool mixed;              /* of a total: the pictures have different depths */
    Tables tables;           /* borrowed */
    const ImgError *failure; /* of one file that could not be measured; else NULL */
} Subject;

Subject subject_picture(const Measured *measured);
Subject subject_failed(const Measured *measured, const ImgError *failure);
Subject subject_total(const Total *total);

/* Prints a heading such as "photo.png: 640 x 427, RGB, 8 bits". */
void subject_print(FILE *out, const Subject *subject);

/* Prints the first two fields of each CSV row: "file,photo.png" or "total,". */
void subject_csv(FILE *out, const Subject *subject);

/* Adds the fields up to "luma_weights" to an object, which gets the figures later. */
void subject_add_json(cJSON *object, const Subject *subject, ImgLuma luma, bool *failed);

/* Returns which channel's counts JSON shows under the name `channel`. JSON has luma for every
 * picture if requested; of a gray picture it is gray. CHANNEL_COUNT: none. */
Channel subject_json_channel(const Subject *subject, Channel channel, ImgLuma luma);

/* Writes the name of a channel, such as "red", or luma with its weights: "luma 709". */
enum { CHANNEL_LABEL = 16 };
const char *channel_label(Channel channel, ImgLuma luma, char text[CHANNEL_LABEL]);

/* Returns the name of luma weights, such as "709". */
const char *luma_name(ImgLuma luma);

#endif
