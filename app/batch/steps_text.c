#include "app/batch/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/options.h"
#include "app/cli/pipeline.h"
#include "app/library/imgtool.h"
#include "io/metadata/metadata.h"
#include "kernels/core/params.h"

enum { OPTIMIZE_TEXT = 96 };

/* Returns size and CRC of each file that a step names, as text, or "" if there are none. Returns
 * NULL if there is no memory. The caller frees it. */
static char *contents_text(const ImgStep *steps, size_t count)
{
    char *text = strdup("");
    for (size_t i = 0; text != NULL && i < count; i++) {
        char *longer = NULL;
        if (steps[i].content_bytes == 0)
            continue;
        if (asprintf(&longer, "%s, step %zu reads %" PRIu64 " bytes %08" PRIx32, text, i + 1,
                     steps[i].content_bytes, steps[i].content_crc) < 0)
            longer = NULL;
        free(text);
        text = longer;
    }
    return text;
}

/* Returns, as text, that and how the batch optimizes. */
static void optimize_text(const Settings *settings, char text[OPTIMIZE_TEXT])
{
    const EngineOptimize *how = &settings->engine.optimize;
    text[0] = '\0';
    if (settings->optimizes && settings->in_place)
        snprintf(text, OPTIMIZE_TEXT, ", optimize");
    else if (settings->optimizes)
        snprintf(text, OPTIMIZE_TEXT, ", optimize %d%s%s%s%s", how->effort,
                 how->clears_hidden ? ", alpha" : "", how->keeps_type ? ", keep type" : "",
                 how->keeps_alpha ? ", keep alpha" : "", how->keeps_colour ? ", no gray" : "");
}

/* Returns, as text, the options that change the bytes of the outputs but not their pixels. Returns
 * NULL if there is no memory. The caller frees it. */
static char *encoder_text(const ImgStep *steps, size_t count, const Settings *settings)
{
    static const char *const strips[] = {[IMG_KEEP_EVERYTHING] = "",
                                         [IMG_KEEP_SHOWN] = ", strip private",
                                         [IMG_KEEP_NO_PLACE] = ", strip gps",
                                         [IMG_KEEP_PIXELS] = ", strip"};
    char *text = NULL, dpi[32] = "";
    if (settings->engine.dpi > 0)
        snprintf(dpi, sizeof dpi, ", dpi %d/1000", settings->engine.dpi);
    if (asprintf(&text, "imgtool %s, level %d, quality %d%s%s%s", imgtool_version(),
                 settings->engine.level, settings->engine.quality,
                 strips[img_engine_keep(&settings->engine, steps, count)],
                 settings->engine.no_index ? ", no index" : "", dpi) < 0)
        text = NULL;
    return text;
}

char *steps_text(const ImgStep *steps, size_t count, const Settings *settings)
{
    /* bytes for the text of one step, with room for several values and their quotes */
    enum { ROOM_PER_STEP = 4 * IMG_PARAM_TEXT };
    size_t room = (count + 1) * ROOM_PER_STEP;
    char *text = malloc(room), *contents = contents_text(steps, count), *whole = NULL;
    char *encoder = settings->in_place ? strdup("in place") : encoder_text(steps, count, settings);
    char optimize[OPTIMIZE_TEXT];
    optimize_text(settings, optimize);
    if (text != NULL && contents != NULL && encoder != NULL) {
        img_pipeline_print(steps, count, text, room);
        if (asprintf(&whole, "%s%s: %s%s", encoder, optimize, text, contents) < 0)
            whole = NULL;
    }
    free(encoder);
    free(text);
    free(contents);
    return whole;
}
