/* The table of all options except those of operations. Parsing, help, man page and completion use
 * it. The options of operations are in the table of operations (kernels/core/op.h). */
#ifndef IMGTOOL_APP_CLI_OPTIONS_H
#define IMGTOOL_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/engine/share/options.h"
#include "kernels/core/op.h"

enum {
    VERBOSITY_UNLESS_FAILED = -2, /* quiet, except that a batch that fails prints its summary */
    VERBOSITY_QUIET = ENGINE_SHOWS_NOTHING,
    VERBOSITY_NORMAL = ENGINE_SHOWS_NOTES,
    VERBOSITY_MORE = ENGINE_SHOWS_DETAILS,
};

enum { HELP_TEXT, HELP_MARKDOWN, HELP_MAN, HELP_JSON_SCHEMA };

/* Values of Settings.help: how much --help prints; 0 if --help was not given. */
enum { HELP_SHORT = 1, HELP_ALL };

/* Values of --via; 0 means that this process does the work itself. */
enum { VIA_SERVE = 1 };

/* The values of all options. settings_init sets the defaults. */
typedef struct Settings {
    EngineOptions engine;
    int32_t no_sandbox;
    int32_t luma; /* weights of luma: an ImgLuma */
    int32_t skip_transparent, recursive;
    const char *percentiles; /* list of percentiles as text; NULL: none */
    int32_t bins;            /* number of bins; 0: one bin per sample value */
    const char *plot;        /* file that the plot is written to, or NULL */
    int32_t log_scale;
    int32_t tolerance, amplify;
    int32_t overlap;       /* pixels that neighbouring tiles share */
    int32_t layout;        /* layout of tiles: TILE_LAYOUT_... */
    const char *tile_size; /* size of a tile, as in "256x256"; NULL: not given */
    uint64_t max_tiles;    /* largest allowed number of tiles per picture */
    /* Steps that tiles and montage apply to each picture first; NULL: none. */
    const char *steps;
    const char *cell_size; /* size of a cell of a contact sheet; NULL: default */
    int32_t columns;       /* columns of a contact sheet; 0: as many as make it nearly square */
    /* Pixels between and around the cells of a contact sheet; margin < 0: equal to spacing. */
    int32_t spacing, margin;
    const char *sheet_background; /* colour of a contact sheet; NULL: white */
    int32_t cell_fit;             /* how a picture fits its cell: CELL_FIT_... */
    int32_t gravity;              /* place of a picture in its cell: an ImgGravity */
    int32_t enlarge, skip_broken;
    const char *diff;            /* file that the picture of differences is written to, or NULL */
    const char *sizes, *formats; /* lists for bench; NULL: defaults */
    const char *image;           /* picture that bench uses; NULL: a generated one */
    const char *pipeline;        /* steps or "@FILE" that bench measures; NULL: default */
    const char *pipeline_file;   /* file that contains the steps, or NULL */
    const char *old_report;      /* report that bench compares with, or NULL */
    const char *loaded_report;   /* report that bench prints instead of measuring, or NULL */
    int32_t row_time;            /* milliseconds that each row of a benchmark may take */
    int32_t list, show, profile, small, markdown;
    int32_t output_format; /* an ImgFileFormat; -1: determined by the extension of the output */
    const char *from_file; /* file that lists the inputs, or NULL */
    /* Directory that relative names in the list refer to; NULL: the working directory. */
    const char *list_base;
    const char *name_pattern; /* pattern of the names of outputs; NULL: the names of the inputs */
    const char *report_file;  /* file that the report is written to, or NULL */
    const char *shard;        /* "I/N" or "auto"; NULL: the batch is not split */
    int32_t shards;           /* number of parts of the batch; 0: not given */
    int32_t balance;          /* how files are assigned to parts: BALANCE_... */
    const char *grace;        /* time to finish after SIGTERM, as text; NULL: default */
    /* Time without a heartbeat of a part, as text such as "60s", after which other parts take over
     * its files. NULL: no work stealing. */
    const char *steal;
    int32_t null_separated, in_place, dry_run, fail_fast, resume, newer, no_record, force;
    int32_t via;        /* VIA_SERVE: the server does the work; 0: this process does it */
    const char *socket; /* path of the server's socket; NULL: default */
    const char *idle;   /* an idle server ends after this time, as text; NULL: default */
    int32_t detach, stop, status;
    int32_t explain, json, csv, help_format;
    int32_t help, version;
    int32_t optimizes; /* the command is `batch optimize`; set by the command */
    uint64_t given[2]; /* one bit for each option that was given; see option_given */
} Settings;

typedef enum OptionType {
    /* The option has no value. If it is given, its field, an int32_t, is set to Option.number, or
     * to 1 if that is 0. */
    OPTION_FLAG,
    OPTION_INT,     /* integer, stored as int32_t */
    OPTION_DECIMAL, /* decimal number, stored as int32_t in thousandths */
    OPTION_CHOICE,  /* word from a list of choices, whose number is stored as int32_t */
    OPTION_COUNT,   /* number, parsed by img_amount_parse_count, stored as uint64_t */
    OPTION_BYTES,   /* size in bytes, parsed by img_amount_parse_bytes, stored as uint64_t */
    OPTION_IMPL,    /* name of an implementation, stored as a borrowed pointer */
    OPTION_TEXT,    /* text that the command parses, stored as a borrowed pointer */
    OPTION_FILE,    /* name of a file, stored as a borrowed pointer */
} OptionType;

typedef enum OptionGroup {
    GROUP_STEPS,
    GROUP_WHERE,
    GROUP_SERVE,
    GROUP_MANY,
    GROUP_BATCH,
    GROUP_SHARDS,
    GROUP_OUTPUT,
    GROUP_OPTIMIZE,
    GROUP_LIMITS,
    GROUP_MEASURE,
    GROUP_COMPARE,
    GROUP_BENCH,
    GROUP_RESULT,
    GROUP_TALK,
    GROUP_COUNT
} OptionGroup;

/* Values of --balance. */
enum { BALANCE_HASH, BALANCE_SIZE };

/* Values of --layout. */
enum { TILE_LAYOUT_GRID, TILE_LAYOUT_DZI };

/* Values of --fit. */
enum { CELL_FIT_INSIDE, CELL_FIT_COVER, CELL_FIT_FILL };

/* Commands, as bits. Each option has the set of commands that accept it. */
enum {
    FOR_OPERATION = 1, /* all operations, and the commands convert and thumbnail */
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
    FOR_OPTIMIZE = 32768,
    FOR_ALL = 65535,
};

/* Help or default of an option for some commands, if it differs from the general one. */
typedef struct OptionHelp {
    unsigned commands; /* FOR_... bits; 0 marks the end of the list */
    /* One line without a full stop; "": the option has no effect and is not listed. */
    const char *help;
} OptionHelp;

typedef struct Option {
    /* The tables in app/cli/tables/ set the first five members by position, and the others by
     * name. */
    const char *name; /* name of the option without its dashes; NULL marks the end of a table */
    OptionType type;
    OptionGroup group;
    unsigned commands; /* FOR_... bits of the commands that accept the option */
    size_t offset;     /* offset of the option's field in Settings */
    const char *also;  /* another name that is accepted but not listed, or NULL */
    char letter;       /* short form of the option, or '\0' */
    uint32_t given;    /* ENGINE_GIVEN_... bit that tells the engine that the option was given */
    int64_t number;    /* default value; of a flag: the value to store, where 0 means 1 */
    int32_t min, max;  /* range of OPTION_INT, or of OPTION_DECIMAL in thousandths */
    const ImgChoice *choices;
    const ImgChoice *synonyms; /* more words that are accepted but not listed, or NULL */
    /* Words for the completion of an OPTION_TEXT, separated by spaces, or NULL. */
    const char *words;
    /* Value if the option is given without one: `--strip` equals `--strip=all`. An argument after
     * the option then counts as its value only if it is one of `choices`, or if is_value accepts
     * it. NULL: a value is required, after '=' or as the next argument. */
    const char *bare;
    /* Returns whether the next argument is the value of the option. Used if `bare` is set and the
     * type is not OPTION_CHOICE; may be NULL. */
    bool (*is_value)(const char *next);
    const char *argument; /* placeholder for the value in help, for OPTION_TEXT and OPTION_FILE */
    /* The default in words, if `number` does not express it; "": none. */
    const char *default_text;
    const char *help;              /* text without a full stop at the end; "\n\n" separates lines */
    const OptionHelp *help_for;    /* help for some commands, which replaces `help`; or NULL */
    const OptionHelp *default_for; /* defaults in words for some commands, or NULL */
} Option;

/* Returns the option that follows `option`. NULL as argument gives the first option; NULL as result
 * means that `option` was the last one. The options are defined in app/cli/tables/. */
const Option *option_next(const Option *option);

/* Returns the title of a group, such as "Backend and device". */
const char *option_group_title(OptionGroup group);

/* Returns the option with this name, or NULL. If several options have the name, returns the one
 * that `commands` accept, or the first one if they accept none. */
const Option *option_find(const char *name, unsigned commands);
const Option *option_find_letter(char letter);

/* Sets all defaults. */
void settings_init(Settings *settings);

/* Returns whether the option was given on the command line. */
bool option_is_given(const Settings *settings, const Option *option);

/* Returns whether the option with this name was given, even if its value equals the default. */
bool option_given(const Settings *settings, const char *name);

/* Fails with IMG_E_USAGE if an option was given that is not in `names` (ended by NULL). The message
 * starts with `what`. Subcommands use it for options that they would otherwise ignore. */
ImgStatus options_check_only(const Settings *settings, const char *what, const char *const *names,
                             ImgError *err);

/* Parses a value and stores it in `settings`. `value` is NULL for a flag. Fails with IMG_E_USAGE;
 * the message names the option and the values that it accepts. */
ImgStatus option_set(const Option *option, Settings *settings, const char *value, ImgError *err);

enum { OPTION_TEXT_SIZE = 128 };

/* Writes the placeholder of the option's value, such as "auto|cpu|cuda", "0..9" or "SIZE". The text
 * is empty for a flag. */
const char *option_argument(const Option *option, char text[OPTION_TEXT_SIZE]);

/* Writes the default, such as "auto", "4" or "1G". The text is empty if there is no default.
 * `commands` is one FOR_... bit, or FOR_ALL for the general text. */
const char *option_default(const Option *option, unsigned commands, char text[OPTION_TEXT_SIZE]);

/* Returns the help of the option for one command (a FOR_... bit). Returns "" if the option has no
 * effect there. */
const char *option_help(const Option *option, unsigned command);

/* Writes the heading of the option in lists, such as "-v, --verbose" or " --level 0..9". */
const char *option_heading(const Option *option, char text[OPTION_TEXT_SIZE]);

#endif
