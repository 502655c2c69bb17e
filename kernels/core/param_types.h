/* Types of the parameters of operations: how a descriptor declares a parameter, and how its value
 * is stored. */
#ifndef IMGTOOL_KERNELS_CORE_PARAM_TYPES_H
#define IMGTOOL_KERNELS_CORE_PARAM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgParamType {
    IMG_PARAM_INT, /* integer; stored as int32_t */
    /* number with up to three decimal places; stored as int32_t, in thousandths */
    IMG_PARAM_DECIMAL,
    IMG_PARAM_CHOICE,  /* one of a list of words; stored as int32_t, the value of that ImgChoice */
    IMG_PARAM_COLOR,   /* colour such as "#ff0000", "red" or "transparent"; stored as ImgRgba */
    IMG_PARAM_NUMBERS, /* list of numbers such as "0.299,0.587,0.114"; stored as ImgNumbers */
    IMG_PARAM_SIZE,    /* size such as "800x600", "800", "x600" or "50%"; stored as ImgSize */
    IMG_PARAM_RATIO,   /* ratio such as "16:9"; stored as ImgRatio */
    IMG_PARAM_RANGE,   /* range such as "60-80", or only its end "80"; stored as ImgRange */
    IMG_PARAM_FILE,    /* path of a file such as "look.cube"; stored as ImgFile */
} ImgParamType;

/* A colour of 16 bits per component, with straight (not premultiplied) alpha. An 8-bit component v
 * is stored as v * 257. */
typedef struct ImgRgba {
    uint16_t red, green, blue, alpha;
} ImgRgba;

enum { IMG_NUMBERS_MAX = 25 };

typedef struct ImgNumbers {
    int32_t count;                   /* number of values; 0 only in a default */
    int32_t zero;                    /* explicit padding, because values are compared as bytes */
    int64_t values[IMG_NUMBERS_MAX]; /* the numbers, in millionths; unused ones are 0 */
} ImgNumbers;

/* A size from a user: either `share`, or `width`, `height` or both. */
typedef struct ImgSize {
    int32_t width, height; /* size in pixels; 0 if not given */
    /* fraction of the picture's width and height, in thousandths of a per cent; 0 if not given */
    int32_t share;
} ImgSize;

/* A ratio of a width to a height. */
typedef struct ImgRatio {
    /* the two sides of the ratio, in thousandths, at least 1; both are 0 if not given */
    int32_t width, height;
} ImgRatio;

/* A range of integers from a user. "80" is stored as the range from ImgParam.min to 80. */
typedef struct ImgRange {
    int32_t from, to;
    int32_t is_given; /* 0 only in a default, otherwise 1 */
} ImgRange;

enum { IMG_PATH_SIZE = 1024 };

/* A file that an operation reads. The code that runs the steps loads the file first and sets
 * `content` with img_params_set_content. Copies of the parameters share the content. */
typedef struct ImgFile {
    const void *content; /* borrowed result of ImgOp.file.read; NULL if not loaded yet */
    /* path as the user typed it, followed by zeros; "" only in a default */
    char path[IMG_PATH_SIZE];
} ImgFile;

/* The content (ImgFile.content) of a file that is a picture. Palettes and transparent colours have
 * been converted to colour and alpha channels. The pixels have no gaps between rows. */
typedef struct ImgPicture {
    ImgShape shape;
    uint8_t pixels[];
} ImgPicture;

typedef struct ImgChoice {
    const char *name; /* the word that a user types; NULL ends the list */
    int32_t value;
} ImgChoice;

typedef struct ImgParam {
    const char *name; /* name such as "angle", for --angle 90 and angle=90; NULL ends the list */
    ImgParamType type;
    /* true: when a step is written as text, the parameter is left out if it has its default value
     */
    bool is_detail;
    /* For IMG_PARAM_SIZE: true if ImgOp.shape rejects a percentage. Help and messages then offer
     * only pixels. */
    bool in_pixels;
    size_t offset; /* offset of the value in the parameter struct of the operation */
    /* default as a user would type it; for a list of numbers, a size, a ratio, a range or a file,
     * "" means that there is no default */
    const char *default_value;
    /* Smallest and largest value. Units: 1 for IMG_PARAM_INT, thousandths for IMG_PARAM_DECIMAL,
     * millionths for each number of IMG_PARAM_NUMBERS, pixels for each side of IMG_PARAM_SIZE, 1
     * for both ends of IMG_PARAM_RANGE. Not used for other types. */
    int64_t min, max;
    /* Words of IMG_PARAM_CHOICE. For IMG_PARAM_INT, IMG_PARAM_DECIMAL and IMG_PARAM_COLOR, words
     * that are accepted besides other values, or NULL. NULL for other types. A word for a colour
     * has a value from 1 to 256. The value is stored as red, with zeros for the other components.
     * No 8-bit colour is stored in that form: its red is 0 or at least 257. */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* further words that are accepted but not shown in help, or NULL */
    /* For IMG_PARAM_CHOICE: words that set a value without the parameter's name, or NULL. For
     * example, "only-shrink" stands for only=shrink. The name of the parameter itself may be a
     * flag, and may still be followed by a value. */
    const ImgChoice *flags;
    const char *help; /* description in one line, without a full stop */
} ImgParam;

/* Number of bytes that suffices for the parameters of any operation: a file, a palette and some
 * numbers. */
enum { IMG_PARAMS_SIZE = sizeof(ImgFile) + 4 * 256 + 128 };
/* Parameters of any operation, aligned for each of them. */
typedef union ImgParams {
    max_align_t align;
    unsigned char bytes[IMG_PARAMS_SIZE];
} ImgParams;

#ifdef __cplusplus
}
#endif
#endif
