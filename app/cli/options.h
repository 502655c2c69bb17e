/* Options that are not an operation's own: one table that feeds parsing, help, manual and
 * completion. Options of operations come from the operation table instead. */
#ifndef IMGTOOL_APP_CLI_OPTIONS_H
#define IMGTOOL_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/op.h"

enum {
    VERBOSITY_UNLESS_FAILED =
        -2, /* quiet, but a batch that fails says at its end what it came to */
    VERBOSITY_QUIET = -1,
    VERBOSITY_NORMAL = 0,
    VERBOSITY_MORE = 1,
};

enum { HELP_TEXT, HELP_MARKDOWN, HELP_MAN, HELP_JSON_SCHEMA };

/* How much --help prints; 0: it was not given. */
enum { HELP_SHORT = 1, HELP_ALL };

/* Who does the work, if not this process. */
enum { VIA_SERVE = 1 };

/* What the options of a command line come to. Start with settings_init. */
typedef struct Settings {
    int32_t backend; /* an ImgBackend */
    int32_t device;
    int32_t threads; /* 0: as many as the machine lets us have */
    const char *impl;
    int32_t level, quality, strip, no_index;
    int32_t dpi; /* in thousandths; 0: not given */
    uint64_t max_pixels;
    uint64_t max_memory; /* 0: three quarters of the machine's */
    int32_t no_sandbox;
    int32_t luma; /* an ImgLuma */
    int32_t skip_transparent, recursive;
    const char *percentiles; /* NULL: none */
    int32_t bins;            /* 0: one per value */
    const char *plot;        /* NULL: none is drawn */
    int32_t log_scale;
    int32_t tolerance, amplify;
    int32_t overlap;         /* of tiles, in pixels */
    int32_t layout;          /* of tiles: a TILE_LAYOUT_... */
    const char *tile_size;   /* NULL: none was given */
    uint64_t max_tiles;      /* of a picture */
    const char *steps;       /* before tiles are cut, or pictures laid on a sheet; NULL: none */
    const char *cell_size;   /* of a sheet; NULL: the usual one */
    int32_t columns;         /* of a sheet; 0: as many as make it nearly square */
    int32_t spacing, margin; /* of a sheet, in pixels; a margin below 0: as the spacing */
    const char *sheet_background; /* NULL: white */
    int32_t cell_fit;             /* a CELL_FIT_... */
    int32_t gravity;              /* an ImgGravity */
    int32_t enlarge, skip_broken;
    const char *diff;            /* NULL: none is written */
    const char *sizes, *formats; /* lists; NULL: the usual ones */
    const char *image;           /* NULL: a made one */
    const char *pipeline;        /* of bench, as steps or "@FILE"; NULL: the usual one */
    const char *pipeline_file;   /* NULL: steps are an operand */
    const char *old_report;      /* NULL: nothing is compared */
    const char *loaded_report;   /* NULL: it is measured */
    int32_t row_time;            /* milliseconds */
    int32_t list, show, profile, small, markdown;
    int32_t jobs;             /* threads for all files together; 0: as for `threads` */
    int32_t output_format;    /* an ImgFileFormat, or -1: as the name says */
    const char *from_file;    /* NULL: no list */
    const char *list_base;    /* names of that list are below it; NULL: below the working one */
    const char *name_pattern; /* NULL: as the input */
    const char *report_file;  /* NULL: none is written */
    const char *shard;        /* I/N or auto; NULL: the batch is not shared */
    int32_t shards;           /* 0: not given */
    int32_t balance;          /* a BALANCE_... */
    const char *grace;        /* NULL: the usual time */
    const char *steal;        /* when who is silent is dead; NULL: nothing is taken over */
    int32_t null_separated, in_place, dry_run, fail_fast, resume, newer, no_record, force, preserve;
    int32_t no_clobber;
    const char *backup; /* suffix; NULL: none is made */
    int32_t via;        /* VIA_SERVE; 0: done here */
    bool only_files;    /* no option: a server and a batch refuse pipes and devices (io/limits.h) */
    const char *socket; /* NULL: the usual one */
    const char *idle;   /* NULL: the usual time */
    int32_t detach, stop, status;
    int32_t verbosity, explain, json, csv, help_format;
    int32_t help, version;
    uint64_t given[2]; /* a bit for each option that was on the command line: option_given */
} Settings;

typedef enum OptionType {
    OPTION_FLAG,    /* takes no value; stores `number` as int32_t */
    OPTION_INT,     /* int32_t */
    OPTION_DECIMAL, /* int32_t, thousandths of the number */
    OPTION_CHOICE,  /* int32_t, the value of the choice */
    OPTION_COUNT,   /* uint64_t, amount_parse_count */
    OPTION_BYTES,   /* uint64_t, amount_parse_bytes */
    OPTION_IMPL,    /* const char *, borrowed: the name of an implementation */
    OPTION_TEXT,    /* const char *, borrowed: its user parses it */
    OPTION_FILE,    /* const char *, borrowed: the name of a file */
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

/* Which commands an option is for. */
enum {
    FOR_OPERATION = 1, /* every operation, and `convert` */
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

/* What an option is for some commands, where it is something else than for others. */
typedef struct OptionHelp {
    unsigned commands; /* FOR_...; 0 ends the list */
    const char *help;  /* one line, no full stop; "": it has no effect, and is not advertised */
} OptionHelp;

typedef struct Option {
    const char *name; /* NULL ends a part of the table */
    const char *also; /* another name that is understood, but not advertised; or NULL */
    char letter;      /* '\0': no short form */
    OptionType type;
    OptionGroup group;
    unsigned commands; /* FOR_... */
    size_t offset;     /* in Settings */
    int64_t number;    /* the default; of a flag, what giving it stores */
    int32_t min, max;  /* of OPTION_INT, and in thousandths of OPTION_DECIMAL */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* other words, understood but not advertised; or NULL */
    const char *words; /* of OPTION_TEXT: what a list may hold, with spaces between; or NULL */
    const char *bare; /* the value where none follows: `--strip` is `--strip=all`. After a space one
                       * follows only if it is a choice, or is_value says so. NULL: a value must
                       * follow, in the same argument or the next */
    bool (*is_value)(
        const char *next);      /* with `bare`, of other types than OPTION_CHOICE; or NULL */
    const char *argument;       /* of OPTION_TEXT and OPTION_FILE: what stands for the value */
    const char *default_text;   /* where the number does not say it; "": there is none */
    const char *help;           /* one line, no full stop */
    const OptionHelp *help_for; /* instead of `help`, for some commands; or NULL */
} Option;

/* All options (app/cli/tables/), one after the other: NULL gives the first, and the last gives
 * NULL. */
const Option *option_next(const Option *option);

/* "Backend and device" */
const char *option_group_title(OptionGroup group);

/* The option of that name, or NULL. Where commands have different options of one name, that of the
 * commands whose bits are set, if there is one; else the first. */
const Option *option_find(const char *name, unsigned commands);
const Option *option_find_letter(char letter);

/* All defaults. */
void settings_init(Settings *settings);

/* Was this entry of the table given? */
bool option_is_given(const Settings *settings, const Option *option);

/* Was the option of that name given, be it with its default? */
bool option_given(const Settings *settings, const char *name);

/* IMG_E_USAGE, naming `what`, where an option was given that is not of `names`, whose end is NULL:
 * for what is done of a command that would pass it over in silence. */
ImgStatus options_check_only(const Settings *settings, const char *what, const char *const *names,
                             ImgError *err);

/* Stores a value; `value` is NULL for a flag. IMG_E_USAGE names the option and what is right. */
ImgStatus option_set(const Option *option, Settings *settings, const char *value, ImgError *err);

enum { OPTION_TEXT_SIZE = 128 };

/* "auto|cpu|cuda", "0..9", "SIZE"; empty for a flag. */
const char *option_argument(const Option *option, char text[OPTION_TEXT_SIZE]);

/* "auto", "4", "1G"; empty where there is none. */
const char *option_default(const Option *option, char text[OPTION_TEXT_SIZE]);

/* Its help in the words for that command, one of FOR_...; "": it has no effect there. */
const char *option_help(const Option *option, unsigned command);

/* "-v, --verbose", "    --level 0..9" */
const char *option_heading(const Option *option, char text[OPTION_TEXT_SIZE]);

#endif
