/* `imgtool tiles INPUT... PATTERN` */
#include "app/tiles/tiles.h"

#include "app/commands/many.h"

static int cut(const Inputs *inputs, const char *last, const ImgStep *steps, size_t count,
               const Settings *settings)
{
    const Tiles tiles = {.paths = inputs->paths,
                         .count = inputs->count,
                         .missing = inputs->failures,
                         .missing_code = inputs->failure_code,
                         .pattern = last,
                         .steps = steps,
                         .step_count = count,
                         .settings = settings};
    return tiles_run(&tiles);
}

int cmd_tiles(const Args *args)
{
    return many_run(args, cut);
}
