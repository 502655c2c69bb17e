/* The subject of statistics: a file, or the total of several files. The functions print its name
 * and size in each format of output. */
#ifndef IMGTOOL_APP_STATS_SUBJECT_H
#define IMGTOOL_APP_STATS_SUBJECT_H

#include <stdio.h>

#include "app/stats/measure.h"
#include "app/stats/tables.h"
#include "app/text/json.h"
#include "kernels/core/color/luma.h"

typedef struct Subject {
    const char *path; /* path of the file; NULL: the subject is a total */
    ImgShape shape;   /* shape of the picture, if the subject is a file */
    size_t files;     /* number of files of a total */
    bool mixed;       /* the pictures of a total have different depths */
    Tables tables;    /* counts of the subject; borrowed */
    /* Why the file could not be measured; NULL: it was measured, or is a total. */
    const ImgError *failure;
} Subject;

Subject subject_picture(const Measured *measured);
Subject subject_failed(const Measured *measured, const ImgError *failure);
Subject subject_total(const Total *total);

/* Prints a heading such as "photo.png: 640 x 427, RGB, 8 bits". */
void subject_print(FILE *out, const Subject *subject);

/* Prints the first two fields of a row of CSV, such as "file,photo.png" or "total,". */
void subject_csv(FILE *out, const Subject *subject);

/* Adds the members that describe the subject to a JSON object: those from the name of the file to
 * "luma_weights". The caller then adds the figures. */
void subject_add_json(cJSON *object, const Subject *subject, ImgLuma luma, bool *failed);

/* Returns the channel whose counts JSON shows under the name of `channel`, or CHANNEL_COUNT if the
 * channel does not exist. If luma was requested, JSON has luma for every picture, and for a gray
 * picture this is the channel gray. */
Channel subject_json_channel(const Subject *subject, Channel channel, ImgLuma luma);

enum { CHANNEL_LABEL = 16 };

/* Writes the label of a channel, such as "red", or "luma 709", which includes the luma weights.
 * Returns `text`. */
const char *channel_label(Channel channel, ImgLuma luma, char text[CHANNEL_LABEL]);

/* Returns the name of luma weights, such as "709". */
const char *luma_name(ImgLuma luma);

#endif
