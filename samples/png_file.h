/* Small pictures for samples and tests, and a PNG writer that can write any chunk at any position.
 * The writer shares no code with imgtool's own writer, so that both can be compared. */
#ifndef IMGTOOL_SAMPLES_PNG_FILE_H
#define IMGTOOL_SAMPLES_PNG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers for colour types in the PNG specification. */
enum { PNG_GRAY = 0, PNG_RGB = 2, PNG_PALETTE = 3, PNG_GRAY_ALPHA = 4, PNG_RGBA = 6 };

/* A combination of colour type and depth that PNG allows, with its name in the samples. */
typedef struct PngKind {
    const char *name; /* the name of the kind, for example "gray-1" */
    int color, depth;
} PngKind;

enum { PNG_KINDS = 15 };
extern const PngKind png_kinds[PNG_KINDS];

int png_channels(int color);

/* A picture of unpacked samples. Samples are stored row by row, with interleaved channels and
 * values from 0 to 2^depth - 1. */
typedef struct Picture {
    uint32_t width, height;
    int color, depth;
    bool interlaced;
    uint8_t palette[256][3];
    int palette_size;
    uint8_t trns[256]; /* contents of the tRNS chunk, as in the file */
    int trns_size;
    uint16_t *samples;
} Picture;

/* Creates a picture whose samples are all zero. Ends the program if memory is short. The caller
 * must free `samples`. */
Picture picture_make(uint32_t width, uint32_t height, int color, int depth);

uint16_t *picture_at(const Picture *picture, uint32_t x, uint32_t y);

typedef enum PngPlace { PLACE_BEFORE_PLTE, PLACE_BEFORE_IDAT, PLACE_AFTER_IDAT } PngPlace;

typedef struct PngExtra {
    char type[5];
    PngPlace place;
    const void *data;
    size_t size;
} PngExtra;

/* Writes a picture, with the extra chunks in the given order, to the file `path`. On failure prints
 * a message and ends the program. */
void png_file_write(const char *path, const Picture *picture, const PngExtra *extras, size_t count);

#endif
