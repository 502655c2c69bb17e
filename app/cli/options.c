#include "app/cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/amounts.h"
#include "io/limits.h"
#include "kernels/core/params.h"
#include "kernels/core/params/fixed.h"
#include "kernels/core/suggest.h"

static bool is_called(const Option *option, const char *name)
{
    return strcmp(option->name, name) == 0 ||
           (option->also != NULL && strcmp(option->also, name) == 0);
}

const Option *option_find(const char *name, unsigned commands)
{
    const Option *first = NULL;
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        if (!is_called(option, name))
            continue;
        if ((option->commands & commands) != 0)
            return option;
        if (first == NULL)
            first = option;
    }
    return first;
}

const Option *option_find_letter(char letter)
{
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option->letter != '\0' && option->letter == letter)
            return option;
    return NULL;
}

static void store32(const Option *option, Settings *settings, int32_t value)
{
    memcpy((char *)settings + option->offset, &value, sizeof value);
}

static void store64(const Option *option, Settings *settings, uint64_t value)
{
    memcpy((char *)settings + option->offset, &value, sizeof value);
}

void settings_init(Settings *settings)
{
    memset(settings, 0, sizeof *settings);
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option)) {
        if (option->type == OPTION_INT || option->type == OPTION_CHOICE)
            store32(option, settings, (int32_t)option->number);
        if (option->type == OPTION_COUNT || option->type == OPTION_BYTES)
            store64(option, settings, (uint64_t)option->number);
    }
}

static ImgStatus set_int(const Option *option, Settings *settings, const char *value, ImgError *err)
{
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    bool digits = value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0;
    if (!digits || number < option->min || number > option->max)
        return img_fail(err, IMG_E_USAGE, "invalid --%s '%s': use %d..%d", option->name, value,
                        option->min, option->max);
    store32(option, settings, (int32_t)number);
    return IMG_OK;
}

static ImgStatus set_decimal(const Option *option, Settings *settings, const char *value,
                             ImgError *err)
{
    enum { PLACES = 3, ONE = 1000 };
    int64_t number;
    if (!img_fixed_parse(value, strlen(value), PLACES, &number) || number < option->min ||
        number > option->max)
        return img_fail(err, IMG_E_USAGE, "invalid --%s '%s': use a number from %d to %d",
                        option->name, value, option->min / ONE, option->max / ONE);
    store32(option, settings, (int32_t)number);
    return IMG_OK;
}

/* Returns the choice with this name, or NULL. `choices` may be NULL. */
static const ImgChoice *choice_of(const ImgChoice *choices, const char *name)
{
    for (const ImgChoice *choice = choices; choice != NULL && choice->name != NULL; choice++)
        if (strcmp(choice->name, name) == 0)
            return choice;
    return NULL;
}

static ImgStatus set_choice(const Option *option, Settings *settings, const char *value,
                            ImgError *err)
{
    const ImgChoice *chosen = choice_of(option->choices, value);
    if (chosen == NULL)
        chosen = choice_of(option->synonyms, value);
    if (chosen != NULL) {
        store32(option, settings, chosen->value);
        return IMG_OK;
    }
    ImgSuggestion nearest = img_suggest_start(value);
    for (const ImgChoice *choice = option->choices; choice->name != NULL; choice++)
        img_suggest_offer(&nearest, choice->name);
    char range[OPTION_TEXT_SIZE];
    img_choices_list(option->choices, range, sizeof range);
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "invalid --%s '%s': did you mean '%s'? Use %s",
                        option->name, value, nearest.best, range);
    return img_fail(err, IMG_E_USAGE, "invalid --%s '%s': use %s", option->name, value, range);
}

static ImgStatus set_size(const Option *option, Settings *settings, const char *value,
                          ImgError *err)
{
    uint64_t number;
    bool count = option->type == OPTION_COUNT;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = count ? img_amount_parse_count(value, &number, &failure)
                             : img_amount_parse_bytes(value, &number, &failure);
    if (status != IMG_OK)
        return img_fail(err, status, "--%s: %s", option->name, failure.message);
    uint64_t most = count ? IMG_PIXELS_MAX : (uint64_t)PTRDIFF_MAX;
    char text[AMOUNT_TEXT];
    if (number > most)
        return img_fail(err, IMG_E_USAGE,
                        "--%s: '%s' is more than can be addressed; use at most %s", option->name,
                        value, img_amount_print_count(most, text));
    store64(option, settings, number);
    return IMG_OK;
}

static unsigned index_of(const Option *option)
{
    unsigned index = 0;
    for (const Option *before = option_next(NULL); before != option; before = option_next(before))
        index++;
    return index;
}

bool option_is_given(const Settings *settings, const Option *option)
{
    const unsigned index = index_of(option);
    return (settings->given[index / 64] >> (index % 64) & 1) != 0;
}

bool option_given(const Settings *settings, const char *name)
{
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (is_called(option, name) && option_is_given(settings, option))
            return true;
    return false;
}

static bool is_one_of(const Option *option, const char *const *names)
{
    while (*names != NULL && strcmp(option->name, *names) != 0)
        names++;
    return *names != NULL;
}

ImgStatus options_check_only(const Settings *settings, const char *what, const char *const *names,
                             ImgError *err)
{
    for (const Option *option = option_next(NULL); option != NULL; option = option_next(option))
        if (option_is_given(settings, option) && !is_one_of(option, names))
            return img_fail(err, IMG_E_USAGE, "%s: --%s has no effect here; leave it out", what,
                            option->name);
    return IMG_OK;
}

ImgStatus option_set(const Option *option, Settings *settings, const char *value, ImgError *err)
{
    const unsigned index = index_of(option);
    settings->given[index / 64] |= UINT64_C(1) << (index % 64);
    settings->engine.given |= option->given;
    switch (option->type) {
    case OPTION_FLAG:
        store32(option, settings, option->number != 0 ? (int32_t)option->number : 1);
        return IMG_OK;
    case OPTION_INT:
        return set_int(option, settings, value, err);
    case OPTION_DECIMAL:
        return set_decimal(option, settings, value, err);
    case OPTION_CHOICE:
        return set_choice(option, settings, value, err);
    case OPTION_COUNT:
    case OPTION_BYTES:
        return set_size(option, settings, value, err);
    case OPTION_IMPL:
    case OPTION_TEXT:
    case OPTION_FILE:
        memcpy((char *)settings + option->offset, &value, sizeof value);
        return IMG_OK;
    }
    return IMG_OK;
}
