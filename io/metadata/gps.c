#include "io/metadata/gps.h"

#include <stdlib.h>
#include <string.h>

#include "io/metadata/exif.h"
#include "io/metadata/text.h"

enum { TIFF_HEADER = 8, ENTRY_BYTES = 12, RATIONAL_BYTES = 8, TAG_GPS = 0x8825 };
enum { LATITUDE_REF = 1, LATITUDE, LONGITUDE_REF, LONGITUDE };

/* --- EXIF ------------------------------------------------------------------------------------- */

/* EXIF data after its prefix, with its first directory and its GPS directory. */
typedef struct Exif {
    uint8_t *data;
    size_t size;
    ImgExifDirectory main, gps;
} Exif;

/* Finds the GPS directory. Returns false if there is none, or if it cannot be read. */
static bool find_gps(Exif *exif)
{
    ImgExifNumbers place;
    return img_exif_numbers(exif->data, exif->size, &exif->main, TAG_GPS, &place) &&
           img_exif_directory(exif->data, exif->size, img_exif_number(exif->data, &place, 0),
                              &exif->gps);
}

static bool open_exif(uint8_t *bytes, size_t all, Exif *exif)
{
    const size_t skip = img_exif_prefix(bytes, all);
    *exif = (Exif){.data = bytes + skip, .size = all - skip};
    return img_exif_directory(exif->data, exif->size, 0, &exif->main);
}

/* Overwrites `count` bytes with zeros. Does nothing if they include the header or the first
 * directory, or do not lie within the data. */
static void clear(Exif *exif, size_t first, size_t count)
{
    if (first < TIFF_HEADER || first > exif->size || count > exif->size - first ||
        (first < exif->main.end && first + count > exif->main.first))
        return;
    memset(exif->data + first, 0, count);
}

/* Overwrites the value of each GPS entry, and the GPS directory, with zeros. Reads at most TAGS
 * entries, which is more than the number of GPS tags. This limits the time if the values of many
 * entries overlap. */
static void clear_gps(Exif *exif)
{
    enum { TAGS = 64 };
    const ImgExifDirectory gps = exif->gps;
    ImgExifValue value;
    for (size_t i = 0; i < TAGS && img_exif_value_at(exif->data, exif->size, &gps, i, &value); i++)
        if (!value.is_inside)
            clear(exif, value.offset, value.bytes);
    clear(exif, gps.first, gps.entries_end - gps.first);
}

/* Removes the GPS entry from the first directory. The entries after it, and the offset of the next
 * directory, move to lower offsets. Returns false if there is no GPS entry. */
static bool remove_entry(Exif *exif)
{
    const ImgExifDirectory *main = &exif->main;
    const size_t entry = img_exif_entry(exif->data, main, TAG_GPS);
    if (entry == 0)
        return false;
    const size_t end = main->entries_end + (main->end == main->entries_end + 4 ? 4 : 0);
    memmove(exif->data + entry, exif->data + entry + ENTRY_BYTES, end - entry - ENTRY_BYTES);
    memset(exif->data + end - ENTRY_BYTES, 0, ENTRY_BYTES);
    const uint32_t count = (uint32_t)((main->entries_end - main->first - 2) / ENTRY_BYTES - 1);
    exif->data[main->first + (main->big_endian ? 1 : 0)] = (uint8_t)count;
    exif->data[main->first + (main->big_endian ? 0 : 1)] = (uint8_t)(count >> 8);
    exif->main.entries_end -= ENTRY_BYTES;
    exif->main.end = end - ENTRY_BYTES;
    return true;
}

static bool drop_from_exif(uint8_t *bytes, size_t all, const void *context)
{
    Exif exif;
    (void)context;
    if (!open_exif(bytes, all, &exif))
        return false;
    if (find_gps(&exif))
        clear_gps(&exif);
    return remove_entry(&exif);
}

/* Reads an angle in degrees from three RATIONALs: degrees, minutes and seconds. The angle is
 * negative if the entry `reference_tag` is "S" or "W". Returns false if the angle cannot be
 * read. */
static bool read_angle(const Exif *exif, uint32_t tag, uint32_t reference_tag, double *degrees)
{
    const double shares[] = {1, 60, 3600};
    ImgExifValue value, reference;
    double sum = 0;
    if (!img_exif_value(exif->data, exif->size, &exif->gps, tag, &value) ||
        value.bytes != sizeof shares / sizeof *shares * RATIONAL_BYTES || value.count != 3)
        return false;
    for (size_t i = 0; i < 3; i++) {
        const size_t at = value.offset + i * RATIONAL_BYTES;
        const double above = img_exif_long(exif->data, &exif->gps, at);
        const double below = img_exif_long(exif->data, &exif->gps, at + 4);
        if (below == 0 && above != 0)
            return false;
        sum += below > 0 ? above / below / shares[i] : 0;
    }
    const bool is_negative =
        img_exif_value(exif->data, exif->size, &exif->gps, reference_tag, &reference) &&
        (exif->data[reference.offset] == 'S' || exif->data[reference.offset] == 'W');
    *degrees = is_negative ? -sum : sum;
    return sum <= 360;
}

/* Returns true if the EXIF data has a GPS entry. Sets `*gps` if a place can be read from the
 * entry. */
static bool read_exif(uint8_t *bytes, size_t size, ImgGps *gps)
{
    Exif exif;
    if (!open_exif(bytes, size, &exif) || img_exif_entry(exif.data, &exif.main, TAG_GPS) == 0)
        return false;
    gps->has_place = find_gps(&exif) && read_angle(&exif, LATITUDE, LATITUDE_REF, &gps->latitude) &&
                     read_angle(&exif, LONGITUDE, LONGITUDE_REF, &gps->longitude);
    return true;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* The result of searching a chunk for the place where the picture was taken. UNREADABLE: the chunk
 * cannot be searched. */
typedef enum Finding { NO_PLACE, HAS_PLACE, UNREADABLE } Finding;

static bool names_gps(const uint8_t *bytes, size_t size)
{
    return memmem(bytes, size, "GPS", 3) != NULL;
}

static Finding search_profile(const ImgTextBytes *bytes, ImgGps *gps)
{
    ImgRawProfile profile = {NULL, 0};
    Finding finding = UNREADABLE;
    if (img_raw_profile_decode(bytes->data, bytes->size, IMG_EXIF_TEXT_MOST, &profile, NULL) ==
        IMG_OK)
        finding = img_exif_is(profile.data, profile.size)
                      ? (read_exif(profile.data, profile.size, gps) ? HAS_PLACE : NO_PLACE)
                      : (names_gps(profile.data, profile.size) ? HAS_PLACE : NO_PLACE);
    free(profile.data);
    return finding;
}

static bool is_raw_profile(const char *keyword)
{
    return img_raw_profile_is_exif(keyword) || strcmp(keyword, "Raw profile type xmp") == 0;
}

static Finding search_text(const ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                           ImgGps *gps)
{
    ImgTextBytes bytes;
    const bool is_profile = is_raw_profile(text->keyword);
    if (!is_profile && strcmp(text->keyword, "XML:com.adobe.xmp") != 0)
        return strstr(text->keyword, "GPS") != NULL ? HAS_PLACE : NO_PLACE;
    if (img_text_read(chunk, text, budget, &bytes, NULL) != IMG_OK || bytes.data == NULL)
        return UNREADABLE;
    const Finding finding = is_profile ? search_profile(&bytes, gps)
                                       : (names_gps(bytes.data, bytes.size) ? HAS_PLACE : NO_PLACE);
    free(bytes.inflated);
    return finding;
}

bool img_gps_find(const ImgMetadata *metadata, ImgGps *gps)
{
    ImgTextBudget budget = {IMG_EXIF_TEXT_MOST, IMG_EXIF_TEXT_MOST};
    bool found = false;
    *gps = (ImgGps){.has_place = false};
    for (size_t i = 0; i < metadata->count && !gps->has_place; i++) {
        const ImgChunk *chunk = &metadata->chunks[i];
        ImgText text;
        if (strcmp(chunk->type, "eXIf") == 0)
            found |= read_exif(chunk->data, chunk->size, gps);
        else if (img_text_parse(chunk, &text))
            found |= search_text(chunk, &text, &budget, gps) == HAS_PLACE;
    }
    return found;
}

/* Removes the place where the picture was taken from a text chunk. Sets `*stays` to false if the
 * caller must remove the whole chunk, because the text cannot be searched or the place cannot be
 * removed from it. */
static ImgStatus drop_from_text(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                bool *stays, ImgError *err)
{
    ImgGps gps;
    const Finding finding = search_text(chunk, text, budget, &gps);
    *stays = finding == NO_PLACE;
    if (finding != HAS_PLACE || !img_raw_profile_is_exif(text->keyword))
        return IMG_OK;
    const ImgStatus status = img_text_edit_profile(chunk, text, budget, drop_from_exif, NULL, err);
    if (status != IMG_OK) {
        img_error_clear(err);
        return status == IMG_E_MEMORY ? img_fail(err, status, "no memory for metadata") : IMG_OK;
    }
    *stays = search_text(chunk, text, budget, &gps) == NO_PLACE;
    return IMG_OK;
}

ImgStatus img_gps_drop(ImgMetadata *metadata, ImgError *err)
{
    ImgTextBudget budget = {IMG_EXIF_TEXT_MOST, IMG_EXIF_TEXT_MOST};
    ImgStatus status = IMG_OK;
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        ImgText text;
        bool stays = true;
        ImgGps gps;
        metadata->chunks[i].data = NULL;
        if (strcmp(chunk.type, "eXIf") == 0) {
            (void)drop_from_exif(chunk.data, chunk.size, NULL);
            Exif exif;
            stays = open_exif(chunk.data, chunk.size, &exif) &&
                    !read_exif(chunk.data, chunk.size, &gps);
        } else if (status == IMG_OK && img_text_parse(&chunk, &text)) {
            status = drop_from_text(&chunk, &text, &budget, &stays, err);
        }
        if (stays)
            metadata->chunks[kept++] = chunk;
        else
            free(chunk.data);
    }
    metadata->count = kept;
    return status;
}
