#include "app/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/size.h"
#include "io/encode.h"
#include "kernels/core/suggest.h"

static const ImgChoice backends[] = {
    {"auto", IMG_BACKEND_AUTO}, {"cpu", IMG_BACKEND_CPU}, {"cuda", IMG_BACKEND_CUDA}, {NULL, 0}};

static const ImgChoice help_formats[] = {
    {"text", HELP_TEXT}, {"markdown", HELP_MARKDOWN}, {"man", HELP_MAN}, {NULL, 0}};

#define AT(field) .offset = offsetof(Settings, field)

const Option options[] = {
    {.name = "backend",
     .type = OPTION_CHOICE,
     .group = GROUP_WHERE,
     .commands = FOR_IMAGE,
     AT(backend),
     .choices = backends,
     .number = IMG_BACKEND_AUTO,
     .help = "where to run; auto takes whichever is done sooner, cpu and cuda never fall back"},
    {.name = "impl",
     .type = OPTION_IMPL,
     .group = GROUP_WHERE,
     .commands = FOR_IMAGE,
     AT(impl),
     .default_text = "the fastest",
     .help = "run this implementation; 'imgtool ops -v' lists them"},
    {.name = "device",
     .type = OPTION_INT,
     .group = GROUP_WHERE,
     .commands = FOR_IMAGE,
     AT(device),
     .min = 0,
     .max = 1023,
     .help = "CUDA device; 'imgtool devices' lists them"},
    {.name = "threads",
     .type = OPTION_INT,
     .group = GROUP_WHERE,
     .commands = FOR_IMAGE,
     AT(threads),
     .min = 1,
     .max = 1024,
     .default_text = "the CPUs this process may use",
     .help = "CPU threads"},

    {.name = "level",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE,
     AT(level),
     .min = 0,
     .max = 9,
     .number = IMG_DEFAULT_LEVEL,
     .help = "PNG compression: 0 stored, 1 fastest, 9 smallest"},
    {.name = "quality",
     .type = OPTION_INT,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE,
     AT(quality),
     .min = 1,
     .max = 100,
     .number = IMG_DEFAULT_QUALITY,
     .help = "JPEG quality"},
    {.name = "strip",
     .type = OPTION_FLAG,
     .group = GROUP_OUTPUT,
     .commands = FOR_IMAGE,
     AT(strip),
     .number = 1,
     .help = "drop the metadata: profile, gamma, resolution, text, EXIF"},

    {.name = "max-pixels",
     .type = OPTION_COUNT,
     .group = GROUP_LIMITS,
     .commands = FOR_IMAGE,
     AT(max_pixels),
     .number = 1000000000,
     .help = "refuse larger pictures; N may end in k, M or G"},
    {.name = "max-memory",
     .type = OPTION_BYTES,
     .group = GROUP_LIMITS,
     .commands = FOR_IMAGE,
     AT(max_memory),
     .default_text = "3/4 of what there is",
     .help = "refuse work that needs more memory; SIZE may end in K, M or G"},

    {.name = "json",
     .type = OPTION_FLAG,
     .group = GROUP_RESULT,
     .commands = FOR_INFO | FOR_OPS | FOR_DEVICES,
     AT(json),
     .number = 1,
     .help = "print JSON, for programs"},
    {.name = "format",
     .type = OPTION_CHOICE,
     .group = GROUP_RESULT,
     .commands = FOR_HELP,
     AT(help_format),
     .choices = help_formats,
     .number = HELP_TEXT,
     .help = "print help as plain text, as the Markdown reference or as the man page"},

    {.name = "explain",
     .type = OPTION_FLAG,
     .group = GROUP_TALK,
     .commands = FOR_IMAGE,
     AT(explain),
     .number = 1,
     .help = "say what ran where, and where the time went"},
    {.name = "verbose",
     .letter = 'v',
     .type = OPTION_FLAG,
     .group = GROUP_TALK,
     .commands = FOR_ALL,
     AT(verbosity),
     .number = VERBOSITY_MORE,
     .help = "say more: what ran where and why; with ops, the implementations"},
    {.name = "quiet",
     .letter = 'q',
     .type = OPTION_FLAG,
     .group = GROUP_TALK,
     .commands = FOR_ALL,
     AT(verbosity),
     .number = VERBOSITY_QUIET,
     .help = "print nothing but errors"},
    {.name = "help",
     .letter = 'h',
     .type = OPTION_FLAG,
     .group = GROUP_TALK,
     .commands = FOR_ALL,
     AT(help),
     .number = 1,
     .help = "print help and exit"},
    {.name = "version",
     .letter = 'V',
     .type = OPTION_FLAG,
     .group = GROUP_TALK,
     .commands = FOR_ALL,
     AT(version),
     .number = 1,
     .help = "print the version and exit"},
    {.name = NULL},
};

const Option *option_find(const char *name)
{
    for (const Option *option = options; option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
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

bool option_given(const Settings *settings, const char *name)
{
    const Option *option = option_find(name);
    return option != NULL && (settings->given & bit_of(option)) != 0;
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
        memcpy((char *)settings + option->offset, &value, sizeof value);
        return IMG_OK;
    }
    return IMG_OK;
}
