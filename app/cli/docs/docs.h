/* Prints help, reference, man page and completion scripts. All texts come from tables: operations
 * (kernels/op_list.h), commands, options and exit codes. */
#ifndef IMGTOOL_APP_CLI_DOCS_DOCS_H
#define IMGTOOL_APP_CLI_DOCS_DOCS_H

#include <stdbool.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "app/cli/options.h"

/* Each of these functions prints help. docs_summary lists operations and commands. docs_overview
 * adds the options that all operations have, examples and exit codes. docs_operation and
 * docs_command describe a single operation or command. */
void docs_summary(FILE *out);
void docs_overview(FILE *out);
void docs_operation(FILE *out, const ImgOp *op);
void docs_command(FILE *out, const Command *command);

/* Prints the reference in Markdown. app/cli/docs/REFERENCE.md is its output. */
void docs_markdown(FILE *out);

/* Prints the man page imgtool.1 with the macros of man(7). */
void docs_man(FILE *out);

void docs_bash(FILE *out);
void docs_zsh(FILE *out);
void docs_fish(FILE *out);

/* An example in help. The declarations from here on are for the sources of help, reference, man
 * page and completion scripts. */

typedef struct DocsExample {
    /* A command line, and what it does; NULL marks the end of the list. */
    const char *command, *meaning;
} DocsExample;

extern const DocsExample docs_examples[];

extern const char docs_tagline[];
extern const char *const docs_paragraphs[]; /* paragraphs of general help; NULL marks the end */

/* Returns the title of a group of operations, such as "Colour and tone". Returns NULL for
 * IMG_GROUP_NONE. */
const char *docs_group_title(ImgOpGroup group);

/* Returns the next operation of the group, or NULL after the last one. *next must be 0 before the
 * first call. */
const ImgOp *docs_next_of_group(ImgOpGroup group, size_t *next);

enum { DOCS_WORDS_SIZE = 1024, DOCS_HELP_SIZE = 1024 }; /* sizes of texts, in bytes */
enum { DOCS_INDENT = 4 };

/* Writes the possible values of an option to `words`, separated by spaces, and returns `words`. The
 * text is empty if the values cannot be listed. The values of --impl are the implementations of
 * `op`; if `op` is NULL, the implementations of all operations. */
const char *docs_option_words(const Option *option, const ImgOp *op, char words[DOCS_WORDS_SIZE]);

/* An option in help and completions: a parameter of an operation, a flag that is an alias of one of
 * its values, or an option of commands. */
typedef struct DocsEntry {
    const char *name;
    char letter;                                      /* short form, or '\0' */
    enum { DOCS_SWITCH, DOCS_VALUE, DOCS_FILE } kind; /* what it takes: nothing, a value, a file */
    bool is_bare;                                     /* the value may be left out */
    char words[DOCS_WORDS_SIZE]; /* values of a DOCS_VALUE, if they can be listed; otherwise "" */
    /* Heading in lists, such as "-v, --verbose". Without a letter it begins with DOCS_INDENT
     * spaces. */
    char heading[DOCS_INDENT + DOCS_HELP_SIZE];
    char help[DOCS_HELP_SIZE]; /* help with the default */
} DocsEntry;

/* Sets *entry to number `index`, from 0, of the parameters and flags of `op`. Returns false after
 * the last one. If `op` is NULL, there are none. */
bool docs_param_entry(const ImgOp *op, size_t index, DocsEntry *entry);

/* Sets *entry to the option. `bits` is as in docs_option_help, `op` as in docs_option_words.
 * Returns false if the option has no effect. */
bool docs_option_entry(const Option *option, unsigned bits, const ImgOp *op, DocsEntry *entry);

/* An operation or a command, found by its name on the command line. */
typedef struct DocsTopic {
    const char *name, *synopsis;
    const ImgOp *params;    /* operation whose parameters are options, or NULL */
    const ImgOp *impls;     /* operation whose implementations --impl names, or NULL */
    const Command *command; /* defines all other options, and the operands */
} DocsTopic;

/* Sets *topic to number `index`, from 0, of all operations, then all commands. Returns false after
 * the last one. */
bool docs_topic(size_t index, DocsTopic *topic);

/* Prints the words that OPERAND_BENCH accepts: "lab files codec rotate ...". */
void docs_bench_words(FILE *out);

/* Prints the names of all operations, or of all operations and commands, separated by spaces. */
void docs_operation_words(FILE *out);
void docs_topic_words(FILE *out);

/* Prints the choices of an operand, each with a space before it. Names of experiments are C
 * identifiers, so '_' is printed as '-'. */
void docs_choices(FILE *out, const Operand *operand);

/* Returns the default of a parameter as text, such as "90". Returns "required" or "none" if it has
 * no default. */
const char *docs_param_default(const ImgOp *op, const ImgParam *param);

/* Writes the help of an option without its default. `bits` has the same meaning as in
 * docs_option_help. */
const char *docs_option_meaning(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

/* Writes the heading of a parameter, such as "--angle -360..360". An integer without an upper limit
 * gets N instead of a range: "--width N". */
const char *docs_param_heading(const ImgParam *param, char text[DOCS_HELP_SIZE]);

/* Writes the help of a flag (see img_param_flags), such as "alias of --only shrink". */
const char *docs_flag_help(const ImgParam *param, const ImgChoice *flag, char text[DOCS_HELP_SIZE]);

/* Prints `text` with the character `escape` before each character that is in `special`. One or two
 * newlines are printed as a space. */
void docs_escaped(FILE *out, const char *text, const char *special, char escape);

/* Prints `text` so that it can stand between single quotes in a POSIX shell or zsh. Characters in
 * `special` are escaped. */
void docs_in_quotes(FILE *out, const char *text, const char *special);

#endif
