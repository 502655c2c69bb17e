/* Help, reference, man page and completion scripts. All are printed from tables: operations
 * (kernels/op_list.h), commands, options and exit codes. */
#ifndef IMGTOOL_APP_CLI_DOCS_DOCS_H
#define IMGTOOL_APP_CLI_DOCS_DOCS_H

#include <stdio.h>

#include "app/cli/command.h"
#include "app/cli/options.h"

/* Print help: docs_summary lists operations and commands; docs_overview adds the options that all
 * operations share, examples and exit codes; the others describe one operation or command. */
void docs_summary(FILE *out);
void docs_overview(FILE *out);
void docs_operation(FILE *out, const ImgOp *op);
void docs_command(FILE *out, const Command *command);

/* Prints app/cli/docs/REFERENCE.md. */
void docs_markdown(FILE *out);

/* Prints imgtool.1 in the macros of man(7). */
void docs_man(FILE *out);

void docs_bash(FILE *out);
void docs_zsh(FILE *out);
void docs_fish(FILE *out);

/* Shared by the printers above. */

typedef struct DocsExample {
    const char *command, *meaning; /* NULL ends the list */
} DocsExample;

extern const DocsExample docs_examples[];

extern const char docs_tagline[];
extern const char *const docs_paragraphs[]; /* ends with NULL */

/* Returns the title of a group, such as "Colour and tone"; NULL for IMG_GROUP_NONE. */
const char *docs_group_title(ImgOpGroup group);

/* Returns the operations of a group, one per call, then NULL. Start with *next at 0. */
const ImgOp *docs_next_of_group(ImgOpGroup group, size_t *next);

/* Print the values of a parameter or an option, separated by spaces; empty if they cannot be
 * listed. For --impl these are the implementations of `op`, or of all operations if it is NULL. */
enum { DOCS_WORDS_SIZE = 1024 };
const char *docs_param_words(const ImgParam *param, char words[DOCS_WORDS_SIZE]);
const char *docs_option_words(const Option *option, const ImgOp *op, char words[DOCS_WORDS_SIZE]);

/* Prints the words that OPERAND_BENCH accepts: "lab files codec rotate ...". */
void docs_bench_words(FILE *out);

/* Prints the names of all operations, separated by spaces. */
void docs_operation_words(FILE *out);

/* Prints the choices of an operand, each after a space. '_' is printed as '-', because experiments
 * are C identifiers. */
void docs_choices(FILE *out, const Operand *operand);

/* Returns the default as text, such as "90"; "required" or "none" if there is none. */
const char *docs_param_default(const ImgOp *op, const ImgParam *param);

/* Prints the help with the default: "degrees, clockwise (default: 90)". */
enum { DOCS_HELP_SIZE = 1024 };
const char *docs_param_help(const ImgOp *op, const ImgParam *param, char text[DOCS_HELP_SIZE]);
/* Prints the help with the default. `bits` is one FOR_... bit, or FOR_ALL for the help of all
 * commands in a row. Empty if the option has no effect. */
const char *docs_option_help(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

/* Like docs_option_help, without the default. */
const char *docs_option_meaning(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

/* Prints the heading of a parameter: "--angle -360..360". A range up to the largest integer is
 * printed as N. */
const char *docs_param_heading(const ImgParam *param, char text[DOCS_HELP_SIZE]);

/* Prints the help of a flag from img_param_flags: "alias of --only shrink". */
const char *docs_flag_help(const ImgParam *param, const ImgChoice *flag, char text[DOCS_HELP_SIZE]);

/* Prints `text` with `escape` before each character of `special`. One or two newlines
 * become a space. */
void docs_escaped(FILE *out, const char *text, const char *special, char escape);

/* Prints `text` for use inside single quotes in a POSIX shell or zsh, with `special` escaped. */
void docs_in_quotes(FILE *out, const char *text, const char *special);

#endif
