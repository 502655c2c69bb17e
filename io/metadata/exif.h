/* Private: what of EXIF matters here: the orientation (tag 274) and the resolution (tags 282, 283
 * and 296) of the main image, and where the directory of its thumbnail is. EXIF 2.32, sections
 * 4.5.4 and 4.6.4; every offset is checked against the data. */
#ifndef IMGTOOL_IO_METADATA_EXIF_H
#define IMGTOOL_IO_METADATA_EXIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgExifField {
    size_t offset; /* of the value in the data */
    size_t width;  /* 2 or 4 bytes */
    bool big_endian;
    uint32_t value;
} ImgExifField;

/* Whether the data begins with a TIFF header, or "Exif\0\0" and one. */
bool img_exif_is(const uint8_t *data, size_t size);

/* `data` is a TIFF header and what follows, with or without "Exif\0\0" before it. False where there
 * is no such field or the data is damaged. */
bool img_exif_orientation(const uint8_t *data, size_t size, ImgExifField *field);

/* The bytes of "Exif\0\0" before the TIFF header, which all offsets below count from: 6 or 0. */
size_t img_exif_prefix(const uint8_t *data, size_t size);

/* A directory of the data: its number of entries, its entries, the place of the next, which the
 * last one may lack. */
typedef struct ImgExifDirectory {
    size_t first, end; /* offsets; `end` past the place of the next, if there is one */
    size_t entries_end;
    size_t next; /* offset of the next directory; 0: there is none */
    bool big_endian;
} ImgExifDirectory;

/* That at `offset`, or where it is 0 the first one. `data` begins with the TIFF header. False where
 * it does not lie within the data. */
bool img_exif_directory(const uint8_t *data, size_t size, size_t offset,
                        ImgExifDirectory *directory);

/* The offset of the first entry with that tag; 0: there is none. */
size_t img_exif_entry(const uint8_t *data, const ImgExifDirectory *directory, uint32_t tag);

/* The value of an entry, of any type. */
typedef struct ImgExifValue {
    size_t offset, bytes, count; /* in the data, all of it */
    bool is_inside;              /* it stands in the entry itself */
} ImgExifValue;

/* Of the first entry with that tag, or of entry number `index`. False where there is none, or its
 * value does not lie within the data; of a number, past the last entry only: a value that is not
 * there has no bytes. */
bool img_exif_value(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                    uint32_t tag, ImgExifValue *value);
bool img_exif_value_at(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                       size_t index, ImgExifValue *value);

/* Four bytes of the data, which are there. */
uint32_t img_exif_long(const uint8_t *data, const ImgExifDirectory *directory, size_t offset);

/* The numbers that an entry holds, SHORT or LONG. */
typedef struct ImgExifNumbers {
    size_t offset, width; /* of the first one in the data, and of each: 2 or 4 bytes */
    size_t count;         /* at least 1 */
    bool big_endian;
} ImgExifNumbers;

/* False where there is no such entry, or its numbers do not lie within the data. */
bool img_exif_numbers(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                      uint32_t tag, ImgExifNumbers *numbers);
uint32_t img_exif_number(const uint8_t *data, const ImgExifNumbers *numbers, size_t index);

/* Offsets of the main image's resolution in the data; 0 where there is none. */
typedef struct ImgExifResolution {
    size_t x, y; /* each a RATIONAL, outside the directory: two numbers of four bytes */
    size_t unit; /* a SHORT: 2 is the inch, which is also meant where there is none; 3 is the cm */
    bool big_endian;
} ImgExifResolution;

/* `data` begins with the TIFF header. False where it says no resolution. */
bool img_exif_resolution(const uint8_t *data, size_t size, ImgExifResolution *resolution);

/* Where behind `offset` the first value begins, or the first directory of its own, that an entry of
 * `directory` refers to; else `size`. */
size_t img_exif_next(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                     size_t offset);

/* The byte number `index` of the field's value, if it were `value`. */
uint8_t img_exif_byte(const ImgExifField *field, uint32_t value, size_t index);

#endif
