/* Small pictures for samples and tests, and a PNG writer that puts any chunk anywhere. It shares no
 * code with imgtool's own writer, so that the two can be compared. */
#ifndef IMGTOOL_SAMPLES_PNG_FILE_H
#define IMGTOOL_SAMPLES_PNG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PNG's own numbers for colour types. */
enum { PNG_GRAY = 0, PNG_RGB = 2, PNG_PALETTE = 3, PNG_GRAY_ALPHA = 4, PNG_RGBA = 6 };

/* Every colour type and depth that PNG allows, with the name that the samples use. */
typedef struct PngKind {
    const char *name; /* for example "gray-1" */
    int color, depth;
} PngKind;

enum { PNG_KINDS = 15 };
extern const PngKind png_kinds[PNG_KINDS];

int png_channels(int color);

/* A picture of unpacked samples: row by row, channels interleaved, values from 0 to 2^depth - 1. */
typedef struct Picture {
    uint32_t width, height;
    int color, depth;
    bool interlaced;
    uint8_t palette[256][3];
    int palette_size;
    uint8_t trns[256]; /* tRNS as in the file */
    int trns_size;
    uint16_t *samples;
} Picture;

/* Makes a picture of zero samples. Ends the program if there is no memory. The caller frees
 * `samples`. */
Picture picture_make(uint32_t width, uint32_t height, int color, int depth);

uint16_t *picture_at(const Picture *picture, uint32_t x, uint32_t y);

typedef enum PngPlace { PLACE_BEFORE_PLTE, PLACE_BEFORE_IDAT, PLACE_AFTER_IDAT } PngPlace;

typedef struct PngExtra {
    char type[5];
    PngPlace place;
    const void *data;
    size_t size;
} PngExtra;

/* Writes the picture with the extra chunks in the given order. Ends the program with a message on
 * failure. */
void png_file_write(const char *path, const Picture *picture, const PngExtra *extras, size_t count);

#endif
