/* Prints help, reference, man page and completion scripts. All texts come from tables: operations
 * (kernels/op_list.h), commands, options and exit codes. */
#ifndef IMGTOOL_APP_CLI_DOCS_DOCS_H
#define IMGTOOL_APP_CLI_DOCS_DOCS_H

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

/* size of the texts of docs_param_words and docs_option_words, in bytes */
enum { DOCS_WORDS_SIZE = 1024 };

/* docs_param_words and docs_option_words write the possible values of a parameter or option to
 * `words`, separated by spaces, and return `words`. The text is empty if the values cannot be
 * listed. The values of --impl are the implementations of `op`; if `op` is NULL, the
 * implementations of all operations. */
const char *docs_param_words(const ImgParam *param, char words[DOCS_WORDS_SIZE]);
const char *docs_option_words(const Option *option, const ImgOp *op, char words[DOCS_WORDS_SIZE]);

/* Prints the words that OPERAND_BENCH accepts: "lab files codec rotate ...". */
void docs_bench_words(FILE *out);

/* Prints the names of all operations, separated by spaces. */
void docs_operation_words(FILE *out);

/* Prints the choices of an operand, each with a space before it. Names of experiments are C
 * identifiers, so '_' is printed as '-'. */
void docs_choices(FILE *out, const Operand *operand);

/* Returns the default of a parameter as text, such as "90". Returns "required" or "none" if it has
 * no default. */
const char *docs_param_default(const ImgOp *op, const ImgParam *param);

enum { DOCS_HELP_SIZE = 1024 }; /* size of a text of help, in bytes */

/* Writes the help of a parameter with its default, such as "degrees, clockwise (default: 90)".
 * Writes only the help if there is no default. */
const char *docs_param_help(const ImgOp *op, const ImgParam *param, char text[DOCS_HELP_SIZE]);
/* Writes the help of an option with its default. `bits` is one FOR_... bit, or FOR_ALL for text
 * that covers all commands. The text is empty if the option has no effect. */
const char *docs_option_help(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

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
