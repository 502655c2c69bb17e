#include "app/batch/steps_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/cli/pipeline.h"
#include "app/cli/thumbnail.h"
#include "app/library/imgtool.h"
#include "io/metadata/metadata.h"
#include "kernels/core/params.h"

char *steps_text(const ImgStep *steps, size_t count, const Settings *settings)
{
    static const char *const strips[] = {[IMG_KEEP_EVERYTHING] = "",
                                         [IMG_KEEP_SHOWN] = ", strip private",
                                         [IMG_KEEP_PIXELS] = ", strip"};
    enum { ROOM_PER_STEP = 4 * IMG_PARAM_TEXT }; /* quotes, too, and other values */
    size_t room = (count + 1) * ROOM_PER_STEP;
    char *text = malloc(room), *whole = NULL;
    if (text == NULL)
        return NULL;
    img_pipeline_print(steps, count, text, room);
    if (asprintf(&whole, "imgtool %s: %s; level %d, quality %d%s%s", imgtool_version(), text,
                 settings->level, settings->quality, strips[thumbnail_keep(steps, count, settings)],
                 settings->no_index ? ", no index" : "") < 0)
        whole = NULL;
    free(text);
    return whole;
}
