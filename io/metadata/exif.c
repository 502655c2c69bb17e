/* Reads TIFF directories. Reads only the entries that imgtool uses. */
#include "io/metadata/exif.h"

#include <string.h>

enum { TIFF_HEADER = 8, ENTRY_BYTES = 12, RATIONAL_BYTES = 8 };
enum { TYPE_SHORT = 3, TYPE_LONG = 4, TYPE_RATIONAL = 5 };
enum { TAG_ORIENTATION = 274, TAG_X_RESOLUTION = 282, TAG_Y_RESOLUTION, TAG_RESOLUTION_UNIT = 296 };

/* Tags of entries whose value is the offset of another directory (EXIF 2.32, section 4.6.3). */
enum { TAG_EXIF = 0x8769, TAG_GPS = 0x8825, TAG_INTEROPERABILITY = 0xA005 };

typedef struct Tiff {
    const uint8_t *data;
    size_t size;
    bool big_endian;
} Tiff;

/* Reads the number of `width` bytes at `offset`. The caller must have checked that the number lies
 * within the data. */
static uint32_t get(const Tiff *tiff, size_t offset, size_t width)
{
    uint32_t value = 0;
    for (size_t i = 0; i < width; i++) {
        size_t at = tiff->big_endian ? i : width - 1 - i;
        value = value << 8 | tiff->data[offset + at];
    }
    return value;
}

static bool read_header(Tiff *tiff)
{
    if (tiff->size < TIFF_HEADER)
        return false;
    if (memcmp(tiff->data, "II*\0", 4) == 0)
        tiff->big_endian = false;
    else if (memcmp(tiff->data, "MM\0*", 4) == 0)
        tiff->big_endian = true;
    else
        return false;
    return true;
}

static bool find_in_directory(const Tiff *tiff, size_t directory, ImgExifField *field)
{
    if (directory < TIFF_HEADER || directory > tiff->size || tiff->size - directory < 2)
        return false;
    size_t entries = get(tiff, directory, 2);
    for (size_t i = 0; i < entries; i++) {
        size_t entry = directory + 2 + i * ENTRY_BYTES;
        if (entry > tiff->size || tiff->size - entry < ENTRY_BYTES)
            return false;
        uint32_t type = get(tiff, entry + 2, 2);
        if (get(tiff, entry, 2) != TAG_ORIENTATION)
            continue;
        /* the standard requires SHORT, but some cameras write LONG */
        if ((type != TYPE_SHORT && type != TYPE_LONG) || get(tiff, entry + 4, 4) != 1)
            return false;
        field->offset = entry + 8;
        field->width = type == TYPE_SHORT ? 2 : 4;
        field->big_endian = tiff->big_endian;
        field->value = get(tiff, field->offset, field->width);
        return true;
    }
    return false;
}

size_t img_exif_prefix(const uint8_t *data, size_t size)
{
    static const char prefix[6] = {'E', 'x', 'i', 'f', '\0', '\0'};
    return size >= sizeof prefix && memcmp(data, prefix, sizeof prefix) == 0 ? sizeof prefix : 0;
}

bool img_exif_is(const uint8_t *data, size_t size)
{
    const size_t skip = img_exif_prefix(data, size);
    Tiff tiff = {data + skip, size - skip, false};
    return read_header(&tiff);
}

bool img_exif_directory(const uint8_t *data, size_t size, size_t offset,
                        ImgExifDirectory *directory)
{
    Tiff tiff = {data, size, false};
    if (!read_header(&tiff))
        return false;
    const size_t first = offset != 0 ? offset : get(&tiff, 4, 4);
    if (first < TIFF_HEADER || first > size || size - first < 2)
        return false;
    const size_t bytes = 2 + get(&tiff, first, 2) * ENTRY_BYTES, last = size - first;
    if (last < bytes)
        return false;
    const bool whole = last - bytes >= 4;
    *directory = (ImgExifDirectory){.first = first,
                                    .end = whole ? first + bytes + 4 : size,
                                    .entries_end = first + bytes,
                                    .next = whole ? get(&tiff, first + bytes, 4) : 0,
                                    .big_endian = tiff.big_endian};
    return true;
}

/* Locates the numbers of an entry. Returns false unless they are of type SHORT or LONG and lie
 * within the data. If the numbers have at most four bytes in all, bytes 8 to 11 of the entry
 * contain them. Otherwise these four bytes are the offset of the numbers. */
static bool find_numbers(const Tiff *tiff, size_t entry, ImgExifNumbers *numbers)
{
    const uint32_t type = get(tiff, entry + 2, 2);
    const size_t width = type == TYPE_SHORT ? 2 : 4, count = get(tiff, entry + 4, 4);
    const size_t offset = count <= 4 / width ? entry + 8 : get(tiff, entry + 8, 4);
    if ((type != TYPE_SHORT && type != TYPE_LONG) || count == 0 || offset > tiff->size ||
        (tiff->size - offset) / width < count)
        return false;
    *numbers = (ImgExifNumbers){offset, width, count, tiff->big_endian};
    return true;
}

bool img_exif_numbers(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                      uint32_t tag, ImgExifNumbers *numbers)
{
    const Tiff tiff = {data, size, directory->big_endian};
    for (size_t at = directory->first + 2; at + 4 < directory->end; at += ENTRY_BYTES)
        if (get(&tiff, at, 2) == tag && find_numbers(&tiff, at, numbers))
            return true;
    return false;
}

uint32_t img_exif_number(const uint8_t *data, const ImgExifNumbers *numbers, size_t index)
{
    const size_t offset = numbers->offset + index * numbers->width;
    const Tiff tiff = {data, offset + numbers->width, numbers->big_endian};
    return get(&tiff, offset, numbers->width);
}

/* Returns the offset of an entry's value if the value is exactly one RATIONAL. Returns 0 for any
 * other type or count, and if the value lies outside the data. Also returns 0 if the value overlaps
 * the directory, because changing the value would then damage the directory. */
static size_t rational_place(const Tiff *tiff, const ImgExifDirectory *directory, size_t entry)
{
    const size_t place = get(tiff, entry + 8, 4);
    if (get(tiff, entry + 2, 2) != TYPE_RATIONAL || get(tiff, entry + 4, 4) != 1 ||
        place < TIFF_HEADER || place > tiff->size || tiff->size - place < RATIONAL_BYTES ||
        (place < directory->end && place + RATIONAL_BYTES > directory->first))
        return 0;
    return place;
}

bool img_exif_resolution(const uint8_t *data, size_t size, ImgExifResolution *resolution)
{
    const Tiff tiff = {data, size, size > 0 && data[0] == 'M'};
    ImgExifDirectory directory;
    ImgExifNumbers unit;
    if (!img_exif_directory(data, size, 0, &directory))
        return false;
    *resolution = (ImgExifResolution){.big_endian = tiff.big_endian};
    for (size_t at = directory.first + 2; at + 4 < directory.end; at += ENTRY_BYTES) {
        const uint32_t tag = get(&tiff, at, 2);
        if (tag == TAG_X_RESOLUTION && resolution->x == 0)
            resolution->x = rational_place(&tiff, &directory, at);
        if (tag == TAG_Y_RESOLUTION && resolution->y == 0)
            resolution->y = rational_place(&tiff, &directory, at);
    }
    if (img_exif_numbers(data, size, &directory, TAG_RESOLUTION_UNIT, &unit) && unit.width == 2 &&
        unit.count == 1)
        resolution->unit = unit.offset;
    return resolution->x != 0 || resolution->y != 0;
}

/* Returns the size in bytes of one element of type `type`, or 0 for an unknown type. */
static uint64_t width_of(uint32_t type)
{
    static const uint8_t widths[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    return type < sizeof widths ? widths[type] : 0;
}

static bool refers(const Tiff *tiff, size_t entry)
{
    const uint32_t tag = get(tiff, entry, 2), type = get(tiff, entry + 2, 2);
    return tag == TAG_EXIF || tag == TAG_GPS || tag == TAG_INTEROPERABILITY ||
           width_of(type) * get(tiff, entry + 4, 4) > 4;
}

size_t img_exif_entry(const uint8_t *data, const ImgExifDirectory *directory, uint32_t tag)
{
    const Tiff tiff = {data, directory->entries_end, directory->big_endian};
    for (size_t at = directory->first + 2; at < directory->entries_end; at += ENTRY_BYTES)
        if (get(&tiff, at, 2) == tag)
            return at;
    return 0;
}

/* Locates the value of an entry. The result has 0 bytes if the value does not lie within the
 * data. */
static ImgExifValue value_of(const Tiff *tiff, size_t entry)
{
    const uint64_t count = get(tiff, entry + 4, 4);
    const uint64_t bytes = width_of(get(tiff, entry + 2, 2)) * count;
    const bool is_inside = bytes <= 4;
    const size_t offset = is_inside ? entry + 8 : get(tiff, entry + 8, 4);
    if (offset > tiff->size || tiff->size - offset < bytes)
        return (ImgExifValue){.offset = 0};
    return (ImgExifValue){offset, (size_t)bytes, (size_t)count, is_inside};
}

bool img_exif_value(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                    uint32_t tag, ImgExifValue *value)
{
    const Tiff tiff = {data, size, directory->big_endian};
    const size_t entry = img_exif_entry(data, directory, tag);
    if (entry == 0)
        return false;
    *value = value_of(&tiff, entry);
    return value->bytes > 0;
}

bool img_exif_value_at(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                       size_t index, ImgExifValue *value)
{
    const Tiff tiff = {data, size, directory->big_endian};
    if (index >= (directory->entries_end - directory->first - 2) / ENTRY_BYTES)
        return false;
    *value = value_of(&tiff, directory->first + 2 + index * ENTRY_BYTES);
    return true;
}

uint32_t img_exif_long(const uint8_t *data, const ImgExifDirectory *directory, size_t offset)
{
    const Tiff tiff = {data, offset + 4, directory->big_endian};
    return get(&tiff, offset, 4);
}

size_t img_exif_next(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                     size_t offset)
{
    const Tiff tiff = {data, size, directory->big_endian};
    size_t next = size;
    for (size_t at = directory->first + 2; at + 4 < directory->end; at += ENTRY_BYTES) {
        const size_t place = refers(&tiff, at) ? get(&tiff, at + 8, 4) : size;
        if (place > offset && place < next)
            next = place;
    }
    return next;
}

bool img_exif_orientation(const uint8_t *data, size_t size, ImgExifField *field)
{
    const size_t skip = img_exif_prefix(data, size);
    Tiff tiff = {data + skip, size - skip, false};
    if (!read_header(&tiff) || !find_in_directory(&tiff, get(&tiff, 4, 4), field))
        return false;
    field->offset += skip;
    return true;
}

uint8_t img_exif_byte(const ImgExifField *field, uint32_t value, size_t index)
{
    size_t place = field->big_endian ? field->width - 1 - index : index;
    return (uint8_t)(value >> (8 * place));
}
