#include "app/tiles/tile_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/tiles/tile_names.h"

static TileValues values_of(const TileGrid *grid, ImgShape picture, int64_t number)
{
    const TilePlace place = tile_grid_place(grid, picture, number);
    return (TileValues){.x = place.x,
                        .y = place.y,
                        .column = number % grid->columns,
                        .row = number / grid->columns,
                        .number = number + 1};
}

ImgStatus tile_list_make(const char *pattern, const char *input, const TileGrid *grid,
                         ImgShape picture, bool padded, char **names, ImgError *err)
{
    const int64_t count = grid->columns * grid->rows;
    const TileValues last = values_of(grid, picture, count - 1);
    bool complete = true;
    for (int64_t i = 0; complete && i < count; i++) {
        TileValues values = values_of(grid, picture, i);
        values.last = padded ? &last : NULL;
        values.input = input;
        names[i] = tile_name(pattern, &values);
        complete = names[i] != NULL;
    }
    return complete ? IMG_OK
                    : img_fail(err, IMG_E_MEMORY, "no memory for the names of %lld tiles",
                               (long long)count);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static ImgStatus check_twins(char *const *names, size_t count, ImgError *err)
{
    ImgStatus status = IMG_OK;
    char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the names of %zu tiles", count);
    memcpy(sorted, names, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; status == IMG_OK && i < count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status =
                img_fail(err, IMG_E_USAGE,
                         "%s: more than one of %zu tiles would be written there; put {number}, "
                         "or {x} and {y}, or {column} and {row} into the pattern",
                         sorted[i], count);
    free(sorted);
    return status;
}

/* Rejects a name that exists but must not be replaced. Also rejects links: after a failure the new
 * file is removed by its name, which would remove the link. */
static ImgStatus check_name(const char *name, const TileInputs *inputs, bool no_clobber,
                            ImgError *err)
{
    struct stat info;
    if (tile_inputs_have(inputs, name))
        return img_fail(err, IMG_E_USAGE, "%s: is an input; choose another pattern", name);
    const bool there = lstat(name, &info) == 0;
    if (there && S_ISLNK(info.st_mode))
        return img_fail(err, IMG_E_USAGE,
                        "%s: is a link to another file; remove it, or choose another pattern",
                        name);
    if (there && S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_USAGE, "%s: is a directory; choose another pattern", name);
    if (there && no_clobber)
        return img_fail(err, IMG_E_IO,
                        "%s: exists already, and is not replaced; choose another name", name);
    return IMG_OK;
}

ImgStatus tile_list_check(char *const *names, int64_t count, const TileInputs *inputs,
                          bool no_clobber, ImgError *err)
{
    ImgStatus status = check_twins(names, (size_t)count, err);
    for (int64_t i = 0; status == IMG_OK && i < count; i++)
        status = check_name(names[i], inputs, no_clobber, err);
    return status;
}

void tile_list_free(char **names, int64_t count)
{
    for (int64_t i = 0; names != NULL && i < count; i++)
        free(names[i]);
    free(names);
}
