/* Makes texts about options, for help, errors and documentation. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/options.h"
#include "app/text/amounts.h"
#include "app/text/text.h"

const char *option_group_title(OptionGroup group)
{
    static const char *const titles[GROUP_COUNT] = {
        [GROUP_STEPS] = "Steps",
        [GROUP_WHERE] = "Backend and device",
        [GROUP_SERVE] = "Server",
        [GROUP_MANY] = "Sheets and tiles",
        [GROUP_BATCH] = "Files",
        [GROUP_SHARDS] = "Several machines",
        [GROUP_OUTPUT] = "Output",
        [GROUP_LIMITS] = "Limits",
        [GROUP_MEASURE] = "Statistics",
        [GROUP_OPTIMIZE] = "Optimization",
        [GROUP_COMPARE] = "Comparison",
        [GROUP_BENCH] = "Measurement",
        [GROUP_RESULT] = "Printed results",
        [GROUP_TALK] = "Messages and help",
    };
    return titles[group];
}

const char *option_argument(const Option *option, char text[OPTION_TEXT_SIZE])
{
    text[0] = '\0';
    switch (option->type) {
    case OPTION_FLAG:
        break;
    case OPTION_INT:
        /* Help shows N for a long range; messages about errors show the range itself. */
        if (option->max > 100)
            snprintf(text, OPTION_TEXT_SIZE, "N");
        else
            snprintf(text, OPTION_TEXT_SIZE, "%d..%d", option->min, option->max);
        break;
    case OPTION_CHOICE:
        for (const ImgChoice *choice = option->choices; choice->name != NULL; choice++)
            text_append(text, OPTION_TEXT_SIZE, "%s%s", text[0] != '\0' ? "|" : "", choice->name);
        break;
    case OPTION_DECIMAL:
    case OPTION_COUNT:
        snprintf(text, OPTION_TEXT_SIZE, "N");
        break;
    case OPTION_BYTES:
        snprintf(text, OPTION_TEXT_SIZE, "SIZE");
        break;
    case OPTION_IMPL:
        snprintf(text, OPTION_TEXT_SIZE, "NAME");
        break;
    case OPTION_TEXT:
    case OPTION_FILE:
        snprintf(text, OPTION_TEXT_SIZE, "%s", option->argument);
        break;
    }
    return text;
}

/* Returns the text in `list` for one command (a FOR_... bit), or NULL if the list has none. */
static const char *text_for(const OptionHelp *list, unsigned command)
{
    for (; list != NULL && list->commands != 0; list++)
        if ((list->commands & command) != 0)
            return list->help;
    return NULL;
}

const char *option_default(const Option *option, unsigned commands, char text[OPTION_TEXT_SIZE])
{
    const char *own = commands != FOR_ALL ? text_for(option->default_for, commands) : NULL;
    text[0] = '\0';
    if (own != NULL) {
        snprintf(text, OPTION_TEXT_SIZE, "%s", own);
    } else if (option->default_text != NULL) {
        snprintf(text, OPTION_TEXT_SIZE, "%s", option->default_text);
    } else if (option->type == OPTION_CHOICE) {
        for (const ImgChoice *choice = option->choices; choice->name != NULL; choice++)
            if (choice->value == option->number)
                snprintf(text, OPTION_TEXT_SIZE, "%s", choice->name);
    } else if (option->type == OPTION_INT) {
        snprintf(text, OPTION_TEXT_SIZE, "%" PRId64, option->number);
    } else if (option->type == OPTION_COUNT) {
        char count[AMOUNT_TEXT];
        snprintf(text, OPTION_TEXT_SIZE, "%s",
                 img_amount_print_count((uint64_t)option->number, count));
    }
    return text;
}

const char *option_heading(const Option *option, char text[OPTION_TEXT_SIZE])
{
    char argument[OPTION_TEXT_SIZE];
    option_argument(option, argument);
    char letter[8] = "    ";
    if (option->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const char *before = option->bare != NULL ? "[=" : argument[0] != '\0' ? " " : "";
    snprintf(text, OPTION_TEXT_SIZE, "%s--%s%s%.80s%s", letter, option->name, before, argument,
             option->bare != NULL ? "]" : "");
    return text;
}

const char *option_help(const Option *option, unsigned command)
{
    const char *own = text_for(option->help_for, command);
    return own != NULL ? own : option->help;
}
