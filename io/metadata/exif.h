/* Private: reads the parts of EXIF (EXIF 2.32, sections 4.5.4 and 4.6.4) that imgtool uses. These
 * are the directories, and the orientation (tag 274) and resolution (tags 282, 283, 296) of the
 * main image. Every offset is checked against the size of the data. A field is an entry of a
 * directory. */
#ifndef IMGTOOL_IO_METADATA_EXIF_H
#define IMGTOOL_IO_METADATA_EXIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"

typedef struct ImgExifField {
    size_t offset; /* offset of the field's value in the data, in bytes */
    size_t width;  /* size of the field's value in bytes: 2 or 4 */
    bool big_endian;
    uint32_t value;
} ImgExifField;

/* Returns true if the data begins with a TIFF header, or with "Exif\0\0" and a TIFF header. */
bool img_exif_is(const uint8_t *data, size_t size);

/* Finds the orientation of the main image. `data` starts with a TIFF header, or with "Exif\0\0" and
 * a TIFF header. Returns false if there is no orientation or the data is damaged. */
bool img_exif_orientation(const uint8_t *data, size_t size, ImgExifField *field);

/* Returns the number of bytes before the TIFF header: 6 for "Exif\0\0", otherwise 0. All offsets in
 * the declarations below count from the TIFF header. */
size_t img_exif_prefix(const uint8_t *data, size_t size);

/* A directory of a TIFF file. It consists of the number of entries, the entries, and the offset of
 * the next directory. The last directory may end without this offset. */
typedef struct ImgExifDirectory {
    /* `first`: offset of the directory in the data. `end`: offset of the first byte after the
     * directory. */
    size_t first, end;
    /* Offset of the first byte after the last entry. */
    size_t entries_end;
    size_t next; /* offset of the next directory; 0: there is none */
    bool big_endian;
} ImgExifDirectory;

/* Reads the directory at `offset`, or the first directory if `offset` is 0. `data` starts with the
 * TIFF header. Returns false if the directory does not lie within the data. */
bool img_exif_directory(const uint8_t *data, size_t size, size_t offset,
                        ImgExifDirectory *directory);

/* Returns the offset of the first entry with tag `tag`, or 0 if there is no such entry. */
size_t img_exif_entry(const uint8_t *data, const ImgExifDirectory *directory, uint32_t tag);

/* The location of an entry's value. The value may have any type. */
typedef struct ImgExifValue {
    size_t offset, bytes, count; /* offset in the data, size in bytes, and number of elements */
    bool is_inside;              /* true if the value is stored in the entry itself */
} ImgExifValue;

/* img_exif_value locates the value of the first entry with tag `tag`. It returns false if there is
 * no such entry, or if its value does not lie within the data.
 *
 * img_exif_value_at locates the value of entry number `index`, counted from 0. It returns false
 * only if there is no such entry; a value outside the data has 0 bytes. */
bool img_exif_value(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                    uint32_t tag, ImgExifValue *value);
bool img_exif_value_at(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                       size_t index, ImgExifValue *value);

/* Reads the 4-byte number at `offset`. The caller must have checked that the number lies within the
 * data. */
uint32_t img_exif_long(const uint8_t *data, const ImgExifDirectory *directory, size_t offset);

/* The location of the numbers of an entry with type SHORT or LONG. */
typedef struct ImgExifNumbers {
    /* `offset`: offset of the first number in the data. `width`: bytes per number, 2 or 4. */
    size_t offset, width;
    size_t count; /* count of the numbers, at least 1 */
    bool big_endian;
} ImgExifNumbers;

/* Locates the numbers of the first entry with tag `tag`. Returns false if there is no such entry,
 * or if its numbers do not lie within the data. */
bool img_exif_numbers(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                      uint32_t tag, ImgExifNumbers *numbers);
uint32_t img_exif_number(const uint8_t *data, const ImgExifNumbers *numbers, size_t index);

/* Offsets of the main image's resolution in the data. An offset is 0 if its value is missing. */
typedef struct ImgExifResolution {
    /* Offsets of the two RATIONALs (each two 4-byte numbers), which lie outside the directory. */
    size_t x, y;
    size_t unit; /* offset of a SHORT: 2 means inch (also the default), 3 means centimetre */
    bool big_endian;
} ImgExifResolution;

/* Finds the resolution of the main image. `data` starts with the TIFF header. Returns false if
 * there is no resolution. */
bool img_exif_resolution(const uint8_t *data, size_t size, ImgExifResolution *resolution);

/* Returns the smallest offset greater than `offset` at which a value or subdirectory of `directory`
 * begins, or `size` if there is none. Callers use the result as the end of data whose stored size
 * is damaged. */
size_t img_exif_next(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                     size_t offset);

/* Returns byte number `index` of `value`, stored with the size and byte order of the field. */
uint8_t img_exif_byte(const ImgExifField *field, uint32_t value, size_t index);

/* --- The thumbnail ---------------------------------------------------------------------------- */

/* Removes the thumbnail that cameras store in EXIF, because it shows the picture before an
 * operation changed it. Removes it from the chunk eXIf and from raw profiles (EXIF as text,
 * io/metadata/text.h). Clears the reference to the thumbnail's directory and overwrites the
 * thumbnail with zeros. All other bytes stay. Damaged EXIF stays as it is.
 *
 * `must_hide` is true if the old thumbnail may show content that must not stay visible. A raw
 * profile that is too long to be decoded is then removed as a whole. If `must_hide` is false, such
 * a profile stays as it is. May fail with IMG_E_MEMORY. */
ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool must_hide, ImgError *err);

#endif
