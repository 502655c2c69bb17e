/* Options of written files, and options that set limits. */
#include <string.h>
#include <unistd.h>

#include "app/cli/tables/option_tables.h"
#include "io/encode.h"
#include "io/metadata/metadata.h"
#include "io/metadata/resolution.h"
#include "io/png/optimize/options.h"

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
    {FOR_MONTAGE, "output format, whatever the extension of OUTPUT"},
    {FOR_BATCH, "output format; not with --in-place"},
    {0, NULL}};

static const OptionHelp default_of_format[] = {
    {FOR_MONTAGE, "by the extension of OUTPUT"},
    {FOR_BATCH, "by the extension in --name, else png"},
    {FOR_IMAGE, "by the extension of OUTPUT; png if it is INPUT"},
    {0, NULL}};

static const OptionHelp default_of_strip[] = {
    {FOR_OPTIMIZE, "none"},
    {FOR_OPERATION, "none; private for thumbnail"},
    {FOR_IMAGE | FOR_BATCH, "none; private if thumbnail is a step"},
    {0, NULL}};

static const OptionHelp help_of_force[] = {
    {FOR_OPTIMIZE, "go on although data is lost: keep only the still picture of an animated PNG; "
                   "if OUTPUT is INPUT, drop chunks with a wrong CRC"},
    {FOR_TILES, "cut the still picture of an animated PNG"},
    {FOR_BATCH, "with --in-place: replace an animated PNG by its still picture, and drop chunks "
                "with a wrong CRC"},
    {0, NULL}};

static const OptionHelp help_of_max_pixels[] = {
    {FOR_SERVE, "reject pictures with more than N pixels, such as 80M or 1.5G, even if a job "
                "allows them"},
    {FOR_IMAGE, "reject pictures with more than N pixels, such as 80M or 1.5G"},
    {FOR_MEASURE | FOR_COMPARE,
     "reject pictures with more than N pixels, such as 80M or 1.5G; the default applies only to "
     "pictures that must be in memory as a whole, such as interlaced ones"},
    {0, NULL}};

static const OptionHelp default_of_max_pixels[] = {{FOR_IMAGE, "none"}, {0, NULL}};

static const OptionHelp help_of_dpi[] = {
    {FOR_MONTAGE, "store this resolution in the sheet, in dots per inch, such as 300; pixels stay "
                  "as they are"},
    {0, NULL}};

static const OptionHelp default_of_dpi[] = {{FOR_MONTAGE, "none"}, {0, NULL}};

static const OptionHelp default_of_max_memory[] = {
    {FOR_IMAGE | FOR_COMPARE | FOR_BENCH | FOR_OPTIMIZE, "3/4 of the machine's memory"},
    {FOR_BATCH | FOR_SERVE, "3/4 of the free memory"},
    {0, NULL}};

static const OptionHelp help_of_max_memory[] = {
    {FOR_IMAGE, "limit of memory, such as 500M or 2G. A larger picture is kept in unnamed "
                "temporary files, in TMPDIR if it is set, otherwise beside OUTPUT"},
    {FOR_BATCH, "limit of memory for all files together, such as 500M or 2G. A file waits until "
                "enough memory is free, and fails if it needs more than SIZE"},
    {FOR_SERVE, "limit of memory for all jobs together, such as 500M or 2G. A job waits until "
                "enough memory is free, and fails if it needs more than SIZE"},
    {0, NULL}};

/* Returns whether `next` is a suffix such as ".bak", and not an existing file, which could be the
 * input. */
static bool is_suffix(const char *next)
{
    return next[0] == '.' && next[1] != '\0' && strpbrk(next + 1, "./") == NULL &&
           access(next, F_OK) != 0;
}

static const OptionHelp help_of_no_clobber[] = {
    {FOR_BATCH, "never replace a file: skip inputs whose output exists"},
    {FOR_TILES, "never replace a file: a picture fails if one of its tiles exists"},
    {0, NULL}};

static const OptionHelp help_of_effort[] = {
    {FOR_BATCH, "for 'batch optimize': how much is tried, 1 the fastest, 9 the smallest"},
    {0, NULL}};

static const OptionHelp help_of_alpha[] = {
    {FOR_BATCH, "for 'batch optimize': clear the colours of fully transparent pixels"}, {0, NULL}};

static const OptionHelp help_of_keep_type[] = {
    {FOR_BATCH, "for 'batch optimize': keep colour type and bits per sample"}, {0, NULL}};

static const OptionHelp help_of_keep_alpha[] = {
    {FOR_BATCH, "for 'batch optimize': keep transparency even if all pixels are opaque"},
    {0, NULL}};

static const OptionHelp help_of_no_gray[] = {
    {FOR_BATCH, "for 'batch optimize': do not turn colours into gray"}, {0, NULL}};

const Option options_of_output[] = {
    {"format", OPTION_CHOICE, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_MONTAGE, AT(output_format),
     .choices = file_formats, .synonyms = file_format_synonyms, .number = -1,
     .default_text = "by the extension; png for batch and when an input is replaced",
     .help = "output format, whatever the extension of OUTPUT. If OUTPUT is INPUT, formats "
             "other than png need --force",
     .help_for = help_of_format, .default_for = default_of_format},
    {"level", OPTION_INT, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_BENCH | FOR_MANY,
     AT(engine.level), .given = ENGINE_GIVEN_LEVEL, .min = 0, .max = 9, .number = IMG_DEFAULT_LEVEL,
     .help = "PNG compression: 0 none, 1 fastest, 9 smallest. Compared with level 1, level 4 takes "
             "up to 4 times as long, and levels 5 to 9 take 60 to 700 times as long. Files are "
             "smaller than at level 1, with level 4 (level 9): photos by 2 % (4 %), screenshots "
             "by 50 % (56 %), drawings by 18 % (29 %), smooth pictures by 0 % (17 %)"},
    {"quality", OPTION_INT, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_MANY, AT(engine.quality),
     .given = ENGINE_GIVEN_QUALITY, .min = 1, .max = 100, .number = IMG_DEFAULT_QUALITY,
     .help = "JPEG quality; up to 90, colours have half the resolution (4:2:0); 100 is the best"},
    {"strip", OPTION_CHOICE, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_OPTIMIZE, AT(engine.strip),
     .given = ENGINE_GIVEN_STRIP, .choices = strips, .number = IMG_KEEP_EVERYTHING, .bare = "all",
     .default_for = default_of_strip,
     .help = "drop metadata; --strip alone means all.\n\n"
             "gps: drop only the location, and XMP that contains it.\n\n"
             "private: drop EXIF (but not the orientation), GPS, XMP, text and dates; keep "
             "colour profile, gamma and resolution.\n\n"
             "all: also drop colour profile, gamma, resolution and orientation, so that the "
             "picture may look different.\n\n"
             "none: drop nothing"},
    {"dpi", OPTION_DECIMAL, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_MANY | FOR_OPTIMIZE,
     AT(engine.dpi), .given = ENGINE_GIVEN_DPI, .min = IMG_MILLIDPI_LEAST, .max = IMG_MILLIDPI_MOST,
     .default_text = "that of the input", .help_for = help_of_dpi, .default_for = default_of_dpi,
     .help = "store this resolution, in dots per inch, such as 300; pixels stay as they are. "
             "Without it, the resolution of the input is kept, even when the picture is scaled"},
    {"no-index", OPTION_FLAG, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH, AT(engine.no_index),
     .help = "do not write the index (chunks maRK and blKS). With the index, several threads or a "
             "GPU decode a large PNG faster"},
    {"preserve", OPTION_FLAG, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_OPTIMIZE,
     AT(engine.preserve),
     .help = "give outputs the times and permissions of their inputs and, where allowed, owner "
             "and extended attributes"},
    {"backup", OPTION_TEXT, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_OPTIMIZE, AT(engine.backup),
     .bare = "~", .is_value = is_suffix, .argument = "SUFFIX",
     .help = "keep a replaced file under its name plus SUFFIX: --backup=.bak keeps out.png as "
             "out.png.bak. --backup alone means '~'. Always write '=' before SUFFIX; '--backup "
             ".bak' works, too, unless a file is named .bak.\n\n"
             "Fails, and replaces nothing, if the backup already exists"},
    {"no-clobber", OPTION_FLAG, GROUP_OUTPUT,
     FOR_IMAGE | FOR_BATCH | FOR_MANY | FOR_COMPARE | FOR_OPTIMIZE, AT(engine.no_clobber),
     .help = "never replace a file: fail if the output exists", .help_for = help_of_no_clobber},
    {"force", OPTION_FLAG, GROUP_OUTPUT, FOR_IMAGE | FOR_BATCH | FOR_TILES | FOR_OPTIMIZE,
     AT(force),
     .help = "go on although data is lost:\n\n"
             "INPUT is an animated PNG: keep only its still picture.\n\n"
             "OUTPUT is INPUT: drop chunks with a wrong CRC, or write another --format.\n\n"
             "On a terminal: if the shell expanded *.png to exactly two files, replace the "
             "second one without asking",
     .help_for = help_of_force},

    {"effort", OPTION_INT, GROUP_OPTIMIZE, FOR_OPTIMIZE | FOR_BATCH, AT(engine.optimize.effort),
     .min = IMG_OPTIMIZE_LEAST, .max = IMG_OPTIMIZE_MOST, .number = IMG_OPTIMIZE_DEFAULT,
     .help_for = help_of_effort,
     .help = "how much is tried: 1 is the fastest, 9 the smallest. All efforts apply the same "
             "reductions; they differ in filters, orders of palettes and deflate"},
    {"alpha", OPTION_FLAG, GROUP_OPTIMIZE, FOR_OPTIMIZE | FOR_BATCH,
     AT(engine.optimize.clears_hidden), .help_for = help_of_alpha,
     .help = "also clear the colours of fully transparent pixels, which viewers do not show. Some "
             "programs need them, such as games whose textures are filtered"},
    {"keep-type", OPTION_FLAG, GROUP_OPTIMIZE, FOR_OPTIMIZE | FOR_BATCH,
     AT(engine.optimize.keeps_type), .help_for = help_of_keep_type,
     .help = "keep colour type and bits per sample"},
    {"keep-alpha", OPTION_FLAG, GROUP_OPTIMIZE, FOR_OPTIMIZE | FOR_BATCH,
     AT(engine.optimize.keeps_alpha), .help_for = help_of_keep_alpha,
     .help = "keep transparency even if all pixels are opaque, for programs that choose a texture "
             "format by the colour type"},
    {"no-gray", OPTION_FLAG, GROUP_OPTIMIZE, FOR_OPTIMIZE | FOR_BATCH,
     AT(engine.optimize.keeps_colour), .help_for = help_of_no_gray,
     .help = "do not turn colours into gray, which some programs show lighter"},

    {"max-pixels", OPTION_COUNT, GROUP_LIMITS,
     FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY |
         FOR_OPTIMIZE,
     AT(engine.max_pixels), .given = ENGINE_GIVEN_MAX_PIXELS, .number = 1000000000,
     .help = "reject pictures with more than N pixels, such as 500k, 80M or 1.5G",
     .help_for = help_of_max_pixels, .default_for = default_of_max_pixels},
    {"max-memory", OPTION_BYTES, GROUP_LIMITS,
     FOR_IMAGE | FOR_BATCH | FOR_MEASURE | FOR_COMPARE | FOR_BENCH | FOR_SERVE | FOR_MANY |
         FOR_OPTIMIZE,
     AT(engine.max_memory),
     .default_text = "3/4 of the machine's memory; for several pictures, of the free memory",
     .help = "reject work that needs more memory than SIZE, such as 500M or 2G",
     .help_for = help_of_max_memory, .default_for = default_of_max_memory},
    {"no-sandbox", OPTION_FLAG, GROUP_LIMITS,
     FOR_IMAGE | FOR_INFO | FOR_MEASURE | FOR_COMPARE | FOR_MONTAGE | FOR_OPTIMIZE, AT(no_sandbox),
     .help = "turn off the sandbox. It protects against malicious pictures: the process can "
             "open only the files of the command"},
    {.name = NULL},
};
