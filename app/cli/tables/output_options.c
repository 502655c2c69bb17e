/* Options of written files, and options that set limits. */
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
    {FOR_MONTAGE, "output format, whatever the file name says"},
    {FOR_BATCH, "output format; not with --in-place"},
    {0, NULL}};

static const OptionHelp default_of_format[] = {
    {FOR_MONTAGE, "by the name"},
    {FOR_BATCH, "by --name, else png"},
    {FOR_IMAGE, "by the name; png when the input is replaced"},
    {0, NULL}};

static const OptionHelp default_of_strip[] = {{FOR_OPERATION, "none; private for thumbnail"},
                                              {0, NULL}};

static const OptionHelp help_of_force[] = {
    {FOR_TILES, "read the still picture of an animated PNG, and drop the animation"},
    {FOR_BATCH, "with --in-place: read the still picture of an animated PNG and drop the "
                "animation; drop chunks with a wrong CRC"},
    {0, NULL}};

static const OptionHelp help_of_max_pixels[] = {
    {FOR_SERVE, "reject pictures with more pixels, even if a job allows them"}, {0, NULL}};

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
     .help = "output format, whatever the file name says; formats other than PNG replace an "
             "input only with --force",
     .help_for = help_of_format,
     .default_for = default_of_format},
    {.name = "level",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_BENCH | FOR_MANY,
     AT(level),
     .min = 0,
     .max = 9,
     .number = IMG_DEFAULT_LEVEL,
     .help = "PNG compression: 0 none, 1 fastest, 9 smallest. Above 4 it is far slower, and "
             "only a little smaller for photos. Sizes and times compared with level 1:\n\n"
             "photos: 1 to 2 % smaller at 4 in little more time, 3 % at 5 in 60 times, 4 % at "
             "9 in 500 times.\n\n"
             "smooth pictures: equal at 4, 6 % smaller at 5, 17 % at 9.\n\n"
             "screenshots: half the size at 4 in 4 times the time, another 13 % at 9 in 700 "
             "times.\n\n"
             "drawings: 18 % smaller at 4, 29 % at 9"},
    {.name = "quality",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(quality),
     .min = 1,
     .max = 100,
     .number = IMG_DEFAULT_QUALITY,
     .help = "JPEG quality; up to 90, colours have half the resolution (4:2:0)"},
    {.name = "strip",
     .type = OPTION_CHOICE,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(strip),
     .choices = strips,
     .number = IMG_KEEP_EVERYTHING,
     .bare = "all",
     .default_for = default_of_strip,
     .help = "drop metadata; --strip alone means all.\n\n"
             "private: drop EXIF (but not the orientation), GPS, XMP, text and dates; keep "
             "colour information and resolution.\n\n"
             "all: also drop colour information, orientation and resolution.\n\n"
             "gps: drop only the location, and XMP that contains it"},
    {.name = "dpi",
     .type = OPTION_DECIMAL,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH | FOR_MANY,
     AT(dpi),
     .min = IMG_MILLIDPI_LEAST,
     .max = IMG_MILLIDPI_MOST,
     .default_text = "that of the input",
     .help = "resolution in dots per inch, for PNG and EXIF. Without it, the resolution of the "
             "input is kept, even when the picture is scaled"},
    {.name = "no-index",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(no_index),
     .number = 1,
     .help = "do not add the chunks (maRK, blKS) that make a large PNG faster to decode with "
             "several threads or a GPU"},
    {.name = "preserve",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(preserve),
     .number = 1,
     .help = "copy times and permissions of the inputs and, where allowed, owner and "
             "attributes"},
    {.name = "backup",
     .type = OPTION_TEXT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE | FOR_BATCH,
     AT(backup),
     .bare = "~",
     .is_value = is_suffix,
     .argument = "SUFFIX",
     .help = "keep a replaced file under its name plus SUFFIX, '~' by default. --backup .bak "
             "equals --backup=.bak, unless a file .bak exists.\n\n"
             "If another file has the name of the backup, nothing is replaced, and it is an "
             "error"},
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
     .help = "read the still picture of an animated PNG, and drop the animation.\n\n"
             "When a file replaces itself: drop chunks with a wrong CRC, or write another "
             "--format.\n\n"
             "On a terminal: do not ask before OUTPUT is replaced where INPUT and OUTPUT are "
             "all files that *.png matches",
     .help_for = help_of_force},

    {.name = "max-pixels",
     .type = OPTION_COUNT,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_pixels),
     .number = 1000000000,
     .help = "reject pictures with more pixels; N may end in k, M or G",
     .help_for = help_of_max_pixels},
    {.name = "max-memory",
     .type = OPTION_BYTES,
     .group = GROUP_LIMITS,
     .commands =
         FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY,
     AT(max_memory),
     .default_text = "3/4 of the machine's memory; for several pictures, of what is free",
     .help = "reject work that needs more memory; SIZE may end in K, M or G",
     .help_for = help_of_max_memory},
    {.name = "no-sandbox",
     .type = OPTION_FLAG,
     .group = GROUP_LIMITS,
     .commands = FOR_IMAGE | FOR_INFO | FOR_MEASURE | FOR_COMPARE | FOR_MONTAGE,
     AT(no_sandbox),
     .number = 1,
     .help = "turn off the sandbox, which lets the process open only the files of the command "
             "while it reads pictures"},
    {.name = NULL},
};
