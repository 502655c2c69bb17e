#include "app/tiles/tiles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/exit_code.h"
#include "app/job/pictures.h"
#include "app/job/result.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "app/tiles/tile_files.h"
#include "app/tiles/tile_inputs.h"
#include "app/tiles/tile_list.h"
#include "app/tiles/tile_names.h"
#include "io/encode.h"
#include "io/metadata/metadata_follow.h"
#include "io/metadata/modified.h"
#include "io/metadata/profile.h"
#include "io/metadata/resolution.h"
#include "io/png/room.h"
#include "io/step_files.h"

typedef struct Cutting {
    const Tiles *tiles;
    char *pattern; /* owned */
    TileGrid grid; /* columns and rows are each picture's */
    ImgFileFormat format;
    TileInputs inputs;
    pthread_mutex_t lock;     /* of what follows */
    char loss[IMG_LOSS_TEXT]; /* what the format does not hold; "": nothing is lost */
} Cutting;

/* Of one picture: Picture.own. */
typedef struct Cut {
    TileGrid grid;
    char **names; /* owned: tile_list_make */
    int64_t count;
} Cut;

/* --- One picture ------------------------------------------------------------------------------ */

static ImgStatus check_animation(const Picture *picture, ImgError *err)
{
    const Load *load = &picture->load;
    if (!img_source_is_animated(load->source) || load->settings->force != 0)
        return IMG_OK;
    ImgStatus status =
        img_fail(err, IMG_E_UNSUPPORTED,
                 "is animated, and only the still picture would be kept; --force keeps that");
    return load_failure(load, status, err);
}

static ImgStatus check_count(const Picture *picture, const Cut *cut, ImgError *err)
{
    const uint64_t most = picture->load.settings->max_tiles;
    if ((uint64_t)cut->count <= most)
        return IMG_OK;
    ImgStatus status = img_fail(
        err, IMG_E_LIMIT,
        "%lld tiles of %d x %d are more than the limit of %llu; ask for a larger --size, "
        "or raise the limit with --max-tiles",
        (long long)cut->count, cut->grid.width, cut->grid.height, (unsigned long long)most);
    return load_failure(&picture->load, status, err);
}

static ImgStatus check_step_files(const Tiles *tiles, const Cut *cut, ImgError *err)
{
    for (int64_t i = 0; i < cut->count; i++)
        if (img_step_files_same(tiles->steps, tiles->step_count, cut->names[i]) != NULL)
            return img_fail(err, IMG_E_USAGE,
                            "%s: is a file that a step reads; choose another pattern",
                            cut->names[i]);
    return IMG_OK;
}

static ImgStatus name_tiles(const Cutting *cutting, Picture *picture, ImgError *err)
{
    Cut *cut = malloc(sizeof *cut);
    if (cut == NULL)
        return load_failure(&picture->load, img_fail(err, IMG_E_MEMORY, "no memory"), err);
    *cut = (Cut){.grid = cutting->grid};
    picture->own = cut;
    tile_grid_fit(&cut->grid, picture->shape);
    cut->count = cut->grid.columns * cut->grid.rows;
    ImgStatus status = check_count(picture, cut, err);
    if (status == IMG_OK)
        status = tile_list_make(cutting->pattern, picture->load.path, &cut->grid, picture->shape,
                                &cut->names, err);
    if (status == IMG_OK)
        status = tile_list_check(cut->names, cut->count, &cutting->inputs,
                                 cutting->tiles->settings->no_clobber != 0, err);
    return status == IMG_OK ? check_step_files(cutting->tiles, cut, err) : status;
}

/* Where a step measures, the size is known once it has run. */
static ImgStatus plan_picture(void *context, Picture *picture, ImgError *err)
{
    const Cutting *cutting = context;
    ImgStatus status = check_animation(picture, err);
    if (status == IMG_OK && !img_steps_measure(picture->steps, cutting->tiles->step_count))
        status = name_tiles(cutting, picture, err);
    return status;
}

static ImgStatus follow_metadata(const Cutting *cutting, Picture *picture, const Cut *cut,
                                 ImgError *err)
{
    Load *load = &picture->load;
    const int32_t dpi = cutting->tiles->settings->dpi;
    int64_t now = 0;
    ImgEffect effect = img_steps_effect(picture->steps, cutting->tiles->step_count, load->shape);
    effect.cropped |= cut->count > 1;
    ImgStatus status = img_metadata_follow(&load->metadata, &effect, &load->limits, err);
    if (!img_profile_fits(&load->metadata, load->image.view.format.color))
        img_metadata_drop(&load->metadata, "iCCP");
    if (status == IMG_OK && img_modified_is_due(&load->metadata, &effect)) {
        status = img_modified_time(getenv("SOURCE_DATE_EPOCH"), &now, err);
        img_modified_set(&load->metadata, now);
    }
    if (status == IMG_OK && dpi > 0)
        status = img_resolution_set(&load->metadata, dpi, err);
    return load_failure(load, status, err);
}

static void print_names(const Cut *cut)
{
    report_begin();
    for (int64_t i = 0; i < cut->count; i++) {
        text_clean(stdout, cut->names[i]);
        putchar('\n');
    }
    report_end();
}

static void note(Cutting *cutting, const Picture *picture)
{
    const Load *load = &picture->load;
    if (cutting->tiles->settings->dry_run != 0)
        return;
    pthread_mutex_lock(&cutting->lock);
    if (cutting->loss[0] == '\0' &&
        !img_encode_loss(cutting->format, &load->image, &load->metadata, cutting->loss))
        cutting->loss[0] = '\0';
    pthread_mutex_unlock(&cutting->lock);
}

/* Each thread encodes a tile of its own, beside the picture; of as many as was planned room for. */
static int writing_threads(const Cutting *cutting, const Picture *picture, const Cut *cut)
{
    const Load *load = &picture->load;
    const TilePlace first = tile_grid_place(&cut->grid, picture->shape, 0);
    const ImgShape tile = {first.width, first.height, picture->shape.format};
    const uint64_t each = cutting->format == IMG_FILE_PNG
                              ? img_png_encode_bytes(tile, load->settings->level, 1)
                              : img_encode_bytes(cutting->format, tile, &load->metadata);
    size_t pixels = 0;
    (void)img_shape_bytes(picture->shape, &pixels, NULL);
    const uint64_t room = load->room + IMG_PNG_OWN_BYTES;
    const uint64_t most = room > pixels && each > 0 ? (room - pixels) / each : 1;
    if (most >= (uint64_t)picture->threads)
        return picture->threads;
    return most > 0 ? (int)most : 1;
}

/* In the directory of the first tile, which is usually that of all. */
static void sweep(const Cutting *cutting, const Cut *cut)
{
    ImgOutput *first = NULL;
    if (cut->count > 0 && img_output_prepare(cut->names[0], NULL, &first, NULL) == IMG_OK)
        result_sweep(first, cutting->tiles->settings);
    img_output_discard(&first);
}

static ImgStatus write_picture(Cutting *cutting, Picture *picture, const Cut *cut, ImgError *err)
{
    const Settings *settings = cutting->tiles->settings;
    sweep(cutting, cut);
    ImgStatus status = follow_metadata(cutting, picture, cut, err);
    const TileFiles files = {
        .names = cut->names,
        .count = cut->count,
        .grid = &cut->grid,
        .image = &picture->load.image,
        .metadata = &picture->load.metadata,
        .format = cutting->format,
        .guard = cutting->tiles->guard,
        .no_clobber = settings->no_clobber != 0,
        .how = {
            .level = settings->level, .threads = 1, .index = true, .quality = settings->quality}};
    return status == IMG_OK ? tile_files_write(&files, picture->team,
                                               writing_threads(cutting, picture, cut), err)
                            : status;
}

static ImgStatus cut_picture(void *context, Picture *picture, ImgError *err)
{
    Cutting *cutting = context;
    ImgStatus status = picture->own == NULL ? name_tiles(cutting, picture, err) : IMG_OK;
    const Cut *cut = picture->own;
    if (status != IMG_OK || cut == NULL)
        return status;
    if (cutting->tiles->settings->dry_run != 0)
        print_names(cut);
    else
        status = write_picture(cutting, picture, cut, err);
    if (status == IMG_OK)
        note(cutting, picture);
    return status;
}

static void end_picture(void *context, Picture *picture)
{
    Cut *cut = picture->own;
    (void)context;
    if (cut != NULL)
        tile_list_free(cut->names, cut->count);
    free(cut);
}

/* --- All of them ------------------------------------------------------------------------------ */

/* What names no file of pictures, nor what differs from one to the next. */
static bool means_directory(const char *wanted)
{
    const char *slash = strrchr(wanted, '/');
    const char *name = slash != NULL ? slash + 1 : wanted;
    return strpbrk(name, ".{") == NULL;
}

static ImgStatus choose_pattern(Cutting *cutting, ImgError *err)
{
    struct stat info;
    const char *wanted = cutting->tiles->pattern;
    const bool exists = stat(wanted, &info) == 0;
    const bool is_directory = exists ? S_ISDIR(info.st_mode) : means_directory(wanted);
    if (strcmp(wanted, "-") == 0)
        return img_fail(err, IMG_E_USAGE, "tiles are files; use a pattern of names");
    cutting->pattern = is_directory ? tile_pattern_in(wanted) : strdup(wanted);
    if (cutting->pattern == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    return tile_pattern_check(cutting->pattern, err);
}

static ImgStatus find_format(Cutting *cutting, ImgError *err)
{
    ImgStatus status = img_file_format_from_path(cutting->pattern, &cutting->format, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", cutting->pattern);
    return status;
}

static ImgStatus check(Cutting *cutting, ImgError *err)
{
    const Tiles *tiles = cutting->tiles;
    const Settings *settings = tiles->settings;
    ImgStatus status = choose_pattern(cutting, err);
    if (status == IMG_OK && settings->tile_size == NULL)
        status = img_fail(err, IMG_E_USAGE, "give the tiles a size, as with --size 256x256");
    if (status == IMG_OK)
        status = tile_grid_parse(settings->tile_size, settings->overlap, &cutting->grid, err);
    if (status == IMG_OK)
        status = find_format(cutting, err);
    if (status == IMG_OK)
        status =
            tile_inputs_find(tiles->paths, tiles->count, cutting->pattern, &cutting->inputs, err);
    if (status != IMG_OK)
        img_error_prefix(err, "tiles");
    return status;
}

static void note_all(const Cutting *cutting)
{
    const Settings *settings = cutting->tiles->settings;
    const char *option;
    if (cutting->loss[0] != '\0')
        report_note(settings, "%s: %s", cutting->pattern, cutting->loss);
    for (int i = 0; (option = result_useless_option(settings, cutting->format, i)) != NULL; i++)
        report_note(settings, "%s: --%s has no effect on %s", cutting->pattern, option,
                    result_format_name(cutting->format));
}

static int cut_all(Cutting *cutting)
{
    const Tiles *tiles = cutting->tiles;
    const Pictures pictures = {.paths = tiles->paths,
                               .count = tiles->count,
                               .steps = tiles->steps,
                               .step_count = tiles->step_count,
                               .settings = tiles->settings,
                               .format = &cutting->format,
                               .plans_only = tiles->settings->dry_run != 0,
                               .planned = plan_picture,
                               .use = cut_picture,
                               .end = end_picture,
                               .context = cutting};
    size_t failed = 0;
    int code = pictures_run(&pictures, &failed);
    note_all(cutting);
    if (code == CLI_OK && tiles->missing > 0)
        code = tiles->missing_code;
    const bool is_of_one = tiles->count + tiles->missing == 1;
    return code == CLI_OK || code == CLI_NO_BACKEND || is_of_one ? code : CLI_SOME_FAILED;
}

int tiles_run(const Tiles *tiles)
{
    ImgError err = {IMG_OK, ""};
    Cutting cutting = {.tiles = tiles, .lock = PTHREAD_MUTEX_INITIALIZER};
    const int code = check(&cutting, &err) == IMG_OK ? cut_all(&cutting) : report_failure(&err);
    tile_inputs_free(&cutting.inputs);
    free(cutting.pattern);
    return code;
}
