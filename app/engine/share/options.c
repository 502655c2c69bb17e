#include "app/engine/share/options.h"

#include <stdarg.h>

#include "io/metadata/metadata.h"

static void show(const EngineOptions *options, int32_t least, const char *format, va_list arguments)
{
    char text[IMG_MESSAGE_SIZE];
    if (options->verbosity < least || options->program == NULL || options->program->show == NULL)
        return;
    img_message_format(text, format, arguments);
    options->program->show(options->program->context, text);
}

void img_engine_note(const EngineOptions *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show(options, ENGINE_SHOWS_NOTES, format, arguments);
    va_end(arguments);
}

void img_engine_detail(const EngineOptions *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    show(options, ENGINE_SHOWS_DETAILS, format, arguments);
    va_end(arguments);
}

const ImgOutputHooks *img_engine_hooks(const EngineOptions *options)
{
    return options->program != NULL ? options->program->outputs : NULL;
}

const ImgInterrupt *img_engine_interrupt(const EngineOptions *options)
{
    return options->program != NULL ? &options->program->interrupt : NULL;
}

ImgProgress *img_engine_progress(const EngineOptions *options, ImgProgress *copy)
{
    if (options->program == NULL || options->program->progress == NULL)
        return NULL;
    copy->report = options->program->progress->report;
    copy->context = options->program->progress->context;
    copy->go_on = NULL;
    return copy;
}

bool img_engine_has_options(const EngineOptions *options)
{
    return options->program != NULL && options->program->has_options;
}

int32_t img_engine_keep(const EngineOptions *options, const ImgStep *steps, size_t count)
{
    for (size_t i = 0; i < count && (options->given & ENGINE_GIVEN_STRIP) == 0; i++)
        if (steps[i].strips)
            return IMG_KEEP_SHOWN;
    return options->strip;
}
