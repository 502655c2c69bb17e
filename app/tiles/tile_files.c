#include "app/tiles/tiles_priv.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/term/interrupt.h"
#include "app/text/paths.h"
#include "io/output/output.h"

typedef struct Writing {
    const TileFiles *files;
    pthread_mutex_t lock; /* guards the fields below */
    ImgError *err;
    ImgStatus status;
} Writing;

static bool is_free(const char *name)
{
    struct stat info;
    return lstat(name, &info) != 0 && errno == ENOENT;
}

/* Writes the file with the index `number`. Its content is `tile` or, if `tile` is NULL, `text`. */
static ImgStatus write_file(const TileFiles *files, int64_t number, const ImgImage *tile,
                            const char *text, ImgError *err)
{
    const bool free_before = is_free(files->names[number]);
    ImgOutput *output = NULL;
    ImgStatus status = img_output_open(files->names[number], interrupt_hooks(), &output, err);
    if (status == IMG_OK && files->no_clobber)
        status = img_output_refuse_existing(output, err);
    else if (status == IMG_OK && files->guard != NULL)
        img_output_set_guard(output, files->guard);
    if (status == IMG_OK && tile == NULL)
        status = img_output_write(output, text, strlen(text), err);
    else if (status == IMG_OK)
        status = img_encode(files->format, tile, files->metadata, &files->how, output, NULL, err);
    if (status == IMG_OK)
        status = img_output_commit(&output, err);
    img_output_discard(&output);
    files->made[number] = status == IMG_OK && free_before;
    if (status != IMG_OK)
        img_error_prefix(err, "%s", files->names[number]);
    return status;
}

/* Writes a tile of a picture in temporary files (ImgStore). Copies the tile first, so that no page
 * of these files is mapped. */
static ImgStatus write_stored(const TileFiles *files, int64_t number, TilePlace place,
                              ImgError *err)
{
    const ImgShape shape = {place.width, place.height, files->image->view.format};
    ImgImage tile;
    ImgStatus status = img_image_alloc(shape, &tile, err);
    if (status == IMG_OK)
        status = img_image_get(files->image, place.x, place.y, &tile.view, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", files->names[number]);
    else
        status = write_file(files, number, &tile, NULL, err);
    img_image_free(&tile);
    return status;
}

static ImgStatus write_tile(const TileFiles *files, int64_t number, ImgError *err)
{
    const ImgView *view = &files->image->view;
    const TilePlace place = tile_grid_place(files->grid, img_view_shape(view), number);
    if (files->image->store != NULL)
        return write_stored(files, number, place, err);
    const ImgImage tile = {.view =
                               img_view_crop(view, place.x, place.y, place.width, place.height)};
    return write_file(files, number, &tile, NULL, err);
}

static bool has_failed(Writing *writing)
{
    pthread_mutex_lock(&writing->lock);
    const bool failed = writing->status != IMG_OK;
    pthread_mutex_unlock(&writing->lock);
    return failed;
}

/* Stores the failure if no earlier tile of this job has failed. */
static void note_failure(Writing *writing, const ImgError *failure)
{
    pthread_mutex_lock(&writing->lock);
    if (writing->status == IMG_OK)
        writing->status = img_fail(writing->err, failure->status, "%s", failure->message);
    pthread_mutex_unlock(&writing->lock);
}

static void write_tiles(void *context, int64_t first, int64_t end)
{
    Writing *writing = context;
    for (int64_t i = first; i < end && !has_failed(writing); i++) {
        ImgError failure = {IMG_OK, ""};
        if (write_tile(writing->files, i, &failure) != IMG_OK)
            note_failure(writing, &failure);
    }
}

/* Creates the directories of the tiles. Skips a tile that is in the same directory as the previous
 * tile, because tiles of one directory usually follow each other. */
static ImgStatus create_directories(const TileFiles *files, ImgError *err)
{
    ImgStatus status = IMG_OK;
    const char *before = "";
    for (int64_t i = 0; status == IMG_OK && i < files->count; i++) {
        const char *name = files->names[i];
        const size_t length = path_directory_length(name);
        if (length <= 1 ||
            (length == path_directory_length(before) && strncmp(name, before, length) == 0))
            continue;
        char *directory = strndup(name, length - 1);
        status = directory != NULL ? img_directory_create_all(directory, err)
                                   : img_fail(err, IMG_E_MEMORY, "no memory for a name");
        free(directory);
        before = name;
    }
    return status;
}

ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err)
{
    Writing writing = {.files = files, .lock = PTHREAD_MUTEX_INITIALIZER, .err = err};
    writing.status = create_directories(files, err);
    if (writing.status == IMG_OK)
        img_parallel_for(team, threads, files->count, write_tiles, &writing);
    return writing.status;
}

ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err)
{
    return write_file(files, files->count, NULL, text, err);
}

void tile_files_remove(char *const *names, const bool *made, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (made[i])
            (void)unlink(names[i]);
}
