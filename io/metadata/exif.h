/* Private: reads the parts of EXIF that imgtool uses: directories, and the orientation (tag 274)
 * and resolution (tags 282, 283, 296) of the main image. EXIF 2.32, sections 4.5.4 and 4.6.4. Every
 * offset is checked against the size of the data. A field is an entry of a directory. */
#ifndef IMGTOOL_IO_METADATA_EXIF_H
#define IMGTOOL_IO_METADATA_EXIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgExifField {
    size_t offset; /* offset of the field's value in the data */
    size_t width;  /* size of the field's value in bytes: 2 or 4 */
    bool big_endian;
    uint32_t value;
} ImgExifField;

/* Returns true if the data begins with a TIFF header, or with "Exif\0\0" and a TIFF header. */
bool img_exif_is(const uint8_t *data, size_t size);

/* Finds the orientation. `data` starts with a TIFF header, or with "Exif\0\0" and a TIFF header.
 * Returns false if there is no orientation or the data is damaged. */
bool img_exif_orientation(const uint8_t *data, size_t size, ImgExifField *field);

/* Returns the number of bytes before the TIFF header: 6 for "Exif\0\0", otherwise 0. All offsets
 * below count from the TIFF header. */
size_t img_exif_prefix(const uint8_t *data, size_t size);

/* A directory: number of entries, entries, offset of the next directory. That offset may be missing
 * in the last directory. */
typedef struct ImgExifDirectory {
    /* Offset of the directory in the data; offset after its last field, the offset of the next
     * directory. */
    size_t first, end;
    size_t entries_end;
    size_t next; /* offset of the next directory; 0: none */
    bool big_endian;
} ImgExifDirectory;

/* Reads the directory at `offset`; 0 means the first directory. `data` starts with the TIFF header.
 * Returns false if the directory does not lie within the data. */
bool img_exif_directory(const uint8_t *data, size_t size, size_t offset,
                        ImgExifDirectory *directory);

/* Returns the offset of the first entry with tag `tag`; 0 if there is none. */
size_t img_exif_entry(const uint8_t *data, const ImgExifDirectory *directory, uint32_t tag);

/* The location of an entry's value, of any type. */
typedef struct ImgExifValue {
    size_t offset, bytes, count; /* offset in the data, total bytes, number of elements */
    bool is_inside;              /* true if the value is stored in the entry itself */
} ImgExifValue;

/* img_exif_value locates the value of the first entry with tag `tag`. It returns false if there is
 * no such entry, or its value does not lie within the data. img_exif_value_at locates the value of
 * entry number `index`. It returns false only past the last entry; a value outside the data then
 * has 0 bytes. */
bool img_exif_value(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                    uint32_t tag, ImgExifValue *value);
bool img_exif_value_at(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                       size_t index, ImgExifValue *value);

/* Reads a 4-byte number. The caller has checked that it lies within the data. */
uint32_t img_exif_long(const uint8_t *data, const ImgExifDirectory *directory, size_t offset);

/* The location of an entry's SHORT or LONG numbers. */
typedef struct ImgExifNumbers {
    size_t offset, width; /* offset of the first number in the data; bytes of each number, 2 or 4 */
    size_t count;         /* at least 1 */
    bool big_endian;
} ImgExifNumbers;

/* Locates the numbers of the first entry with tag `tag`. Returns false if there is no such entry,
 * or its numbers do not lie within the data. */
bool img_exif_numbers(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                      uint32_t tag, ImgExifNumbers *numbers);
uint32_t img_exif_number(const uint8_t *data, const ImgExifNumbers *numbers, size_t index);

/* Offsets of the main image's resolution in the data; 0 if a value is missing. */
typedef struct ImgExifResolution {
    size_t x, y; /* offset of a RATIONAL, two 4-byte numbers, outside the directory */
    size_t unit; /* offset of a SHORT: 2 is the inch (also the default), 3 the centimetre */
    bool big_endian;
} ImgExifResolution;

/* Finds the resolution. `data` starts with the TIFF header. Returns false if there is none. */
bool img_exif_resolution(const uint8_t *data, size_t size, ImgExifResolution *resolution);

/* Returns the smallest offset greater than `offset` at which a value or subdirectory of `directory`
 * begins; `size` if there is none. Used as the end of data whose own size is damaged. */
size_t img_exif_next(const uint8_t *data, size_t size, const ImgExifDirectory *directory,
                     size_t offset);

/* Returns byte number `index` of a field that has the value `value`, in the field's byte order. */
uint8_t img_exif_byte(const ImgExifField *field, uint32_t value, size_t index);

#endif
