#include "app/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/size.h"
#include "kernels/core/suggest.h"

static bool is_called(const Option *option, const char *name)
{
    return strcmp(option->name, name) == 0 ||
           (option->also != NULL && strcmp(option->also, name) == 0);
}

const Option *option_find(const char *name, unsigned commands)
{
    const Option *first = NULL;
    for (const Option *option = options; option->name != NULL; option++) {
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
    for (const Option *option = options; option->name != NULL; option++)
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
    for (const Option *option = options; option->name != NULL; option++) {
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
        return img_fail(err, IMG_E_USAGE, "--%s cannot be '%s'; it takes %d..%d", option->name,
                        value, option->min, option->max);
    store32(option, settings, (int32_t)number);
    return IMG_OK;
}

static ImgStatus set_choice(const Option *option, Settings *settings, const char *value,
                            ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(value);
    for (const ImgChoice *choice = option->choices; choice->name != NULL; choice++) {
        if (strcmp(choice->name, value) == 0) {
            store32(option, settings, choice->value);
            return IMG_OK;
        }
        img_suggest_offer(&nearest, choice->name);
    }
    char range[OPTION_TEXT_SIZE];
    option_argument(option, range);
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "--%s cannot be '%s'; did you mean '%s'? It takes %s",
                        option->name, value, nearest.best, range);
    return img_fail(err, IMG_E_USAGE, "--%s cannot be '%s'; it takes %s", option->name, value,
                    range);
}

static ImgStatus set_size(const Option *option, Settings *settings, const char *value,
                          ImgError *err)
{
    uint64_t number;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = option->type == OPTION_COUNT ? size_parse_count(value, &number, &failure)
                                                    : size_parse_bytes(value, &number, &failure);
    if (status != IMG_OK)
        return img_fail(err, status, "--%s: %s", option->name, failure.message);
    store64(option, settings, number);
    return IMG_OK;
}

static uint64_t bit_of(const Option *option)
{
    return UINT64_C(1) << (option - options);
}

bool option_is_given(const Settings *settings, const Option *option)
{
    return (settings->given & bit_of(option)) != 0;
}

bool option_given(const Settings *settings, const char *name)
{
    for (const Option *option = options; option->name != NULL; option++)
        if (is_called(option, name) && option_is_given(settings, option))
            return true;
    return false;
}

ImgStatus option_set(const Option *option, Settings *settings, const char *value, ImgError *err)
{
    settings->given |= bit_of(option);
    switch (option->type) {
    case OPTION_FLAG:
        store32(option, settings, (int32_t)option->number);
        return IMG_OK;
    case OPTION_INT:
        return set_int(option, settings, value, err);
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
