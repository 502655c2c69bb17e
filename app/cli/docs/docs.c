#include "app/cli/docs/docs.h"

#include <stdbool.h>
#include <string.h>

#include "app/text/text.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

const char docs_tagline[] =
    "edit, filter, convert and measure PNG pictures on the CPU or a CUDA GPU";

const char *const docs_paragraphs[] = {
    "INPUT is a PNG file. The extension of OUTPUT chooses the format: .png, .jpg, .bmp or .tga. "
    "'-' means standard input or standard output. Standard output gets PNG unless --format says "
    "otherwise. Input and output may be the same file: it is replaced atomically once the result "
    "is complete.",
    "Everything that you do not change is kept: bit depth, colour type, palette, transparency, "
    "interlacing, gamma, colour profile, resolution, text and EXIF. Operations that compute new "
    "colours turn palettes into RGB or RGBA, and most of them turn gray of 1, 2 or 4 bits into "
    "8-bit gray.",
    "JPEG, BMP and TGA cannot hold everything, and a note names what is lost. Samples become 8 "
    "bits; profile, EXIF, resolution and text are lost. JPEG has no transparency: pixels are "
    "blended with white. Up to --quality 90 its colours have half the resolution.",
    "A sample is the value of one channel in one pixel. Luma is brightness: the weighted sum of "
    "red, green and blue. Alpha is opacity. An operation has several implementations, for "
    "example one per kind of processor; all give the same result.",
    "COLOR is a CSS colour name such as white or navy, the word transparent, or #rgb, #rgba, "
    "#rrggbb or #rrggbbaa. A shell needs "
    "quotes around the #.",
    "Options may stand before or after the files, as --option value or --option=value. '--' "
    "ends the options. A switch such as --linear means --linear=yes. The operands SIZE, IMAGE "
    "and FILE may also be given as options: resize --size 50% in.png out.png.",
    "The first Ctrl-C finishes or undoes the files in progress; the second stops at once.",
    "In steps (see 'imgtool help run'), put values with spaces in '...' or \"...\": imgtool "
    "run \"lut file='my look.cube' | flip\" in.png out.png.",
    NULL,
};

const DocsExample docs_examples[] = {
    {"imgtool rotate in.png out.png", "rotate by 90 degrees, clockwise"},
    {"imgtool autorotate --strip photo.png upright.png", "rotate upright and drop metadata"},
    {"imgtool run 'rotate angle=90 | flip axis=vertical' in.png out.png",
     "run two steps in one pass"},
    {"imgtool rotate --angle 180 - - < in.png > out.png", "read and write pipes"},
    {"imgtool --via serve rotate in.png out.png", "let a running 'imgtool serve' do it"},
    {"imgtool info --json *.png", "describe files as JSON"},
    {"imgtool stats --percentiles 1,50,99 photo.png", "measure brightness and contrast"},
    {"imgtool stats --recursive --csv photos > stats.csv",
     "measure a directory, for a spreadsheet"},
    {"imgtool histogram --plot histogram.png photo.png", "plot the histogram of all channels"},
    {"imgtool compare --tolerance 2 first.png second.png",
     "check that pictures are equal within a tolerance of 2"},
    {"imgtool bench rotate --plot rotate.png", "benchmark all implementations and plot them"},
    {NULL, NULL},
};

const char *docs_group_title(ImgOpGroup group)
{
    static const char *const titles[IMG_GROUP_COUNT] = {
        [IMG_GROUP_GEOMETRY] = "Geometry",
        [IMG_GROUP_TONE] = "Colour and tone",
        [IMG_GROUP_FILTERS] = "Filters",
        [IMG_GROUP_EDGES] = "Edges and morphology",
        [IMG_GROUP_CHANNELS] = "Channels and depth",
    };
    return titles[group];
}

const ImgOp *docs_next_of_group(ImgOpGroup group, size_t *next)
{
    while (img_ops[*next] != NULL) {
        const ImgOp *op = img_ops[(*next)++];
        if (op->group == group)
            return op;
    }
    return NULL;
}

void docs_bench_words(FILE *out)
{
    const ImgOp *op;
    fputs("lab files codec", out);
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++)
        fprintf(out, " %s", op->name);
}

void docs_operation_words(FILE *out)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", img_ops[i]->name);
}

void docs_topic_words(FILE *out)
{
    docs_operation_words(out);
    for (const Command *command = commands; command->name != NULL; command++)
        fprintf(out, " %s", command->name);
}

void docs_choices(FILE *out, const Operand *operand)
{
    for (const char *const *choice = operand->choices; choice != NULL && *choice != NULL; choice++)
        for (const char *at = *choice; *at != '\0'; at++)
            fprintf(out, "%s%c", at == *choice ? " " : "", *at == '_' ? '-' : *at);
}

static void append_word(char words[DOCS_WORDS_SIZE], const char *word)
{
    text_append(words, DOCS_WORDS_SIZE, "%s%s", words[0] != '\0' ? " " : "", word);
}

static void append_choices(char words[DOCS_WORDS_SIZE], const ImgChoice *choices)
{
    for (const ImgChoice *choice = choices; choice->name != NULL; choice++)
        append_word(words, choice->name);
}

static void append_impls(char words[DOCS_WORDS_SIZE], const ImgOp *op)
{
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
        if (!text_has_word(words, impl->name))
            append_word(words, impl->name);
}

const char *docs_option_words(const Option *option, const ImgOp *op, char words[DOCS_WORDS_SIZE])
{
    words[0] = '\0';
    if (option->type == OPTION_CHOICE)
        append_choices(words, option->choices);
    if (option->words != NULL)
        append_word(words, option->words);
    if (option->type == OPTION_IMPL && op != NULL)
        append_impls(words, op);
    if (option->type == OPTION_IMPL && op == NULL)
        for (size_t i = 0; img_ops[i] != NULL; i++)
            append_impls(words, img_ops[i]);
    return words;
}

const char *docs_param_default(const ImgOp *op, const ImgParam *param)
{
    if (param->default_value[0] != '\0')
        return param->default_value;
    return param == img_param_positional(op) ? "required" : "none";
}

/* Appends the commands whose bits are set, such as "; of stats and batch". */
static void append_commands(char text[DOCS_HELP_SIZE], unsigned bits)
{
    const char *before = "; of ";
    for (const Command *command = commands; command->name != NULL; command++) {
        if ((command->bit & bits) == 0)
            continue;
        text_append(text, DOCS_HELP_SIZE, "%s%s", before, command->name);
        before = " and ";
    }
}

const char *docs_option_meaning(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE])
{
    bool all = bits == FOR_ALL;
    snprintf(text, DOCS_HELP_SIZE, "%s", all ? option->help : option_help(option, bits));
    const OptionHelp *own = option->help_for;
    for (; all && own != NULL && own->commands != 0; own++) {
        if (own->help[0] == '\0')
            continue;
        append_commands(text, own->commands);
        text_append(text, DOCS_HELP_SIZE, ": %s", own->help);
    }
    return text;
}

/* Writes the help of an option with its default. `bits` is one FOR_... bit, or FOR_ALL for text
 * that covers all commands. The text is empty if the option has no effect. */
static const char *docs_option_help(const Option *option, unsigned bits, char text[DOCS_HELP_SIZE])
{
    char value[OPTION_TEXT_SIZE];
    docs_option_meaning(option, bits, text);
    option_default(option, bits, value);
    if (value[0] != '\0' && text[0] != '\0')
        text_append(text, DOCS_HELP_SIZE, " (default: %s)", value);
    return text;
}

/* Returns true if the choices of a decimal parameter are numbers, such as the 90, 180 and 270 of
 * `rotate --angle`. The range of the parameter includes them, so its heading shows only the
 * range. */
static bool has_numbers(const ImgParam *param)
{
    return param->type == IMG_PARAM_DECIMAL && param->choices != NULL &&
           strspn(param->choices->name, "0123456789") > 0;
}

const char *docs_param_heading(const ImgParam *param, char text[DOCS_HELP_SIZE])
{
    char takes[256] = "N";
    const char *shown = takes;
    if (param->type != IMG_PARAM_INT || param->max != INT32_MAX)
        img_param_describe(param, takes, sizeof takes);
    if (has_numbers(param))
        shown = strrchr(takes, '|') + 1;
    snprintf(text, DOCS_HELP_SIZE, img_param_is_flag(param) ? "--%s[=%s]" : "--%s %s", param->name,
             shown);
    return text;
}

const char *docs_flag_help(const ImgParam *param, const ImgChoice *flag, char text[DOCS_HELP_SIZE])
{
    const ImgChoice *choice = param->choices;
    while (choice[1].name != NULL && choice->value != flag->value)
        choice++;
    snprintf(text, DOCS_HELP_SIZE, "alias of --%s %s", param->name, choice->name);
    return text;
}

static void set_param(const ImgOp *op, const ImgParam *param, DocsEntry *entry)
{
    const bool has_default = param->default_value[0] != '\0';
    entry->name = param->name;
    entry->kind = param->type == IMG_PARAM_FILE ? DOCS_FILE : DOCS_VALUE;
    entry->is_bare = img_param_is_flag(param);
    if (param->choices != NULL)
        append_choices(entry->words, param->choices);
    memset(entry->heading, ' ', DOCS_INDENT);
    docs_param_heading(param, entry->heading + DOCS_INDENT);
    snprintf(entry->help, DOCS_HELP_SIZE, has_default ? "%s (default: %s)" : "%s", param->help,
             docs_param_default(op, param));
}

static void set_flag(const ImgParam *param, const ImgChoice *flag, DocsEntry *entry)
{
    entry->name = flag->name;
    snprintf(entry->heading, DOCS_HELP_SIZE, "    --%s", flag->name);
    docs_flag_help(param, flag, entry->help);
}

bool docs_param_entry(const ImgOp *op, size_t index, DocsEntry *entry)
{
    memset(entry, 0, sizeof *entry);
    for (const ImgParam *param = op != NULL ? op->params : NULL;
         param != NULL && param->name != NULL; param++) {
        if (index-- == 0) {
            set_param(op, param, entry);
            return true;
        }
        const ImgChoice *flag = img_param_flags(param);
        for (; flag != NULL && flag->name != NULL; flag++)
            if (index-- == 0) {
                set_flag(param, flag, entry);
                return true;
            }
    }
    return false;
}

bool docs_option_entry(const Option *option, unsigned bits, const ImgOp *op, DocsEntry *entry)
{
    memset(entry, 0, sizeof *entry);
    entry->name = option->name;
    entry->letter = option->letter;
    entry->kind = option->type == OPTION_FLAG   ? DOCS_SWITCH
                  : option->type == OPTION_FILE ? DOCS_FILE
                                                : DOCS_VALUE;
    entry->is_bare = option->bare != NULL;
    docs_option_words(option, op, entry->words);
    option_heading(option, entry->heading);
    return docs_option_help(option, bits, entry->help)[0] != '\0';
}

bool docs_topic(size_t index, DocsTopic *topic)
{
    size_t ops = 0;
    while (img_ops[ops] != NULL)
        ops++;
    if (index < ops) {
        const ImgOp *op = img_ops[index];
        *topic = (DocsTopic){op->name, op->synopsis, op, op, &operation_command};
        return true;
    }
    const Command *command = &commands[index - ops];
    if (command->name == NULL)
        return false;
    *topic = (DocsTopic){command->name, command->synopsis, command_options(command),
                         command->measure, command};
    return true;
}

void docs_escaped(FILE *out, const char *text, const char *special, char escape)
{
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            fputc(escape, out);
        if (*text != '\n' || text[1] != '\n')
            fputc(*text == '\n' ? ' ' : *text, out);
    }
}

void docs_in_quotes(FILE *out, const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *text) != NULL)
            fputc('\\', out);
        if (*text != '\n' || text[1] != '\n')
            fputc(*text == '\n' ? ' ' : *text, out);
    }
}
