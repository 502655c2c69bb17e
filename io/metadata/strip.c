/* Implements --strip: decides which chunks stay in the metadata. */
#include <stdlib.h>
#include <string.h>

#include "io/metadata/gps.h"
#include "io/metadata/metadata.h"

/* Chunks that control how samples are displayed. None of them identifies a place or a person. */
static const char shown[][5] = {"tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "mDCv",
                                "cLLI", "cLLi", "sBIT", "bKGD", "pHYs", "sTER", "hIST", "sPLT"};

static bool is_text(const char *type)
{
    return strcmp(type, "tEXt") == 0 || strcmp(type, "zTXt") == 0 || strcmp(type, "iTXt") == 0;
}

static bool stays(const char *type, ImgKeep keep)
{
    if (keep == IMG_KEEP_PIXELS)
        return strcmp(type, "tRNS") == 0;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(type, shown[i]) == 0)
            return true;
    return false;
}

static void drop_chunks(ImgMetadata *metadata, ImgKeep keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        if (stays(metadata->chunks[i].type, keep))
            metadata->chunks[kept++] = metadata->chunks[i];
        else
            free(metadata->chunks[i].data);
    }
    metadata->count = kept;
}

void img_metadata_drop_texts(ImgMetadata *metadata)
{
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        if (is_text(metadata->chunks[i].type))
            free(metadata->chunks[i].data);
        else
            metadata->chunks[kept++] = metadata->chunks[i];
    }
    metadata->count = kept;
}

/* Adds EXIF that contains only the orientation: a TIFF header, and a directory with one entry. */
static ImgStatus add_orientation(ImgMetadata *metadata, int orientation, ImgError *err)
{
    const uint8_t exif[] = {
        'M', 'M', 0, 42,
        0,   0,   0, 8, /* offset of the directory */
        0,   1,         /* one entry */
        1,   18,  0, 3,
        0,   0, /* tag 274 (orientation), one SHORT */
        0,   1,   0, (uint8_t)orientation,
        0,   0,         /* value of the SHORT */
        0,   0,   0, 0, /* no next directory */
    };
    return img_metadata_add(metadata, "eXIf", IMG_BEFORE_IDAT, exif, sizeof exif, err);
}

ImgStatus img_metadata_strip(ImgMetadata *metadata, ImgKeep keep, int orientation, ImgError *err)
{
    if (keep == IMG_KEEP_EVERYTHING)
        return IMG_OK;
    if (keep == IMG_KEEP_NO_PLACE)
        return img_gps_drop(metadata, err);
    drop_chunks(metadata, keep);
    if (keep == IMG_KEEP_PIXELS || orientation <= 1)
        return IMG_OK;
    return add_orientation(metadata, orientation, err);
}

const char *img_metadata_colours(const ImgMetadata *metadata)
{
    if (img_metadata_find(metadata, "cICP") != NULL)
        return "colour space";
    if (img_metadata_find(metadata, "iCCP") != NULL)
        return "colour profile";
    /* A picture with sRGB needs no other chunk: cHRM and gAMA only repeat the values of sRGB, for
     * programs that do not read sRGB. */
    if (img_metadata_find(metadata, "sRGB") != NULL)
        return NULL;
    if (img_metadata_find(metadata, "cHRM") != NULL)
        return "primaries";
    return img_metadata_find(metadata, "gAMA") != NULL ? "gamma" : NULL;
}
