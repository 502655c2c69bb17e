/* What a PNG file says of itself, for `imgtool info`. */
#ifndef IMGTOOL_APP_INFO_INFO_H
#define IMGTOOL_APP_INFO_INFO_H

#include <stdio.h>

#include "app/text/json.h"
#include "io/metadata/metadata.h"
#include "kernels/core/image.h"
#include "kernels/core/op.h"

typedef struct Info {
    const char *path; /* borrowed */
    ImgShape shape;
    ImgFacts facts;
    uint64_t file_bytes;
    ImgMetadata metadata;
    uint32_t frames;               /* of an APNG; 0: a still picture */
    char damage[IMG_MESSAGE_SIZE]; /* of what was not looked at, as far as it fits; else empty */
    ImgError doubt; /* why the orientation is not known, though it may be stated; IMG_OK: it is */
} Info;

/* Reads everything but the pixels, in `memory` bytes: IMG_E_LIMIT where the file and its chunks
 * need more. Texts that inflate to more than there is patience for leave the orientation in doubt;
 * the rest is there. The message of a failure starts with the file's name. info_free in any case.
 */
ImgStatus info_read(const char *path, uint64_t memory, Info *info, ImgError *err);
void info_free(Info *info);

void info_print(FILE *out, const Info *info);

/* Appends an object to the array; of a file whose reading failed too. */
void info_add_json(cJSON *array, const Info *info, const ImgError *failure, bool *failed);

/* --- What single chunks say; false, or NULL, where there is none or it is damaged ------------- */

typedef struct InfoDensity {
    uint32_t x, y;
    bool metres; /* pixels per metre; else only the ratio means something */
} InfoDensity;
bool info_density(const ImgMetadata *metadata, InfoDensity *density);
double info_dpi(uint32_t pixels_per_metre);

/* gAMA, as 0.45455. */
bool info_gamma(const ImgMetadata *metadata, double *gamma);

/* iCCP. A profile says its own size in its first four bytes, and inflates to some size: where the
 * two differ it is damaged. */
typedef struct InfoProfile {
    char *name;     /* UTF-8 */
    uint64_t bytes; /* that it inflates to; 0: it does not, or to more than is inflated here */
    bool too_long;  /* more */
    uint32_t header_bytes; /* 0: it has no such bytes */
} InfoProfile;

/* Frees nothing of what `profile` held before. */
bool info_profile(const ImgMetadata *metadata, InfoProfile *profile);
void info_profile_free(InfoProfile *profile);
bool info_profile_damaged(const InfoProfile *profile);

typedef enum InfoTransparency {
    INFO_OPAQUE,
    INFO_ALPHA,               /* a channel */
    INFO_TRANSPARENT_COLOR,   /* one */
    INFO_TRANSPARENT_ENTRIES, /* of the palette: *entries that are not opaque */
} InfoTransparency;
InfoTransparency info_transparency(const Info *info, unsigned *entries);

/* Returns the copyright in UTF-8, for the caller to free; NULL where the file states none. */
char *info_copyright(const ImgMetadata *metadata);

typedef struct InfoText {
    char *keyword, *value; /* UTF-8, to be freed; value is NULL where it is long or compressed */
    size_t bytes;          /* of the value in the file */
    bool compressed;
} InfoText;

/* False if the chunk is not text. Frees nothing of what `text` held before. */
bool info_text(const ImgChunk *chunk, InfoText *text);
void info_text_free(InfoText *text);

#endif
