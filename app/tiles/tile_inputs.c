#include "app/text/streams.h"
#include "app/tiles/tile_list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/text/paths.h"
#include "app/tiles/tile_names.h"

/* --- Names of the first tiles ----------------------------------------------------------------- */

typedef struct FirstTile {
    char *name; /* name of the first tile; owned */
    const char *path;
} FirstTile;

static int compare_first(const void *a, const void *b)
{
    return strcmp(((const FirstTile *)a)->name, ((const FirstTile *)b)->name);
}

static ImgStatus compare_names(FirstTile *tiles, size_t count, ImgError *err)
{
    qsort(tiles, count, sizeof *tiles, compare_first);
    for (size_t i = 1; i < count; i++)
        if (strcmp(tiles[i - 1].name, tiles[i].name) == 0)
            return img_fail(err, IMG_E_USAGE,
                            "%s and %s: their tiles would have the same names; cut them in two "
                            "runs, or put {name} into the pattern",
                            tiles[i - 1].path, tiles[i].path);
    return IMG_OK;
}

static ImgStatus check_names(char *const *paths, size_t count, const char *pattern, ImgError *err)
{
    ImgStatus status = tile_pattern_check_many(pattern, err);
    if (status != IMG_OK)
        return status;
    FirstTile *tiles = calloc(count, sizeof *tiles);
    bool complete = tiles != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        const TileValues values = {.number = 1, .input = paths[i]};
        tiles[i] = (FirstTile){tile_name(pattern, &values), paths[i]};
        complete = tiles[i].name != NULL;
    }
    status = complete ? compare_names(tiles, count, err)
                      : img_fail(err, IMG_E_MEMORY, "no memory for the names of %zu files", count);
    for (size_t i = 0; tiles != NULL && i < count; i++)
        free(tiles[i].name);
    free(tiles);
    return status;
}

static ImgStatus check_streams(char *const *paths, size_t count, const char *pattern, ImgError *err)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], "-") == 0 && tile_pattern_names_input(pattern))
            return img_fail(err, IMG_E_USAGE,
                            "standard input has no name for {stem}, {name} or a directory; use "
                            "a pattern without them");
    return IMG_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

ImgStatus tile_inputs_find(char *const *paths, size_t count, const char *pattern,
                           TileInputs *inputs, ImgError *err)
{
    struct stat info;
    ImgStatus status = count > 1 ? check_names(paths, count, pattern, err) : IMG_OK;
    if (status == IMG_OK)
        status = check_streams(paths, count, pattern, err);
    if (status != IMG_OK)
        return status;
    inputs->files = calloc(count + 1, sizeof *inputs->files);
    if (inputs->files == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a list of %zu files", count);
    for (size_t i = 0; i < count; i++)
        if (img_streams_input_file(paths[i], &info))
            inputs->files[inputs->count++] = file_id(&info);
    qsort(inputs->files, inputs->count, sizeof *inputs->files, file_id_compare);
    return IMG_OK;
}

void tile_inputs_free(TileInputs *inputs)
{
    free(inputs->files);
    *inputs = (TileInputs){NULL, 0};
}

bool tile_inputs_have(const TileInputs *inputs, const char *path)
{
    struct stat info;
    if (inputs->count == 0 || stat(path, &info) != 0)
        return false;
    const FileId file = file_id(&info);
    return bsearch(&file, inputs->files, inputs->count, sizeof file, file_id_compare) != NULL;
}
