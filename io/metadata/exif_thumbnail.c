/* The second directory of EXIF is that of the thumbnail (EXIF 2.32, section 4.5.5): JPEG at the
 * place and of the size that two entries say, or TIFF, whose strips others list. */
#include "io/metadata/exif_thumbnail.h"

#include <string.h>

#include "io/metadata/exif.h"
#include "io/metadata/raw_profile.h"
#include "io/metadata/text_edit.h"

/* EXIF has at most 64 KiB where it comes from, in JPEG, and twice as many digits and ends of lines
 * as text; longer texts are left alone. */
enum { TEXT_MOST = 1 << 20 };

enum { TAG_STRIPS = 0x111, TAG_STRIP_SIZES = 0x117, TAG_JPEG = 0x201, TAG_JPEG_SIZE = 0x202 };

/* Of what begins at `first` and lies behind the first directory, `size` bytes or as far as the data
 * goes. */
static void clear(uint8_t *data, size_t size, const ImgExifDirectory *main, size_t first,
                  size_t count)
{
    if (first < main->end || first >= size)
        return;
    memset(data + first, 0, count < size - first ? count : size - first);
}

/* A thumbnail in one piece: each entry holds its number itself. */
static void clear_piece(uint8_t *data, size_t size, const ImgExifDirectory *main,
                        const ImgExifDirectory *second, uint32_t at, uint32_t bytes)
{
    uint32_t first = 0, count = 0;
    if (img_exif_number(data, second, at, &first) && img_exif_number(data, second, bytes, &count))
        clear(data, size, main, first, count);
}

static bool drop_from_exif(uint8_t *exif, size_t all)
{
    const size_t skip = img_exif_prefix(exif, all), size = all - skip;
    uint8_t *data = exif + skip;
    ImgExifDirectory main, second;
    if (!img_exif_directory(data, size, 0, &main) || main.next == 0)
        return false;
    if (img_exif_directory(data, size, main.next, &second) && second.first >= main.end) {
        clear_piece(data, size, &main, &second, TAG_JPEG, TAG_JPEG_SIZE);
        clear_piece(data, size, &main, &second, TAG_STRIPS, TAG_STRIP_SIZES);
        clear(data, size, &main, second.first, second.end - second.first);
    }
    memset(data + main.end - 4, 0, 4); /* the place of the next directory */
    return true;
}

ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgTextBudget budget = {TEXT_MOST, TEXT_MOST};
    for (size_t i = 0; i < metadata->count && status == IMG_OK; i++) {
        ImgChunk *chunk = &metadata->chunks[i];
        ImgText text;
        if (strcmp(chunk->type, "eXIf") == 0)
            (void)drop_from_exif(chunk->data, chunk->size);
        else if (img_text_parse(chunk, &text) && img_raw_profile_is_exif(text.keyword))
            status = img_text_edit_profile(chunk, &text, &budget, drop_from_exif, err);
        if (status == IMG_E_LIMIT) {
            status = IMG_OK;
            img_error_clear(err);
        }
    }
    return status;
}
