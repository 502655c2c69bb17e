#include "app/batch/steps_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/pipeline.h"

char *steps_text(const ImgStep *steps, size_t count, const Settings *settings)
{
    enum { ROOM_A_STEP = 1024 };
    size_t room = (count + 1) * ROOM_A_STEP;
    char *text = malloc(room), *whole = NULL;
    if (text == NULL)
        return NULL;
    pipeline_print(steps, count, text, room);
    if (asprintf(&whole, "imgtool %s: %s; level %d, quality %d%s%s", IMGTOOL_VERSION, text,
                 settings->level, settings->quality, settings->strip ? ", strip" : "",
                 settings->no_index ? ", no index" : "") < 0)
        whole = NULL;
    free(text);
    return whole;
}
