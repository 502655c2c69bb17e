#include "app/tiles/tiles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/exit_code.h"
#include "app/engine/pictures.h"
#include "app/engine/result.h"
#include "app/engine/share/adapt.h"
#include "app/engine/share/resources.h"
#include "app/files/made_files.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "app/tiles/tile_list.h"
#include "app/tiles/tiles_priv.h"
#include "io/encode.h"
#include "io/metadata/metadata_follow.h"
#include "io/step_files.h"
#include "kernels/core/minmax.h"

typedef struct Cutting {
    const ManyPictures *tiles;
    MadeFiles *made; /* tiles that were made; each tile is checked not to replace one of them */
    TileLayout layout;
    ImgFileFormat format;
    TileInputs inputs;
    pthread_mutex_t lock;     /* protects the fields below */
    char loss[IMG_LOSS_TEXT]; /* what the format of the tiles cannot store; "": nothing is lost */
} Cutting;

/* --- One picture ------------------------------------------------------------------------------ */

static ImgStatus check_animation(const Cutting *cutting, const JobPicture *picture, ImgError *err)
{
    const Load *load = picture->load;
    if (!img_source_is_animated(load->source) || cutting->tiles->settings->force != 0)
        return IMG_OK;
    ImgStatus status = img_fail(
        err, IMG_E_UNSUPPORTED,
        "is animated, and the animation would be lost; use --force to keep the still picture");
    return img_load_failure(load, status, err);
}

static ImgStatus check_count(const Cutting *cutting, const JobPicture *picture, const TileCut *cut,
                             ImgError *err)
{
    const uint64_t most = cutting->tiles->settings->max_tiles;
    if ((uint64_t)cut->count <= most)
        return IMG_OK;
    ImgStatus status = img_fail(err, IMG_E_LIMIT,
                                "%lld tiles of %d x %d are more than the limit of %llu; use a "
                                "larger --size, or raise the limit with --max-tiles",
                                (long long)cut->count, cut->levels[0].grid.width,
                                cut->levels[0].grid.height, (unsigned long long)most);
    return img_load_failure(picture->load, status, err);
}

static ImgStatus check_step_files(const ManyPictures *tiles, const TileCut *cut, ImgError *err)
{
    for (int64_t i = 0; i < cut->files; i++)
        if (img_step_files_find_same(tiles->steps, tiles->step_count, cut->names[i]) != NULL)
            return img_fail(err, IMG_E_USAGE,
                            "%s: is a file that a step reads; choose another pattern",
                            cut->names[i]);
    return IMG_OK;
}

static ImgStatus name_tiles(const Cutting *cutting, JobPicture *picture, ImgError *err)
{
    const TileLayout *layout = &cutting->layout;
    TileCut *cut = calloc(1, sizeof *cut); /* stored in Picture.own, and freed by end_picture */
    if (cut == NULL)
        return img_load_failure(picture->load, img_fail(err, IMG_E_MEMORY, "no memory"), err);
    picture->own = cut;
    ImgStatus status =
        img_load_failure(picture->load, tile_cut_levels(layout, picture->shape, cut, err), err);
    if (status == IMG_OK)
        status = check_count(cutting, picture, cut, err);
    if (status == IMG_OK)
        status = tile_cut_names(layout, picture->load->path, cut, err);
    if (status == IMG_OK)
        status = tile_list_check(cut->names, cut->files, &cutting->inputs,
                                 cutting->tiles->settings->engine.no_clobber != 0, err);
    return status == IMG_OK ? check_step_files(cutting->tiles, cut, err) : status;
}

/* Makes the names of the tiles, unless a step must first measure the size of the picture. In that
 * case cut_picture makes them. */
static ImgStatus plan_picture(void *context, JobPicture *picture, ImgError *err)
{
    const Cutting *cutting = context;
    ImgStatus status = check_animation(cutting, picture, err);
    if (status == IMG_OK && !img_steps_measure(picture->steps, cutting->tiles->step_count))
        status = name_tiles(cutting, picture, err);
    return status;
}

/* Adapts the metadata to a pyramid, where it is the same for all levels. It must not contain the
 * physical size of a pixel, nor facts that apply only to samples of fewer than 8 bits. The
 * orientation is dropped, since viewers show tiles as they are stored. */
static void suit_pyramid(Load *load, ImgEffect *effect)
{
    ImgFacts facts = {0};
    (void)img_metadata_facts(&load->metadata, &load->limits, &facts, NULL);
    if (facts.orientation > 1 && !effect->upright)
        img_engine_note(
            load->options,
            "%s: the orientation (%d) is dropped, so that the tiles appear rotated; use "
            "--steps autorotate",
            img_streams_input_name(load->path), facts.orientation);
    effect->values_changed = true;
    effect->upright = true;
    effect->depth_changed |= load->image.view.format.bits < 8;
    img_metadata_drop(&load->metadata, "sCAL");
}

static ImgStatus follow_metadata(const Cutting *cutting, JobPicture *picture, const TileCut *cut,
                                 ImgError *err)
{
    Load *load = picture->load;
    ImgPalette palette;
    MetadataChange change = {
        .effect = img_steps_effect(picture->steps, cutting->tiles->step_count, load->shape),
        .palette = img_steps_palette(picture->steps, cutting->tiles->step_count, &palette)
                       ? &palette
                       : NULL,
        .result = load->image.view.format,
        .keep = IMG_KEEP_EVERYTHING,
        .fits_profile = true,
        .dpi = load->options->dpi,
        .limits = &load->limits,
    };
    change.effect.cropped |= cut->count > 1;
    if (cutting->layout.is_pyramid)
        suit_pyramid(load, &change.effect);
    const ImgStatus status = img_adapt_metadata(&load->metadata, &change, NULL, err);
    return img_load_failure(load, status, err);
}

static void print_names(const TileCut *cut)
{
    report_begin();
    for (int64_t i = 0; i < cut->files; i++) {
        text_clean(stdout, cut->names[i]);
        putchar('\n');
    }
    report_end();
}

static void note(Cutting *cutting, const JobPicture *picture)
{
    const Load *load = picture->load;
    if (cutting->tiles->settings->dry_run != 0)
        return;
    pthread_mutex_lock(&cutting->lock);
    if (cutting->loss[0] == '\0' &&
        !img_encode_loss(cutting->format, &load->image, &load->metadata, cutting->loss))
        cutting->loss[0] = '\0';
    pthread_mutex_unlock(&cutting->lock);
}

/* Returns the number of threads that write tiles. Each thread encodes its own tile while the
 * picture is in memory, so the available memory limits the number of threads. */
static int writing_threads(const Cutting *cutting, const JobPicture *picture,
                           const TileLevel *level)
{
    const Load *load = picture->load;
    const TilePlace first = tile_grid_place(&level->grid, level->shape, 0);
    /* Number of pixels that a tile gets from the previous tile. Tile 0 has no previous tile. */
    const uint64_t margin = (uint64_t)level->grid.margin;
    const ImgShape tile = {
        (int32_t)img_min64((uint64_t)first.width + margin, (uint64_t)level->shape.width),
        (int32_t)img_min64((uint64_t)first.height + margin, (uint64_t)level->shape.height),
        level->shape.format};
    const uint64_t each = cutting->format == IMG_FILE_PNG
                              ? img_png_encode_bytes(tile, load->options->level, 1, 1)
                              : img_encode_bytes(cutting->format, tile, &load->metadata);
    /* A picture in temporary files takes no memory, but each thread has a copy of its tile. */
    const bool is_stored = load->store != NULL;
    const uint64_t pixels = is_stored ? 0 : img_image_bytes(level->shape);
    const uint64_t copy = is_stored ? img_image_bytes(tile) : 0;
    const uint64_t room = load->room + IMG_PNG_OWN_BYTES;
    const uint64_t most = room > pixels && each > 0 ? (room - pixels) / (each + copy) : 1;
    if (most >= (uint64_t)picture->threads)
        return picture->threads;
    return most > 0 ? (int)most : 1;
}

static void sweep_beside(const char *name, const Settings *settings)
{
    ImgOutput *output = NULL;
    if (img_output_prepare(name, NULL, &output, NULL) == IMG_OK)
        img_result_sweep(output, &settings->engine);
    img_output_discard(&output);
}

/* Removes temporary files of earlier runs that were killed. Looks for them in the directory of the
 * first tile of each level, which usually contains all tiles of the level. */
static void sweep(const Cutting *cutting, const TileCut *cut)
{
    for (int i = 0; i < cut->level_count; i++)
        sweep_beside(cut->names[cut->levels[i].first], cutting->tiles->settings);
    if (cutting->layout.is_pyramid)
        sweep_beside(cut->names[cut->count], cutting->tiles->settings);
}

/* Returns the job that writes `count` tiles, from number `first` on. `grid` must be fitted to the
 * image. */
static TileFiles files_from(const Cutting *cutting, const JobPicture *picture, const TileCut *cut,
                            int64_t first, int64_t count, const TileGrid *grid)
{
    const Settings *settings = cutting->tiles->settings;
    return (TileFiles){.names = cut->names + first,
                       .made = cut->made + first,
                       .count = count,
                       .grid = grid,
                       .image = &picture->load->image,
                       .metadata = &picture->load->metadata,
                       .format = cutting->format,
                       .guard = made_files_guard(cutting->made),
                       .no_clobber = settings->engine.no_clobber != 0,
                       .how = {.level = settings->engine.level,
                               .threads = 1,
                               .index = true,
                               .quality = settings->engine.quality}};
}

static ImgStatus write_level(const Cutting *cutting, const JobPicture *picture, const TileCut *cut,
                             const TileLevel *level, ImgError *err)
{
    const TileFiles files =
        files_from(cutting, picture, cut, level->first, level->count, &level->grid);
    return tile_files_write(&files, picture->team, writing_threads(cutting, picture, level), err);
}

/* Writes the descriptor after all tiles, so that viewers do not find the descriptor before the
 * tiles. */
static ImgStatus write_descriptor(const Cutting *cutting, const JobPicture *picture,
                                  const TileCut *cut, ImgError *err)
{
    char text[PYRAMID_TEXT];
    const TileFiles files = files_from(cutting, picture, cut, 0, cut->count, NULL);
    pyramid_describe(&cutting->layout.grid, cut->levels[0].shape, text);
    return tile_files_write_text(&files, text, err);
}

/* Replaces the image by the image of the next level, which has half the size. */
static ImgStatus halve(const Cutting *cutting, JobPicture *picture, ImgError *err)
{
    ImgStep step = cutting->layout.halve; /* a copy, because several threads use the layout */
    const ImgStatus status =
        img_exec_run(picture->exec, &step, 1, &picture->load->image, NULL, err);
    return img_load_failure(picture->load, status, err);
}

static ImgStatus write_files(const Cutting *cutting, JobPicture *picture, const TileCut *cut,
                             ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && i < cut->level_count; i++) {
        if (i > 0)
            status = halve(cutting, picture, err);
        if (status == IMG_OK)
            status = write_level(cutting, picture, cut, &cut->levels[i], err);
    }
    return status == IMG_OK && cutting->layout.is_pyramid
               ? write_descriptor(cutting, picture, cut, err)
               : status;
}

static ImgStatus write_picture(const Cutting *cutting, JobPicture *picture, const TileCut *cut,
                               ImgError *err)
{
    sweep(cutting, cut);
    ImgStatus status = follow_metadata(cutting, picture, cut, err);
    if (status == IMG_OK)
        status = write_files(cutting, picture, cut, err);
    if (status != IMG_OK)
        tile_files_remove(cut->names, cut->made, cut->files);
    return status;
}

static ImgStatus cut_picture(void *context, JobPicture *picture, ImgError *err)
{
    Cutting *cutting = context;
    ImgStatus status = picture->own == NULL ? name_tiles(cutting, picture, err) : IMG_OK;
    const TileCut *cut = picture->own;
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

static void end_picture(void *context, JobPicture *picture)
{
    TileCut *cut = picture->own;
    (void)context;
    if (cut != NULL)
        tile_cut_free(cut);
    free(cut);
}

/* --- All pictures ----------------------------------------------------------------------------- */

static ImgStatus find_format(Cutting *cutting, ImgError *err)
{
    cutting->format = IMG_FILE_PNG;
    if (cutting->layout.is_pyramid)
        return IMG_OK;
    ImgStatus status = img_file_format_from_path(cutting->layout.pattern, &cutting->format, err);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", cutting->layout.pattern);
    return status;
}

/* Loads the files that steps name, and checks everything that is known before a picture is opened.
 */
static ImgStatus prepare(Cutting *cutting, ImgError *err)
{
    const ManyPictures *tiles = cutting->tiles;
    ImgStatus status = img_resources_load_step_files(
        tiles->step_files, tiles->steps, tiles->step_count, &tiles->settings->engine, err);
    if (status == IMG_OK && cutting->made == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    if (status == IMG_OK)
        status = tile_layout_choose(&cutting->layout, tiles->last, tiles->settings, err);
    if (status == IMG_OK)
        status = find_format(cutting, err);
    if (status == IMG_OK)
        status = tile_inputs_find(tiles->inputs->paths, tiles->inputs->count,
                                  cutting->layout.pattern, &cutting->inputs, err);
    if (status != IMG_OK)
        img_error_prefix(err, "tiles");
    return status;
}

static void note_all(const Cutting *cutting)
{
    const Settings *settings = cutting->tiles->settings;
    if (cutting->loss[0] != '\0')
        img_engine_note(&settings->engine, "%s: %s", cutting->layout.pattern, cutting->loss);
    img_result_note_useless(&settings->engine, cutting->layout.pattern, cutting->format);
}

static void note_failure(void *context, const ImgError *failure)
{
    (void)context;
    (void)report_failure(failure);
}

static int cut_all(Cutting *cutting)
{
    const ManyPictures *tiles = cutting->tiles;
    const Pictures pictures = {
        .paths = tiles->inputs->paths,
        .count = tiles->inputs->count,
        .steps = tiles->steps,
        .step_count = tiles->step_count,
        .again = cutting->layout.is_pyramid ? &cutting->layout.halve : NULL,
        .options = &tiles->settings->engine,
        .failed = note_failure,
        .format = &cutting->format,
        .scratch = {.directory = img_resources_scratch()},
        .plans_only = tiles->settings->dry_run != 0,
        .functions = {
            .planned = plan_picture, .use = cut_picture, .end = end_picture, .context = cutting}};
    size_t failed = 0;
    int code = exit_code_of(img_pictures_run(&pictures, &failed));
    note_all(cutting);
    if (code == CLI_OK && tiles->inputs->failures > 0)
        code = tiles->inputs->failure_code;
    const bool is_of_one = tiles->inputs->count + tiles->inputs->failures == 1;
    return code == CLI_OK || code == CLI_NO_BACKEND || is_of_one ? code : CLI_SOME_FAILED;
}

int tiles_run(const ManyPictures *tiles)
{
    ImgError err = {IMG_OK, ""};
    Cutting cutting = {
        .tiles = tiles, .made = made_files_create(), .lock = PTHREAD_MUTEX_INITIALIZER};
    const int code = prepare(&cutting, &err) == IMG_OK ? cut_all(&cutting) : report_failure(&err);
    made_files_free(cutting.made);
    tile_inputs_free(&cutting.inputs);
    tile_layout_free(&cutting.layout);
    return code;
}
