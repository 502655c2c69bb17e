/* Removes the thumbnail. The second directory of EXIF describes the thumbnail (EXIF 2.32, section
 * 4.5.5). A JPEG thumbnail is one piece of data, with its offset and size in two entries. A TIFF
 * thumbnail may have several pieces (strips); two entries list their offsets and sizes. */

#include <stdlib.h>
#include <string.h>

#include "io/metadata/exif.h"
#include "io/metadata/text.h"

enum { TIFF_HEADER = 8 };
enum { TAG_STRIPS = 0x111, TAG_STRIP_SIZES = 0x117, TAG_JPEG = 0x201, TAG_JPEG_SIZE = 0x202 };

/* EXIF data after its prefix. The header and the first directory are never overwritten. */
typedef struct Exif {
    uint8_t *data;
    size_t size;
    ImgExifDirectory main;
    /* Number of bytes that may still be overwritten; at first the size of the data. This limits the
     * time if many pieces overlap. */
    size_t left;
    bool damaged; /* true if a piece with a damaged size was found */
} Exif;

/* Overwrites a piece of the thumbnail with zeros: `count` bytes from offset `first`. If the piece
 * would extend beyond the data, its size is damaged. The piece then ends at the next offset that
 * the first directory refers to. This search reads all entries of that directory. To limit the
 * time, only the first piece with a damaged size is overwritten. */
static void clear(Exif *exif, size_t first, size_t count)
{
    const ImgExifDirectory *main = &exif->main;
    if (first < TIFF_HEADER || first >= exif->size || (first >= main->first && first < main->end))
        return;
    const bool damaged = count > exif->size - first;
    if (damaged && exif->damaged)
        return;
    exif->damaged |= damaged;
    size_t end = !damaged ? first + count : img_exif_next(exif->data, exif->size, main, first);
    if (first < main->first && end > main->first)
        end = main->first;
    if (end - first > exif->left)
        end = first + exif->left;
    exif->left -= end - first;
    memset(exif->data + first, 0, end - first);
}

/* Overwrites a thumbnail of one or more pieces. The entry with the tag `at` lists the offsets of
 * the pieces, and the entry with the tag `bytes` their sizes. A missing size counts as damaged. */
static void clear_pieces(Exif *exif, const ImgExifDirectory *second, uint32_t at, uint32_t bytes)
{
    ImgExifNumbers places, sizes;
    if (!img_exif_numbers(exif->data, exif->size, second, at, &places))
        return;
    if (!img_exif_numbers(exif->data, exif->size, second, bytes, &sizes))
        sizes.count = 0;
    for (size_t i = 0; i < places.count && exif->left > 0; i++)
        clear(exif, img_exif_number(exif->data, &places, i),
              i < sizes.count ? img_exif_number(exif->data, &sizes, i) : SIZE_MAX);
}

/* Overwrites a directory and its thumbnail with zeros. Returns the offset of the next directory, or
 * 0 if there is none. */
static size_t drop_directory(Exif *exif, size_t place)
{
    const ImgExifDirectory *main = &exif->main;
    ImgExifDirectory dropped;
    if (!img_exif_directory(exif->data, exif->size, place, &dropped) ||
        dropped.first < TIFF_HEADER || (dropped.first < main->end && dropped.end > main->first))
        return 0;
    clear_pieces(exif, &dropped, TAG_JPEG, TAG_JPEG_SIZE);
    clear_pieces(exif, &dropped, TAG_STRIPS, TAG_STRIP_SIZES);
    memset(exif->data + dropped.first, 0, dropped.end - dropped.first);
    return dropped.next;
}

static bool drop_from_exif(uint8_t *bytes, size_t all, const void *context)
{
    (void)context;
    const size_t skip = img_exif_prefix(bytes, all);
    Exif exif = {.data = bytes + skip, .size = all - skip, .left = all - skip};
    if (!img_exif_directory(exif.data, exif.size, 0, &exif.main) || exif.main.next == 0)
        return false;
    /* Some programs store a larger picture in a further directory. The loop ends even if
     * directories form a cycle, because an overwritten directory has no next one. */
    for (size_t place = exif.main.next; place != 0;)
        place = drop_directory(&exif, place);
    memset(exif.data + exif.main.end - 4, 0, 4); /* clears the offset of the next directory */
    return true;
}

/* Removes the thumbnail from the EXIF data in a text chunk. Sets `*too_long` to true if the text is
 * too long to be decoded, so that a thumbnail may remain in it. */
static ImgStatus drop_from_text(ImgChunk *chunk, const ImgText *text, ImgTextBudget *budget,
                                bool *too_long, ImgError *err)
{
    const ImgStatus status = img_text_edit_profile(chunk, text, budget, drop_from_exif, NULL, err);
    *too_long = status == IMG_E_LIMIT;
    if (*too_long)
        img_error_clear(err);
    return *too_long ? IMG_OK : status;
}

ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool must_hide, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgTextBudget budget = {IMG_EXIF_TEXT_MOST, IMG_EXIF_TEXT_MOST};
    size_t kept = 0;
    for (size_t i = 0; i < metadata->count; i++) {
        ImgChunk chunk = metadata->chunks[i];
        ImgText text;
        bool too_long = false;
        metadata->chunks[i].data = NULL;
        if (strcmp(chunk.type, "eXIf") == 0)
            (void)drop_from_exif(chunk.data, chunk.size, NULL);
        else if (status == IMG_OK && img_text_parse(&chunk, &text) &&
                 img_raw_profile_is_exif(text.keyword))
            status = drop_from_text(&chunk, &text, &budget, &too_long, err);
        if (too_long && must_hide)
            free(chunk.data);
        else
            metadata->chunks[kept++] = chunk;
    }
    metadata->count = kept;
    return status;
}
