#include "io/metadata/metadata.h"

#include <stdio.h>
#include <string.h>

#include "io/metadata/profile.h"
#include "io/metadata/text.h"

enum { THINGS_MOST = 10 };

typedef struct Lost {
    char profile[IMG_PROFILE_NAME + 32];
    const char *things[THINGS_MOST]; /* terms for the lost metadata, without duplicates */
    size_t count;
    bool changes_colours;
} Lost;

static void add(Lost *lost, const char *thing)
{
    for (size_t i = 0; i < lost->count; i++)
        if (strcmp(lost->things[i], thing) == 0)
            return;
    if (lost->count < THINGS_MOST)
        lost->things[lost->count++] = thing;
}

/* Adds the terms for lost colour information. Called first, so that the list begins with them. Adds
 * gamma and primaries only if no cICP, iCCP or sRGB takes precedence over them. */
static void add_colours(Lost *lost, const ImgMetadata *metadata)
{
    static const char srgb_gamma[] = {0, 0, (char)0xB1, (char)0x8F}; /* the gamma of sRGB, 45455 */
    const ImgChunk *gamma = img_metadata_find(metadata, "gAMA");
    ImgProfile profile;
    if (img_metadata_find(metadata, "cICP") != NULL)
        add(lost, "the colour space (cICP)");
    if (img_profile_read(metadata, &profile)) {
        snprintf(lost->profile, sizeof lost->profile, "the colour profile '%s'", profile.name);
        add(lost, lost->profile);
    }
    lost->changes_colours = lost->count > 0 && strstr(lost->profile, "sRGB") == NULL;
    if (lost->count > 0 || img_metadata_find(metadata, "sRGB") != NULL)
        return;
    if (gamma != NULL && (gamma->size != 4 || memcmp(gamma->data, srgb_gamma, 4) != 0))
        add(lost, "gamma");
    if (img_metadata_find(metadata, "cHRM") != NULL)
        add(lost, "primaries");
    lost->changes_colours = lost->count > 0;
}

static const char others[] = "other chunks";

/* Returns the user's term for a chunk. Returns NULL if the loss of the chunk need not be mentioned,
 * or if add_colours mentions it. */
static const char *thing_of(const ImgChunk *chunk)
{
    static const char *const silent[] = {"tRNS", "bKGD", "cICP", "iCCP", "sRGB", "gAMA", "cHRM",
                                         "sBIT", "hIST", "sPLT", "mDCV", "mDCv", "cLLI", "cLLi"};
    ImgText text;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(chunk->type, silent[i]) == 0)
            return NULL;
    if (strcmp(chunk->type, "eXIf") == 0)
        return "EXIF";
    if (strcmp(chunk->type, "pHYs") == 0)
        return "resolution";
    if (strcmp(chunk->type, "tIME") == 0)
        return "time";
    if (!img_text_parse(chunk, &text))
        return others;
    if (img_raw_profile_is_exif(text.keyword))
        return "EXIF";
    return strcmp(text.keyword, "XML:com.adobe.xmp") == 0 ? "XMP" : "text";
}

bool img_metadata_describe_loss(const ImgMetadata *metadata, char text[IMG_METADATA_LOSS_TEXT])
{
    Lost lost = {.count = 0};
    bool has_others = false;
    add_colours(&lost, metadata);
    for (size_t i = 0; i < metadata->count; i++) {
        const char *thing = thing_of(&metadata->chunks[i]);
        if (thing != NULL && thing != others)
            add(&lost, thing);
        has_others = has_others || thing == others;
    }
    if (has_others)
        add(&lost, others);
    size_t used = (size_t)snprintf(text, IMG_METADATA_LOSS_TEXT, "lost: ");
    for (size_t i = 0; i < lost.count && used < IMG_METADATA_LOSS_TEXT; i++) {
        const char *before = i == 0 ? "" : i + 1 == lost.count ? " and " : ", ";
        used += (size_t)snprintf(text + used, IMG_METADATA_LOSS_TEXT - used, "%s%s", before,
                                 lost.things[i]);
    }
    if (lost.changes_colours && used < IMG_METADATA_LOSS_TEXT)
        snprintf(text + used, IMG_METADATA_LOSS_TEXT - used, "; colours may look different");
    return lost.count > 0;
}
