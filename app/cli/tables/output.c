/* What is written, and the limits of work. */
#include <string.h>
#include <unistd.h>

#include "app/cli/tables/tables.h"
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
    {FOR_MONTAGE, "format to write, whatever the name of the output says"}, {0, NULL}};

static const OptionHelp help_of_force[] = {
    {FOR_TILES, "take the still picture of an animated PNG, and drop the animation"}, {0, NULL}};

static const OptionHelp help_of_max_pixels[] = {
    {FOR_SERVE, "refuse larger pictures, whatever a job allows"}, {0, NULL}};

static const OptionHelp help_of_max_memory[] = {
    {FOR_SERVE, "memory for all jobs together; what needs more waits, or is refused"}, {0, NULL}};

/* ".bak", where that is no file that may be meant as the input. */
static bool is_suffix(const char *next)
{
    return next[0] == '.' && next[1] != '\0' && strpbrk(next + 1, "./") == NULL &&
           access(next, F_OK) != 0;
}

static const OptionHelp help_of_no_clobber[] = {
    {FOR_BATCH, "replace no file: skip those whose output exists"}, {0, NULL}};

const Option options_of_output[] = {
    {.name = "format",
     .type = OPTION_CHOICE,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MONTAGE,
     AT(output_format),
     .choices = file_formats,
     .synonyms = file_format_synonyms,
     .number = -1,
     .default_text = "as the name says; of batch, and where an input is replaced, png",
     .help = "format to write, whatever the name of the output says; other than PNG it replaces no "
             "input without --force",
     .help_for = help_of_format},
    {.name = "level",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_BENCH | FOR_MANY,
     AT(level),
     .min = 0,
     .max = 9,
     .number = IMG_DEFAULT_LEVEL,
     .help =
         "PNG compression: 0 stored, 1 fastest, 9 smallest. Beside level 1: photos are 1 to 2 % "
         "smaller at level 4 in little more time, 3 % at 5 in 60 times, 4 % at 9 in 500 times; "
         "smooth pictures as large at 4, 6 % smaller at 5, 17 % at 9; screens are half as large "
         "at 4 in 4 times the time, and 13 % smaller still at 9 in 700 times; drawings 18 % "
         "smaller at 4, 29 % at 9"},
    {.name = "quality",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(quality),
     .min = 1,
     .max = 100,
     .number = IMG_DEFAULT_QUALITY,
     .help =
         "JPEG quality; up to 90, colours have half the resolution (4:2:0), above it the full one"},
    {.name = "strip",
     .type = OPTION_CHOICE,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(strip),
     .choices = strips,
     .number = IMG_KEEP_EVERYTHING,
     .bare = "all",
     .help =
         "drop metadata: private is EXIF with GPS, XMP, text and dates, but neither colours nor "
         "orientation; all are these too, and resolution; gps is where it was taken, and XMP that "
         "says so; --strip "
         "alone means all"},
    {.name = "dpi",
     .type = OPTION_DECIMAL,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(dpi),
     .min = IMG_MILLIDPI_LEAST,
     .max = IMG_MILLIDPI_MOST,
     .default_text = "as the input says",
     .help = "dots per inch: sets the resolution of PNG and what EXIF says of it; without it, both "
             "stay, also where the picture is scaled"},
    {.name = "no-index",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(no_index),
     .number = 1,
     .help = "leave out the chunks by which several threads (maRK) or a GPU (blKS) can decode a "
             "large PNG sooner"},
    {.name = "preserve",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(preserve),
     .number = 1,
     .help = "give outputs the times and permissions of their inputs; owner and attributes where "
             "allowed"},
    {.name = "backup",
     .type = OPTION_TEXT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(backup),
     .bare = "~",
     .is_value = is_suffix,
     .argument = "SUFFIX",
     .help =
         "keep a file that is replaced under its name with SUFFIX, by itself '~'; a backup that "
         "is there is never replaced; --backup .bak is --backup=.bak"},
    {.name = "no-clobber",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY | FOR_COMPARE,
     AT(no_clobber),
     .number = 1,
     .help = "replace no file: where the output exists, fail",
     .help_for = help_of_no_clobber},
    {.name = "force",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_TILES,
     AT(force),
     .number = 1,
     .help = "take the still picture of an animated PNG, and drop the animation; where a file is "
             "replaced by itself, drop chunks with a wrong CRC, or write it in the --format asked "
             "for; and do not ask, "
             "on a terminal, whether OUTPUT is meant where it and INPUT are all that *.png names",
     .help_for = help_of_force},

    {.name = "max-pixels",
     .type = OPTION_COUNT,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_pixels),
     .number = 1000000000,
     .help = "refuse larger pictures; N may end in k, M or G",
     .help_for = help_of_max_pixels},
    {.name = "max-memory",
     .type = OPTION_BYTES,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_memory),
     .default_text = "3/4 of what there is",
     .help = "refuse work that needs more memory; SIZE may end in K, M or G",
     .help_for = help_of_max_memory},
    {.name = "no-sandbox",
     .type = OPTION_FLAG,
     .group = GROUP_LIMITS,
     .commands = FOR_IMAGE | FOR_INFO | FOR_MEASURE | FOR_COMPARE | FOR_MONTAGE,
     AT(no_sandbox),
     .number = 1,
     .help = "keep all rights of the user while files are read; else only the command's own files "
             "can be "
             "used"},
    {.name = NULL},
};
