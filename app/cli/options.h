/* The table of all options except those of operations. It drives parsing, help, man page and
 * completion. Options of operations are in the operation table (kernels/core/op.h). */
#ifndef IMGTOOL_APP_CLI_OPTIONS_H
#define IMGTOOL_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/op.h"

enum {
    VERBOSITY_UNLESS_FAILED = -2, /* quiet, but a batch that fails prints its summary */
    VERBOSITY_QUIET = -1,
    VERBOSITY_NORMAL = 0,
    VERBOSITY_MORE = 1,
};

enum { HELP_TEXT, HELP_MARKDOWN, HELP_MAN, HELP_JSON_SCHEMA };

/* Length of the text that --help prints; 0: no --help. */
enum { HELP_SHORT = 1, HELP_ALL };

/* Values of --via; 0: this process does the work. */
enum { VIA_SERVE = 1 };

/* Values of all options. settings_init sets the defaults. */
typedef struct Settings {
    int32_t backend; /* an ImgBackend */
    int32_t device;
    int32_t threads; /* 0: one per available CPU */
    const char *impl;
    int32_t level, quality, strip, no_index;
    int32_t dpi; /* thousandths of a dot per inch; 0: not given */
    uint64_t max_pixels;
    uint64_t max_memory; /* bytes; 0: three quarters of the memory */
    int32_t no_sandbox;
    int32_t luma; /* an ImgLuma */
    int32_t skip_transparent, recursive;
    const char *percentiles; /* NULL: none */
    int32_t bins;            /* 0: one bin per sample value */
    const char *plot;        /* file to draw to, or NULL */
    int32_t log_scale;
    int32_t tolerance, amplify;
    int32_t overlap;       /* of tiles, in pixels */
    int32_t layout;        /* of tiles: TILE_LAYOUT_... */
    const char *tile_size; /* NULL: not given */
    uint64_t max_tiles;    /* most tiles per picture */
    const char
        *steps; /* of tiles and montage: steps before the picture is cut or placed; NULL: none */
    const char *cell_size; /* of a contact sheet; NULL: default */
    int32_t columns;       /* of a contact sheet; 0: as many as make it nearly square */
    int32_t spacing,
        margin; /* of a contact sheet, in pixels; a negative margin equals the spacing */
    const char *sheet_background; /* colour; NULL: white */
    int32_t cell_fit;             /* CELL_FIT_... */
    int32_t gravity;              /* an ImgGravity */
    int32_t enlarge, skip_broken;
    const char *diff;            /* file for the picture of differences, or NULL */
    const char *sizes, *formats; /* lists; NULL: defaults */
    const char *image;           /* NULL: a generated picture */
    const char *pipeline;        /* of bench: steps or "@FILE"; NULL: default */
    const char *pipeline_file;   /* file of steps, or NULL */
    const char *old_report;      /* report to compare with, or NULL */
    const char *loaded_report;   /* report to print instead of measuring, or NULL */
    int32_t row_time;            /* time per row of a benchmark, in milliseconds */
    int32_t list, show, profile, small, markdown;
    int32_t jobs;             /* threads for all files together; 0: as `threads` */
    int32_t output_format;    /* an ImgFileFormat; -1: by the extension of the name */
    const char *from_file;    /* list of inputs, or NULL */
    const char *list_base;    /* directory that names in the list are relative to; NULL: the working
                                 directory */
    const char *name_pattern; /* pattern of output names; NULL: as the input */
    const char *report_file;  /* file for the report, or NULL */
    const char *shard;        /* "I/N" or "auto"; NULL: the batch has one part */
    int32_t shards;           /* number of parts; 0: not given */
    int32_t balance;          /* BALANCE_... */
    const char *grace;        /* time to finish after SIGTERM; NULL: default */
    const char
        *steal; /* silence after which the files of another part are taken over; NULL: never */
    int32_t null_separated, in_place, dry_run, fail_fast, resume, newer, no_record, force, preserve;
    int32_t no_clobber;
    const char *backup; /* suffix, or NULL */
    int32_t via;        /* VIA_SERVE, or 0 */
    bool only_files; /* not an option: reject pipes and devices (io/limits.h); set for a server and
                        a batch */
    const char *socket; /* NULL: default path */
    const char *idle;   /* NULL: default time */
    int32_t detach, stop, status;
    int32_t verbosity, explain, json, csv, help_format;
    int32_t help, version;
    uint64_t given[2]; /* one bit per option that was given; read with option_given */
} Settings;

typedef enum OptionType {
    OPTION_FLAG,    /* no value; giving it stores `number` as int32_t */
    OPTION_INT,     /* int32_t */
    OPTION_DECIMAL, /* int32_t, in thousandths */
    OPTION_CHOICE,  /* int32_t, value of the choice */
    OPTION_COUNT,   /* uint64_t, parsed by amount_parse_count */
    OPTION_BYTES,   /* uint64_t, parsed by amount_parse_bytes */
    OPTION_IMPL,    /* const char *, borrowed: name of an implementation */
    OPTION_TEXT,    /* const char *, borrowed: parsed where it is used */
    OPTION_FILE,    /* const char *, borrowed: name of a file */
} OptionType;

typedef enum OptionGroup {
    GROUP_STEPS,
    GROUP_WHERE,
    GROUP_SERVE,
    GROUP_MANY,
    GROUP_BATCH,
    GROUP_SHARDS,
    GROUP_OUTPUT,
    GROUP_LIMITS,
    GROUP_MEASURE,
    GROUP_COMPARE,
    GROUP_BENCH,
    GROUP_RESULT,
    GROUP_TALK,
    GROUP_COUNT
} OptionGroup;

/* The choices of --balance. */
enum { BALANCE_HASH, BALANCE_SIZE };

/* The choices of --layout. */
enum { TILE_LAYOUT_GRID, TILE_LAYOUT_DZI };

/* The choices of --fit. */
enum { CELL_FIT_INSIDE, CELL_FIT_COVER, CELL_FIT_FILL };

/* Commands, as bits; each option has a set of them. */
enum {
    FOR_OPERATION = 1, /* every operation, convert and thumbnail */
    FOR_INFO = 2,
    FOR_OPS = 4,
    FOR_DEVICES = 8,
    FOR_HELP = 16,
    FOR_COMPLETION = 32,
    FOR_STATS = 64,
    FOR_HISTOGRAM = 128,
    FOR_MEASURE = FOR_STATS | FOR_HISTOGRAM,
    FOR_COMPARE = 256,
    FOR_BENCH = 512,
    FOR_BATCH = 1024,
    FOR_SERVE = 2048,
    FOR_RUN = 4096,
    FOR_IMAGE = FOR_OPERATION | FOR_RUN,
    FOR_TILES = 8192,
    FOR_MONTAGE = 16384,
    FOR_MANY = FOR_TILES | FOR_MONTAGE,
    FOR_ALL = 32767,
};

/* Help of an option for some commands, if it differs from its general help. */
typedef struct OptionHelp {
    unsigned commands; /* FOR_...; 0 ends the list */
    const char *help;  /* one line without a full stop; "": no effect, and not listed */
} OptionHelp;

typedef struct Option {
    const char *name; /* NULL ends a table */
    const char *also; /* alias that is accepted but not listed, or NULL */
    char letter;      /* short form, or '\0' */
    OptionType type;
    OptionGroup group;
    unsigned commands; /* FOR_... of the commands that take it */
    size_t offset;     /* of the field in Settings */
    int64_t number;    /* the default; of a flag, the value that it stores */
    int32_t min, max;  /* of OPTION_INT; of OPTION_DECIMAL in thousandths */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* more words that are accepted but not listed, or NULL */
    const char *words; /* of OPTION_TEXT: words for completion, separated by spaces, or NULL */
    const char *bare; /* value if none follows: `--strip` equals `--strip=all`. The next argument is
                         then taken as the value only if it is a choice or is_value accepts it.
                         NULL: a value is required, after '=' or as the next argument */
    bool (*is_value)(
        const char *next); /* used with `bare` and types other than OPTION_CHOICE; or NULL */
    const char *argument;  /* of OPTION_TEXT and OPTION_FILE: placeholder for the value in help */
    const char *default_text;   /* default in words, if `number` does not express it; "": none */
    const char *help;           /* without a full stop at the end; "\n\n" separates lines */
    const OptionHelp *help_for; /* help for some commands instead of `help`, or NULL */
} Option;

/* Iterates over all options (app/cli/tables/). NULL gives the first one; after the last one comes
 * NULL. */
const Option *option_next(const Option *option);

/* Returns the title of a group, such as "Backend and device". */
const char *option_group_title(OptionGroup group);

/* Returns the option of that name, or NULL. If commands have different options of one name, the one
 * for `commands` is preferred, then the first. */
const Option *option_find(const char *name, unsigned commands);
const Option *option_find_letter(char letter);

/* Sets all defaults. */
void settings_init(Settings *settings);

/* Returns which metadata a result keeps, an ImgKeep: by --strip or, without it, less for the steps
 * of thumbnail than for others. */
int32_t settings_keep(const Settings *settings, const ImgStep *steps, size_t count);

/* Returns whether this entry of the table was given. */
bool option_is_given(const Settings *settings, const Option *option);

/* Returns whether the option of that name was given, even with its default value. */
bool option_given(const Settings *settings, const char *name);

/* Returns IMG_E_USAGE if an option was given that is not in `names` (ended by NULL). The message
 * starts with `what`. For subcommands that would otherwise ignore the option silently. */
ImgStatus options_check_only(const Settings *settings, const char *what, const char *const *names,
                             ImgError *err);

/* Parses and stores a value; NULL for a flag. IMG_E_USAGE names the option and what it accepts. */
ImgStatus option_set(const Option *option, Settings *settings, const char *value, ImgError *err);

enum { OPTION_TEXT_SIZE = 128 };

/* Prints the placeholder of the value: "auto|cpu|cuda", "0..9", "SIZE"; empty for a flag. */
const char *option_argument(const Option *option, char text[OPTION_TEXT_SIZE]);

/* Prints the default: "auto", "4", "1G"; empty if there is none. */
const char *option_default(const Option *option, char text[OPTION_TEXT_SIZE]);

/* Returns the help of the option for one command, a FOR_... bit; "": no effect there. */
const char *option_help(const Option *option, unsigned command);

/* Prints the heading in lists: "-v, --verbose", " --level 0..9". */
const char *option_heading(const Option *option, char text[OPTION_TEXT_SIZE]);

#endif
