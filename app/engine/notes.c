/* Prints notes about data that a finished job has lost or ignored. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/engine/job_priv.h"
#include "app/text/streams.h"

static void tell(const Job *job, const char *path, const char *text)
{
    if (job->noted != NULL)
        job->noted(job->noted_context, path, text);
    else
        img_engine_note(job->options, "%s: %s", path, text);
}

void img_job_note_damage(void *context, const char *name, const char *damage)
{
    tell(context, name, damage);
}

IMG_PRINTF(3, 4)
static void note(const Work *work, const char *path, const char *format, ...)
{
    char text[IMG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tell(work->job, path, text);
}

static void note_input(const Work *work, const char *text)
{
    note(work, img_streams_input_name(work->job->input), "%s", text);
}

/* Returns true if the step could copy palette indices if only the palette had room for its
 * background colour. */
static bool wants_room(const ImgStep *step)
{
    ImgStep copy = *step;
    ImgPalette empty = {.room = IMG_PALETTE_MAX};
    const ImgShape any = {0, 0, {IMG_COLOR_PALETTE, 8}};
    return img_steps_bind_palette(&copy, 1, any, &empty);
}

/* Returns the step that made expanding to channels necessary. It is the first one that needs
 * channels or, if there is none, the last one whose background colour had no room in the palette.
 */
static const ImgStep *find_expanding(const Job *job, bool *lacks_room)
{
    const ImgStep *found = NULL;
    for (size_t i = 0; i < job->count; i++) {
        const ImgStep *step = &job->steps[i];
        if (!img_op_needs_channels(step->op, step->params.bytes))
            continue;
        *lacks_room = wants_room(step);
        if (!*lacks_room)
            return step;
        found = step;
    }
    return found;
}

/* Notes a change of colour type that was not requested. */
static void note_expansion(const Work *work)
{
    const ImgFormat from = work->load.raw.format, to = work->load.shape.format;
    const bool is_palette = from.color == IMG_COLOR_PALETTE;
    bool lacks_room = false;
    const ImgOp *op = find_expanding(work->job, &lacks_room)->op;
    const char *step = op->name;
    if (op->palette.get != NULL && work->report->after.format.color == IMG_COLOR_PALETTE)
        return; /* the result has a palette again */
    if (is_palette && lacks_room)
        note(work, img_streams_input_name(work->job->input),
             "palette expanded to %s of %d bits: it has no room for the background of %s; name one "
             "of its colours with --background to keep it",
             img_color_name(to.color), to.bits, step);
    else
        note(work, img_streams_input_name(work->job->input),
             "%s expanded to %s of %d bits: %s works on channels",
             is_palette ? "palette" : "transparent colour", img_color_name(to.color), to.bits,
             step);
}

static void note_stripped(const Work *work)
{
    const char *output = img_streams_output_name(work->job->output);
    const bool is_png = work->format == IMG_FILE_PNG; /* other formats have no metadata */
    if (work->lost.orientation > 0)
        note(work, output,
             "%s drops the orientation (%d), so that the picture appears rotated; run autorotate "
             "first%s",
             is_png ? "--strip" : img_result_format_name(work->format), work->lost.orientation,
             is_png ? ", or use --strip=private" : "");
    if (work->lost.colours != NULL)
        note(work, output, "--strip drops the %s, so that colours may look different%s",
             work->lost.colours, is_png ? "; --strip=private keeps it" : "");
}

/* Prints a note if the profile does not fit the channels: gray pictures need a gray profile, and
 * colour pictures an RGB profile. */
static void note_profile(const Work *work)
{
    const ImgColor color = work->report->after.format.color;
    const bool gray = color == IMG_COLOR_GRAY || color == IMG_COLOR_GRAY_ALPHA;
    if (work->lost.profile)
        note(work, img_streams_output_name(work->job->output),
             "the colour profile '%s' does not fit %s pixels and is dropped", work->lost.name,
             gray ? "gray" : "RGB");
}

/* Notes that the colours of a JPEG have half the resolution. Without --verbose, the note is printed
 * only if the job has other losses. */
static void note_half_colours(const Work *work)
{
    char text[128];
    const char *output = img_streams_output_name(work->job->output);
    snprintf(text, sizeof text,
             "JPEG: colours have half the resolution (4:2:0); above %s %d they keep the "
             "full one",
             img_engine_has_options(work->job->options) ? "--quality" : "quality",
             (int)IMG_HALF_COLOUR_QUALITY);
    if (work->loss[0] != '\0')
        note(work, output, "%s", text);
    else
        img_engine_detail(work->job->options, "%s: %s", output, text);
}

/* For a JPEG output, notes how colours are stored: gray as three components (with --verbose only),
 * or colours with half the resolution (note_half_colours). */
static void note_jpeg(const Work *work)
{
    const EngineOptions *options = work->job->options;
    ImgColor color = work->load.image.view.format.color;
    if (work->format != IMG_FILE_JPEG)
        return;
    if (color == IMG_COLOR_GRAY || color == IMG_COLOR_GRAY_ALPHA)
        img_engine_detail(options, "%s: JPEG: gray is written as three components",
                          img_streams_output_name(work->job->output));
    else if (options->quality <= IMG_HALF_COLOUR_QUALITY)
        note_half_colours(work);
}

static bool has_extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strchr(slash != NULL ? slash : path, '.') != NULL;
}

/* Prints a note if the extension of the output belongs to another format, which can mislead
 * viewers. */
static void note_other_extension(const Work *work)
{
    const Job *job = work->job;
    ImgFileFormat named;
    if (job->notes_format && job->format != NULL &&
        img_file_format_from_path(job->output, &named, NULL) == IMG_OK && named != work->format &&
        has_extension(job->output))
        note(work, job->output, "written as %s, despite its extension",
             img_result_format_name(work->format));
}

static void note_useless_options(const Work *work)
{
    const EngineOptions *options = work->job->options;
    const char *output = img_streams_output_name(work->job->output);
    const char *option;
    for (int i = 0; (option = img_result_useless_option(options, work->format, i)) != NULL; i++)
        note(work, output, "--%s has no effect on %s", option,
             img_result_format_name(work->format));
}

/* Called only after success, so that a job that fails prints a single line, its error. */
void img_work_print_notes(const Work *work)
{
    const char *const *line = img_source_warnings(work->load.source);
    for (; *line != NULL && !img_work_copies_animation(work); line++)
        note_input(work, *line);
    if (work->job->output == NULL)
        return;
    if (img_load_is_expanded(&work->load))
        note_expansion(work);
    if (work->loss[0] != '\0')
        note(work, img_streams_output_name(work->job->output), "%s", work->loss);
    if (work->unkept.status != IMG_OK)
        note(work, img_streams_output_name(work->job->output), "%s", work->unkept.message);
    for (int i = 0; i < IMG_OUTPUT_NOTES; i++)
        if (work->replaced[i][0] != '\0')
            note(work, img_streams_output_name(work->job->output), "%s", work->replaced[i]);
    note_profile(work);
    note_jpeg(work);
    note_stripped(work);
    note_other_extension(work);
    note_useless_options(work);
}
