/* Tests that the help, the man page, the completion and the reference contain every operation,
 * option and command of the tables. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/plan.h"
#include "app/cli/docs/docs.h"
#include "app/cli/exit_code.h"
#include "app/text/text.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"

typedef void Printer(FILE *out);

static char *print(Printer *printer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    printer(out);
    fclose(out);
    return text;
}

static char *print_operation(const ImgOp *op)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    docs_operation(out, op);
    fclose(out);
    return text;
}

static void expect_in(const char *text, const char *what, const char *part)
{
    cr_expect(strstr(text, part) != NULL, "%s lacks '%s'", what, part);
}

/* Returns `name` as the tested text writes it. In a man page, where `option` starts with a
 * backslash, each dash of the name becomes "\-". */
static const char *spelt(const char *name, const char *option)
{
    static char text[64];
    size_t n = 0;
    for (; *name != '\0' && n < sizeof text - 2; name++) {
        if (*name == '-' && option[0] == '\\')
            text[n++] = '\\';
        text[n++] = *name;
    }
    text[n] = '\0';
    return text;
}

/* Expects that the printed text contains the names of all operations, options and commands.
 * `option` is the format of an option: "--%s", "\-\-%s" or "-l %s". */
static void expect_all(Printer *printer, const char *what, const char *option)
{
    char *text = print(printer), name[128];
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        expect_in(text, what, img_ops[i]->name);
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++) {
            snprintf(name, sizeof name, option, spelt(param->name, option));
            expect_in(text, what, name);
        }
    }
    for (const Command *command = commands; command->name != NULL; command++)
        expect_in(text, what, command->name);
    free(text);
}

Test(app_docs, documents_name_every_operation_parameter_and_command)
{
    expect_all(docs_markdown, "the Markdown reference", "--%s");
    expect_all(docs_man, "the man page", "\\-\\-%s");
    expect_all(docs_bash, "the completion for bash", "--%s");
    expect_all(docs_zsh, "the completion for zsh", "--%s");
    expect_all(docs_fish, "the completion for fish", "-l %s");
}

Test(app_docs, documents_name_every_option)
{
    char *markdown = print(docs_markdown), *bash = print(docs_bash), *fish = print(docs_fish);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        char name[64];
        snprintf(name, sizeof name, "--%s", option->name);
        expect_in(markdown, "the Markdown reference", name);
        expect_in(bash, "the completion for bash", name);
        snprintf(name, sizeof name, "-l %s", option->name);
        expect_in(fish, "the completion for fish", name);
    }
    free(markdown);
    free(bash);
    free(fish);
}

Test(app_docs, the_help_lists_each_operation_once_in_its_group)
{
    char *text = print(docs_summary);
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        const char *title = docs_group_title(img_ops[i]->group);
        cr_assert_not_null(title, "%s has no group", img_ops[i]->name);
        char entry[64];
        snprintf(entry, sizeof entry, "\n  %s ", img_ops[i]->name);
        const char *found = strstr(text, entry);
        cr_assert_not_null(found, "%s is not in the help", img_ops[i]->name);
        cr_expect_null(strstr(found + 1, entry), "%s is in the help twice", img_ops[i]->name);
        char heading[64];
        snprintf(heading, sizeof heading, "\n%s\n", title);
        const char *group = strstr(text, heading);
        cr_assert_not_null(group, "%s", title);
        const char *end = strstr(group + 1, "\n\n");
        cr_expect(group < found && found < end, "%s is not in '%s'", img_ops[i]->name, title);
    }
    free(text);
}

Test(app_docs, every_operation_has_help)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        char *text = print_operation(img_ops[i]);
        for (const ImgParam *param = img_ops[i]->params; param->name != NULL; param++) {
            char heading[DOCS_HELP_SIZE];
            expect_in(text, img_ops[i]->name, docs_param_heading(param, heading));
        }
        expect_in(text, img_ops[i]->name, img_ops[i]->example);
        free(text);
    }
}

Test(app_docs, help_fits_the_terminal)
{
    char *text = print(docs_overview);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        cr_expect(strlen(line) <= 100, "%s", line);
    free(text);
}

Test(app_docs, markdown_tables_have_equal_columns)
{
    char *text = print(docs_markdown);
    size_t columns = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        size_t bars = 0;
        for (char *at = line; *at != '\0'; at++)
            bars += *at == '|' && (at == line || at[-1] != '\\');
        if (strncmp(line, "| operation ", 12) == 0 || line[0] != '|' || columns == 0 ||
            strncmp(line, "| command ", 10) == 0 || strncmp(line, "| option ", 9) == 0 ||
            strncmp(line, "| code ", 7) == 0)
            columns = bars;
        cr_expect_eq(bars, columns, "%s", line);
    }
    free(text);
}

Test(app_docs, backend_choices_match_the_engine)
{
    for (const ImgChoice *choice = option_find("backend", FOR_ALL)->choices; choice->name != NULL;
         choice++)
        cr_expect_str_eq(choice->name, img_backend_name((ImgBackend)choice->value));
}

Test(app_docs, benchmark_formats_in_help_match_the_parser)
{
    char words[DOCS_WORDS_SIZE], known[DOCS_WORDS_SIZE] = "";
    for (const BenchFormat *format = bench_formats; format->name != NULL; format++) {
        strcat(known, known[0] != '\0' ? " " : "");
        strcat(known, format->name);
    }
    cr_expect_str_eq(docs_option_words(option_find("format", FOR_BENCH), NULL, words), known);
}

Test(app_docs, unprintable_text_is_replaced)
{
    static const uint8_t latin1[] = {'G', 'r', 0xFC, 0xDF, 'e'};
    char *utf8 = text_to_utf8(latin1, sizeof latin1);
    cr_expect_str_eq(utf8, "Gr\xC3\xBC\xC3\x9F"
                           "e");
    char *same = text_to_utf8((const uint8_t *)utf8, strlen(utf8));
    cr_expect_str_eq(same, utf8);
    free(utf8);
    free(same);
    static const char *const broken[] = {"\xC0\x80",         "\xE0\x80\x80", "\xED\xA0\x80",
                                         "\xF4\x90\x80\x80", "\xC3",         "\x80",
                                         "\xF8\x88\x80\x80"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        cr_expect_not(text_is_utf8((const uint8_t *)broken[i], strlen(broken[i])), "%zu", i);
    cr_expect(text_is_utf8((const uint8_t *)"\xF0\x9F\x98\x80", 4));
}

static void expect_clean(const char *text, const char *wanted)
{
    char *clean = NULL, copy[64];
    size_t size = 0;
    FILE *out = open_memstream(&clean, &size);
    text_clean(out, text);
    fclose(out);
    cr_expect_str_eq(clean, wanted);
    cr_expect_eq(text_copy_clean(copy, text), strlen(wanted));
    cr_expect_str_eq(copy, wanted);
    free(clean);
}

Test(app_docs, cleaned_text_has_no_cursor_or_direction_controls)
{
    expect_clean("", "");
    expect_clean("a\nb\x1B[31m\x7F\xC2\x9B-\xC3\xBC", "a?b?[31m?\?-\xC3\xBC");
    expect_clean("\x9B[2J\x85", "?[2J?"); /* C1 control characters as single bytes */
    expect_clean("\xE2\x9B[", "\xE2?[");  /* a truncated UTF-8 sequence */
    expect_clean("\xE2\x80\xAEgnp.exe\xE2\x81\xA6", "?gnp.exe?"); /* U+202E, U+2066 NOLINT */
    expect_clean("\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", "???"); /* U+200E, U+200F, U+061C NOLINT */
    expect_clean("\xE2\x80\xA8", "?");                       /* U+2028, LINE SEPARATOR */
    /* A Latin-1 letter stays unchanged, although it is not UTF-8. */
    expect_clean("caf\xE9", "caf\xE9");
    expect_clean("\xE6\xBC\xA2\xF0\x9F\x98\x80", "\xE6\xBC\xA2\xF0\x9F\x98\x80");
}

Test(app_docs, json_escapes_direction_controls)
{
    static const char *const cases[][2] = {
        {"{\n\t\"a\": \"\xC3\xA9\xE2\x82\xAC\"}", "{\n\t\"a\": \"\xC3\xA9\xE2\x82\xAC\"}"},
        {"\"\xC2\x9B\x7F\"", "\"\\u009b\\u007f\""},
        /* NOLINTNEXTLINE */
        {"\"\xE2\x80\xAE\xE2\x81\xA9\xD8\x9C\xE2\x80\x8F\"", "\"\\u202e\\u2069\\u061c\\u200f\""},
        {"\"\xFF\xE2\x80",
         /* Bytes that are not UTF-8 become U+FFFD, because JSON must be UTF-8. */
         "\"\\ufffd\\ufffd\\ufffd"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *escaped = text_escape_json(cases[i][0]);
        cr_expect_str_eq(escaped, cases[i][1]);
        free(escaped);
    }
}

Test(app_docs, names_that_are_not_utf8_are_printed)
{
    static const char *const cases[][3] = {
        {"", "", ""},
        {"a\xC3\xA9", "a\xC3\xA9", "61c3a9"},
        {"\xE9.png", "\xEF\xBF\xBD.png", "e92e706e67"},
        {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD", "e282"},
        {"\xC0\x80\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
         "c080eda080"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *marked = text_mark_bytes(cases[i][0]), *hex = text_to_hex(cases[i][0]);
        cr_expect_str_eq(marked, cases[i][1]);
        cr_expect_str_eq(hex, cases[i][2]);
        free(marked);
        free(hex);
    }
}
