#include "app/bench/modes.h"

#include <string.h>

#include "app/bench/lab/lab.h"
#include "app/bench/plan.h"
#include "app/text/text.h"
#include "kernels/registry.h"

enum { COLUMN = 16, WORDS = 4096 };

/* Appends `word` to the text `words`, after `separator` if the text is not empty: "a" becomes "a,
 * b". */
static void append(char words[WORDS], const char *word, const char *separator)
{
    text_append(words, WORDS, "%s%s", words[0] != '\0' ? separator : "", word);
}

static void entry(FILE *out, const char *name, const char *words)
{
    text_entry(out, name, COLUMN, words);
}

void bench_list_ops(FILE *out)
{
    const ImgOp *op;
    char words[WORDS] = "";
    fputs("Operations and measurements with their implementations,\n"
          "per backend from slowest to fastest:\n",
          out);
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++) {
        words[0] = '\0';
        for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
            append(words, impl->name, ", ");
        entry(out, op->name, words);
    }
    words[0] = '\0';
    for (const BenchFormat *format = bench_formats; format->name != NULL; format++)
        append(words, format->name, ", ");
    fputs("\nFormats:\n", out);
    entry(out, "", words);
    fputs("\n'imgtool bench lab --list' lists the experiments.\n", out);
}

static void list_experiment(FILE *out, const LabExperiment *experiment)
{
    char words[WORDS] = "";
    for (const LabVariant *variant = experiment->variants; variant->name != NULL; variant++)
        append(words, variant->name, ", ");
    fprintf(out, "\n  %s: %s\n", experiment->name, experiment->title);
    text_entry(out, "  variants", COLUMN, words);
    words[0] = '\0';
    for (const LabCase *which = experiment->cases; which->name != NULL; which++)
        append(words, which->name, "; ");
    text_entry(out, "  cases", COLUMN, words);
}

static void print_help(FILE *out, const char *help)
{
    fputs("    ", out);
    text_wrap(out, 4, 4, help);
}

/* Lists the experiments that compare implementations of operations. If `only_named` is set, lists
 * those that 'lab all' leaves out; otherwise lists all others. If `help` is set, also prints their
 * explanations. */
static void list_ops(FILE *out, bool help, bool only_named)
{
    for (const LabOps *ops = lab_ops; ops->name != NULL; ops++) {
        char words[WORDS] = "";
        if (ops->only_named != only_named)
            continue;
        for (size_t i = 0; ops->steps[i] != NULL; i++)
            append(words, ops->steps[i], "; ");
        fprintf(out, "\n  %s: %s\n", ops->name, ops->title);
        text_entry(out, "  operations", COLUMN, words);
        if (help)
            print_help(out, ops->help);
    }
}

void bench_list_lab(FILE *out, bool help)
{
    fputs("Experiments for 'imgtool bench lab NAME'; 'all' runs all except the first.\n"
          "--show prints the kernels of one.\n",
          out);
    list_ops(out, help, true);
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        list_experiment(out, lab_experiments[i]);
        if (help)
            print_help(out, lab_experiments[i]->help);
    }
    list_ops(out, help, false);
    if (!help)
        fputs("\n-v explains them.\n", out);
}
