#include "app/tiles/tile_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/pipeline.h"
#include "app/tiles/tile_names.h"

/* --- Levels ----------------------------------------------------------------------------------- */

/* Resizes by a percentage, because this keeps each side at least 1 and rounds halves up, as Deep
 * Zoom does. */
ImgStatus pyramid_step(ImgStep *halve, ImgError *err)
{
    return pipeline_parse_single("resize 50% filter=box", halve, err);
}

ImgStatus pyramid_levels(const ImgStep *halve, ImgShape picture,
                         ImgShape levels[PYRAMID_LEVELS_MAX], int *count, ImgError *err)
{
    ImgStatus status = IMG_OK;
    int last = 0;
    levels[0] = picture;
    while (status == IMG_OK && (levels[last].width > 1 || levels[last].height > 1)) {
        status = halve->op->shape(levels[last], halve->params.bytes, &levels[last + 1], err);
        last++;
    }
    *count = last + 1;
    return status;
}

/* --- Names ------------------------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
    struct stat info;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

char *pyramid_pattern(const char *operand)
{
    static const char extension[] = ".dzi";
    const size_t length = strlen(operand), end = length - strlen(extension);
    if (is_directory(operand))
        return tile_pattern_in(operand, "{stem}");
    const bool has_extension = length > strlen(extension) && operand[end - 1] != '/' &&
                               strcmp(operand + end, extension) == 0;
    return strndup(operand, has_extension ? end : length);
}

static char *join(const char *pattern, const char *ending)
{
    const size_t room = strlen(pattern) + strlen(ending) + 1;
    char *joined = malloc(room);
    if (joined != NULL)
        (void)snprintf(joined, room, "%s%s", pattern, ending);
    return joined;
}

char *pyramid_tiles_pattern(const char *pattern, int level)
{
    char ending[64];
    (void)snprintf(ending, sizeof ending, "_files/%d/{column}_{row}.png", level);
    return join(pattern, ending);
}

char *pyramid_descriptor_pattern(const char *pattern)
{
    return join(pattern, ".dzi");
}

/* --- The descriptor --------------------------------------------------------------------------- */

void pyramid_describe(const TileGrid *grid, ImgShape picture, char text[PYRAMID_TEXT])
{
    (void)snprintf(text, PYRAMID_TEXT,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\"\n"
                   "  Format=\"png\" Overlap=\"%d\" TileSize=\"%d\">\n"
                   "  <Size Width=\"%d\" Height=\"%d\"/>\n"
                   "</Image>\n",
                   grid->margin, grid->width, picture.width, picture.height);
}
