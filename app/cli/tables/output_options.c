/* Options of written files, and limits. */
#include <string.h>
#include <unistd.h>

#include "app/cli/tables/option_tables.h"
#include "io/encode.h"
#include "io/metadata/metadata.h"
#include "io/metadata/resolution.h"

static const ImgChoice file_formats[] = {{"png", IMG_FILE_PNG},
                                         {"jpeg", IMG_FILE_JPEG},
                                         {"bmp", IMG_FILE_BMP},
                                         {"tga", IMG_FILE_TGA},
                                         {NULL, 0}};

static const ImgChoice file_format_synonyms[] = {{"jpg", IMG_FILE_JPEG}, {NULL, 0}};

static const ImgChoice strips[] = {{"all", IMG_KEEP_PIXELS},
                                   {"private", IMG_KEEP_SHOWN},
                                   {"gps", IMG_KEEP_NO_PLACE},
                                   {"none", IMG_KEEP_EVERYTHING},
                                   {NULL, 0}};

static const OptionHelp help_of_format[] = {
    {FOR_MONTAGE, "format of the output, regardless of its name"}, {0, NULL}};

static const OptionHelp help_of_force[] = {
    {FOR_TILES, "read the still picture of an animated PNG, and drop the animation"}, {0, NULL}};

static const OptionHelp help_of_max_pixels[] = {
    {FOR_SERVE, "reject larger pictures, even if a job allows them"}, {0, NULL}};

static const OptionHelp help_of_max_memory[] = {
    {FOR_SERVE, "memory for all jobs together; jobs that need more wait or are rejected"},
    {0, NULL}};

/* Returns whether `next` is a suffix such as ".bak", and not an existing file, which could be the
 * input. */
static bool is_suffix(const char *next)
{
    return next[0] == '.' && next[1] != '\0' && strpbrk(next + 1, "./") == NULL &&
           access(next, F_OK) != 0;
}

static const OptionHelp help_of_no_clobber[] = {
    {FOR_BATCH, "keep existing files: skip inputs whose output exists"}, {0, NULL}};

const Option options_of_output[] = {
    {.name = "format",
     .type = OPTION_CHOICE,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MONTAGE,
     AT(output_format),
     .choices = file_formats,
     .synonyms = file_format_synonyms,
     .number = -1,
     .default_text = "by the name; png for batch and when an input is replaced",
     .help = "format of the output, regardless of its name; formats other than PNG replace an "
             "input only with --force",
     .help_for = help_of_format},
    {.name = "level",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_BENCH | FOR_MANY,
     AT(level),
     .min = 0,
     .max = 9,
     .number = IMG_DEFAULT_LEVEL,
     .help = "PNG compression: 0 stored, 1 fastest, 9 smallest. Sizes and times beside level 1: "
             "photos are 1 to 2 % smaller at 4 in little more time; 3 % at 5 in 60 times; 4 % at 9 "
             "in 500 times. Smooth pictures: equal at 4, 6 % smaller at 5, 17 % at 9. Screenshots: "
             "half the size at 4 in 4 times the time, 13 % smaller still at 9 in 700 times. "
             "Drawings: 18 % smaller at 4, 29 % at 9"},
    {.name = "quality",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(quality),
     .min = 1,
     .max = 100,
     .number = IMG_DEFAULT_QUALITY,
     .help =
         "JPEG quality; up to 90 with half the colour resolution (4:2:0), above with the full one"},
    {.name = "strip",
     .type = OPTION_CHOICE,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(strip),
     .choices = strips,
     .number = IMG_KEEP_EVERYTHING,
     .bare = "all",
     .help = "drop metadata. private: EXIF with GPS, XMP, text and dates; colour information and "
             "orientation are kept. all: these and the resolution, too. gps: only the location, "
             "and XMP that contains it. --strip alone means all"},
    {.name = "dpi",
     .type = OPTION_DECIMAL,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(dpi),
     .min = IMG_MILLIDPI_LEAST,
     .max = IMG_MILLIDPI_MOST,
     .default_text = "that of the input",
     .help = "resolution in dots per inch, for PNG and EXIF; without it, scaling keeps both"},
    {.name = "no-index",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(no_index),
     .number = 1,
     .help = "leave out the chunks that let several threads (maRK) or a GPU (blKS) decode a large "
             "PNG faster"},
    {.name = "preserve",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(preserve),
     .number = 1,
     .help = "copy times and permissions of the inputs; owner and attributes where allowed"},
    {.name = "backup",
     .type = OPTION_TEXT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(backup),
     .bare = "~",
     .is_value = is_suffix,
     .argument = "SUFFIX",
     .help = "keep a replaced file under its name plus SUFFIX, '~' by default; an existing backup "
             "is never replaced; --backup .bak equals --backup=.bak"},
    {.name = "no-clobber",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY | FOR_COMPARE,
     AT(no_clobber),
     .number = 1,
     .help = "keep existing files: fail if the output exists",
     .help_for = help_of_no_clobber},
    {.name = "force",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_TILES,
     AT(force),
     .number = 1,
     .help = "read the still picture of an animated PNG, and drop the animation; when a file "
             "replaces itself, allow dropping chunks with a wrong CRC or writing another --format; "
             "on a terminal, replace OUTPUT without asking where INPUT and OUTPUT are all files "
             "that *.png matches",
     .help_for = help_of_force},

    {.name = "max-pixels",
     .type = OPTION_COUNT,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_pixels),
     .number = 1000000000,
     .help = "reject larger pictures; N may end in k, M or G",
     .help_for = help_of_max_pixels},
    {.name = "max-memory",
     .type = OPTION_BYTES,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_memory),
     .default_text = "3/4 of the memory",
     .help = "reject work that needs more memory; SIZE may end in K, M or G",
     .help_for = help_of_max_memory},
    {.name = "no-sandbox",
     .type = OPTION_FLAG,
     .group = GROUP_LIMITS,
     .commands = FOR_IMAGE | FOR_INFO | FOR_MEASURE | FOR_COMPARE | FOR_MONTAGE,
     AT(no_sandbox),
     .number = 1,
     .help = "run without the sandbox, which limits the process to the files of the command while "
             "it reads pictures"},
    {.name = NULL},
};
