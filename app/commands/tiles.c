/* Runs `imgtool tiles INPUT... PATTERN`. */
#include "app/tiles/tiles.h"

#include "app/commands/shared.h"
#include "app/engine/share/resources.h"
#include "app/files/made_files.h"
#include "app/term/messages.h"

static int cut(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
               ImgStepFiles *files, const Settings *settings)
{
    ImgError err = {IMG_OK, ""};
    if (resources_load_step_files(files, steps, count, &settings->engine, &err) != IMG_OK) {
        img_error_prefix(&err, "tiles");
        return report_failure(&err);
    }
    MadeFiles *made = made_files_create();
    if (made == NULL) {
        (void)img_fail(&err, IMG_E_MEMORY, "tiles: no memory");
        return report_failure(&err);
    }
    const Tiles tiles = {.paths = inputs->paths,
                         .count = inputs->count,
                         .missing = inputs->failures,
                         .missing_code = inputs->failure_code,
                         .pattern = last,
                         .steps = steps,
                         .step_count = count,
                         .settings = settings,
                         .guard = made_files_guard(made)};
    const int code = tiles_run(&tiles);
    made_files_free(made);
    return code;
}

int cmd_tiles(const Args *args)
{
    return many_run(args, cut);
}
