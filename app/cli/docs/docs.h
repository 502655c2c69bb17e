/* Help, reference, man page and completion, all printed from the tables: the operations
 * (kernels/op_list.h), the commands, the options and the exit codes. */
#ifndef IMGTOOL_APP_CLI_DOCS_DOCS_H
#define IMGTOOL_APP_CLI_DOCS_DOCS_H

#include <stdio.h>

#include "app/cli/command.h"
#include "app/cli/options.h"

/* `imgtool help`, `imgtool help rotate`, `imgtool help info` */
/* The list of commands and operations, and then the options that all operations share. */
void docs_summary(FILE *out);
void docs_overview(FILE *out);
void docs_operation(FILE *out, const ImgOp *op);
void docs_command(FILE *out, const Command *command);

/* The block between the markers of the README. */
void docs_markdown(FILE *out);

/* imgtool.1, in the man macros. */
void docs_man(FILE *out);

void docs_bash(FILE *out);
void docs_zsh(FILE *out);
void docs_fish(FILE *out);

/* --- Shared by the printers above ---------------------------------------------------------- */

typedef struct DocsExample {
    const char *command, *meaning; /* NULL ends the list */
} DocsExample;

extern const DocsExample docs_examples[];

extern const char docs_tagline[];
extern const char *const docs_paragraphs[]; /* ends with NULL */

/* "Colour and tone"; NULL for IMG_GROUP_NONE. */
const char *docs_group_title(ImgOpGroup group);

/* Returns the operations of a group, one per call, then NULL. Start with *next at 0. */
const ImgOp *docs_next_of_group(ImgOpGroup group, size_t *next);

/* The values that a parameter or an option takes, as words with spaces between; empty where they
 * cannot be listed. For an implementation `op` counts; NULL: any operation's. */
enum { DOCS_WORDS_SIZE = 1024 };
const char *docs_param_words(const ImgParam *param, char words[DOCS_WORDS_SIZE]);
const char *docs_option_words(const Option *option, const ImgOp *op, char words[DOCS_WORDS_SIZE]);

/* Prints what OPERAND_BENCH may be, as words: "lab files codec rotate ...". */
void docs_bench_words(FILE *out);

/* Prints the names of all operations, as words. */
void docs_operation_words(FILE *out);

/* Prints the choices of an operand, each after a space; '_', of an identifier, as '-'. */
void docs_choices(FILE *out, const Operand *operand);

/* "90"; "none" where there is none. */
const char *docs_param_default(const ImgParam *param);

/* "degrees, clockwise (default: 90)" */
enum { DOCS_HELP_SIZE = 512 };
const char *docs_param_help(const ImgParam *param, char text[DOCS_HELP_SIZE]);
/* `bits`: one of FOR_..., or FOR_ALL for the help of all of them in a row. Empty where the
 * option has no effect. */
const char *docs_option_help(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

/* The same without the default. */
const char *docs_option_meaning(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE]);

/* "--angle 90|180|270" */
const char *docs_param_heading(const ImgParam *param, char text[DOCS_HELP_SIZE]);

/* "alias of --only shrink": of one of img_param_flags. */
const char *docs_flag_help(const ImgParam *param, const ImgChoice *flag, char text[DOCS_HELP_SIZE]);

/* Prints `text`, each character of `special` with `escape` before it, newlines as spaces. */
void docs_escaped(FILE *out, const char *text, const char *special, char escape);

/* Prints `text` for the inside of single quotes in a POSIX shell or zsh, `special` escaped. */
void docs_in_quotes(FILE *out, const char *text, const char *special);

#endif
