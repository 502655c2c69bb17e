#include "app/tiles/tiles_priv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/text/paths.h"
#include "app/tiles/tile_list.h"
#include "app/tiles/tile_names.h"

/* --- All pictures ----------------------------------------------------------------------------- */

/* Returns true if `wanted`, a path that does not exist, means a directory: if its last component
 * has neither an extension nor a field such as {row}. */
static bool means_directory(const char *wanted)
{
    return strpbrk(path_name(wanted), ".{") == NULL;
}

static char *grid_pattern(const char *wanted)
{
    struct stat info;
    const bool exists = stat(wanted, &info) == 0;
    const bool is_directory = exists ? S_ISDIR(info.st_mode) : means_directory(wanted);
    return is_directory ? tile_pattern_in(wanted, "{stem}-{row}-{column}.png") : strdup(wanted);
}

static ImgStatus choose_pattern(TileLayout *layout, const char *wanted, ImgError *err)
{
    if (strcmp(wanted, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "tiles cannot be written to standard output; use a pattern of names");
    layout->pattern = layout->is_pyramid ? pyramid_pattern(wanted) : grid_pattern(wanted);
    if (layout->pattern == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = tile_pattern_check(layout->pattern, err);
    if (status == IMG_OK && layout->is_pyramid && tile_pattern_names_tile(layout->pattern))
        status = img_fail(err, IMG_E_USAGE,
                          "'%s': --layout dzi names the tiles itself; give a name, in which {stem} "
                          "or {name} is replaced by that of the input, or a directory",
                          wanted);
    return status;
}

/* Chooses the grid of a pyramid. Viewers support only square tiles. They expect the overlap as the
 * number of pixels that a tile has on each side in common with a neighbour. The defaults, 254
 * pixels and an overlap of 1, give tiles of 256 x 256 pixels, as in other programs. */
static ImgStatus choose_pyramid_grid(TileLayout *layout, const Settings *settings, ImgError *err)
{
    TileGrid *grid = &layout->grid;
    const char *size = settings->tile_size != NULL ? settings->tile_size : "254";
    const int32_t margin = option_given(settings, "overlap") ? settings->overlap : 1;
    ImgStatus status = tile_grid_parse(size, margin, grid, err);
    if (status == IMG_OK && grid->width != grid->height)
        status =
            img_fail(err, IMG_E_USAGE,
                     "tiles of --layout dzi are squares; use --size %d, for example", grid->width);
    grid->margin = margin;
    grid->overlap = 0;
    return status == IMG_OK ? pyramid_step(&layout->halve, err) : status;
}

static ImgStatus choose_grid(TileLayout *layout, const Settings *settings, ImgError *err)
{
    if (settings->tile_size == NULL)
        return img_fail(err, IMG_E_USAGE,
                        "the size of the tiles is missing; give one, as with --size 256x256");
    return tile_grid_parse(settings->tile_size, settings->overlap, &layout->grid, err);
}

ImgStatus tile_layout_choose(TileLayout *layout, const char *operand, const Settings *settings,
                             ImgError *err)
{
    layout->is_pyramid = settings->layout == TILE_LAYOUT_DZI;
    ImgStatus status = choose_pattern(layout, operand, err);
    if (status != IMG_OK)
        return status;
    return layout->is_pyramid ? choose_pyramid_grid(layout, settings, err)
                              : choose_grid(layout, settings, err);
}

void tile_layout_free(TileLayout *layout)
{
    free(layout->pattern);
    layout->pattern = NULL;
}

/* --- One picture ------------------------------------------------------------------------------ */

ImgStatus tile_cut_levels(const TileLayout *layout, ImgShape picture, TileCut *cut, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgShape shapes[PYRAMID_LEVELS_MAX] = {picture};
    cut->level_count = 1;
    if (layout->is_pyramid)
        status = pyramid_levels(&layout->halve, picture, shapes, &cut->level_count, err);
    for (int i = 0; i < cut->level_count; i++) {
        TileLevel *level = &cut->levels[i];
        *level = (TileLevel){.shape = shapes[i], .grid = layout->grid, .first = cut->count};
        tile_grid_fit(&level->grid, level->shape);
        level->count = level->grid.columns * level->grid.rows;
        cut->count += level->count;
    }
    cut->files = cut->count + layout->is_pyramid;
    return status;
}

static ImgStatus name_level(const TileLayout *layout, const char *path, const TileCut *cut,
                            int number, ImgError *err)
{
    const TileLevel *level = &cut->levels[number];
    char *pattern = layout->is_pyramid
                        ? pyramid_tiles_pattern(layout->pattern, cut->level_count - 1 - number)
                        : strdup(layout->pattern);
    const ImgStatus status =
        pattern != NULL ? tile_list_make(pattern, path, &level->grid, level->shape,
                                         !layout->is_pyramid, cut->names + level->first, err)
                        : img_fail(err, IMG_E_MEMORY, "no memory for names");
    free(pattern);
    return status;
}

static ImgStatus name_descriptor(const TileLayout *layout, const char *path, const TileCut *cut,
                                 ImgError *err)
{
    const TileValues values = {.input = path};
    char *pattern = pyramid_descriptor_pattern(layout->pattern);
    char *name = pattern != NULL ? tile_name(pattern, &values) : NULL;
    free(pattern);
    cut->names[cut->count] = name;
    return name != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory for names");
}

ImgStatus tile_cut_names(const TileLayout *layout, const char *path, TileCut *cut, ImgError *err)
{
    ImgStatus status = IMG_OK;
    cut->names = calloc((size_t)cut->files, sizeof *cut->names);
    cut->made = calloc((size_t)cut->files, sizeof *cut->made);
    if (cut->names == NULL || cut->made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the names of %lld tiles",
                        (long long)cut->count);
    for (int i = 0; status == IMG_OK && i < cut->level_count; i++)
        status = name_level(layout, path, cut, i, err);
    if (status == IMG_OK && layout->is_pyramid)
        status = name_descriptor(layout, path, cut, err);
    return status;
}

void tile_cut_free(TileCut *cut)
{
    tile_list_free(cut->names, cut->files);
    free(cut->made);
}
