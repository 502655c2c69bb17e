/* What a PNG file says of itself, for `imgtool info`. */
#ifndef IMGTOOL_APP_INFO_H
#define IMGTOOL_APP_INFO_H

#include <stdio.h>

#include "app/json.h"
#include "io/metadata.h"
#include "kernels/core/image.h"

typedef struct Info {
    const char *path; /* borrowed */
    ImgShape shape;
    ImgFacts facts;
    uint64_t file_bytes;
    ImgMetadata metadata;
} Info;

/* Reads everything but the pixels. The message of a failure starts with the file's name.
 * info_free in any case. */
ImgStatus info_read(const char *path, Info *info, ImgError *err);
void info_free(Info *info);

void info_print(FILE *out, const Info *info);

/* Appends an object to the array. */
void info_add_json(cJSON *array, const Info *info, bool *failed);

/* --- What single chunks say; false, or NULL, where there is none or it is damaged ------------- */

typedef struct InfoDensity {
    uint32_t x, y;
    bool metres; /* pixels per metre; else only the ratio means something */
} InfoDensity;
bool info_density(const ImgMetadata *metadata, InfoDensity *density);
double info_dpi(uint32_t pixels_per_metre);

/* gAMA, as 0.45455. */
bool info_gamma(const ImgMetadata *metadata, double *gamma);

/* iCCP: the name as UTF-8, to be freed, and the size that the profile claims (0: not readable). */
bool info_profile(const ImgMetadata *metadata, char **name, uint32_t *size);

/* "alpha channel", "3 palette entries", "one colour" or NULL. */
enum { INFO_TEXT = 64 };
const char *info_transparency(const Info *info, char text[INFO_TEXT]);

typedef struct InfoText {
    char *keyword, *value; /* UTF-8, to be freed; value is NULL where it is long or compressed */
    size_t bytes;          /* of the value in the file */
    bool compressed;
} InfoText;

/* False if the chunk is no text. Frees nothing of what `text` held before. */
bool info_text(const ImgChunk *chunk, InfoText *text);
void info_text_free(InfoText *text);

#endif
