/* Reads everything in a PNG file except its pixels, for `imgtool info`. */
#ifndef IMGTOOL_APP_INFO_INFO_H
#define IMGTOOL_APP_INFO_INFO_H

#include <stdio.h>

#include "app/text/json.h"
#include "io/metadata/metadata.h"
#include "kernels/core/image.h"
#include "kernels/core/op.h"

typedef struct Info {
    const char *path; /* path of the file; borrowed */
    ImgShape shape;
    ImgFacts facts;
    uint64_t file_bytes;
    ImgMetadata metadata;
    uint32_t frames;               /* number of frames of an APNG; 0: a still picture */
    char damage[IMG_MESSAGE_SIZE]; /* warnings about damaged parts, as many as fit; "": none */
    /* Why the orientation is unknown; IMG_OK: it is known, or the file states none. */
    ImgError doubt;
} Info;

/* Reads everything except pixels, with at most `memory` bytes. Fails with IMG_E_LIMIT if the file
 * and its chunks need more. If only the inflated texts exceed the limit, the orientation stays
 * unknown (`doubt`). Messages start with the name of the file. Call info_free in any case. */
ImgStatus info_read(const char *path, uint64_t memory, Info *info, ImgError *err);
void info_free(Info *info);

void info_print(FILE *out, const Info *info);

/* Appends an object about the file to the array. `failure` is the error if the file could not be
 * read, and IMG_OK otherwise. */
void info_add_json(cJSON *array, const Info *info, const ImgError *failure, bool *failed);

/* --- Contents of single chunks -------------------------------------------------------------------
 *
 * Functions that read a chunk return false or NULL if it is missing or damaged. */

typedef struct InfoDensity {
    uint32_t x, y;
    /* true: `x` and `y` are pixels per metre; false: only their ratio has a meaning */
    bool metres;
} InfoDensity;
bool info_density(const ImgMetadata *metadata, InfoDensity *density);
double info_dpi(uint32_t pixels_per_metre);

/* Reads the gamma of the file (chunk gAMA), such as 0.45455. */
bool info_gamma(const ImgMetadata *metadata, double *gamma);

/* Contents of the chunk iCCP, a colour profile. The first four bytes of a profile are its size. If
 * the inflated size differs, the profile is damaged. */
typedef struct InfoProfile {
    char *name;     /* name of the profile, in UTF-8; owned */
    uint64_t bytes; /* inflated size in bytes; 0: the profile cannot be inflated, or is too long */
    bool too_long;  /* true if the profile inflates to more than IMG_DEFAULT_MAX_TEXT bytes */
    /* Size in bytes that the profile's header states; 0: there is no header. */
    uint32_t header_bytes;
} InfoProfile;

/* Reads the colour profile (chunk iCCP). Overwrites `profile` without freeing it. */
bool info_profile(const ImgMetadata *metadata, InfoProfile *profile);
void info_profile_free(InfoProfile *profile);
bool info_profile_damaged(const InfoProfile *profile);

typedef enum InfoTransparency {
    INFO_OPAQUE,
    INFO_ALPHA,               /* the picture has an alpha channel */
    INFO_TRANSPARENT_COLOR,   /* one colour of the picture is transparent */
    INFO_TRANSPARENT_ENTRIES, /* some palette entries are not opaque; `*entries` is their number */
} InfoTransparency;
InfoTransparency info_transparency(const Info *info, unsigned *entries);

/* Returns the copyright in UTF-8, or NULL if the file states none. The caller frees the text. */
char *info_copyright(const ImgMetadata *metadata);

typedef struct InfoText {
    char *keyword, *value; /* in UTF-8, owned; `value` is NULL if it is long or compressed */
    size_t bytes;          /* size of the value in the file, in bytes */
    bool compressed;
} InfoText;

/* Reads a text chunk. Returns false if the chunk is not text. Overwrites `text` without freeing
 * it. */
bool info_text(const ImgChunk *chunk, InfoText *text);
void info_text_free(InfoText *text);

#endif
