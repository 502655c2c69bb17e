#include "app/tiles/tiles.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "app/job/load.h"
#include "app/sched/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "app/text/text.h"
#include "app/tiles/tile_grid.h"
#include "app/tiles/tile_list.h"
#include "app/tiles/tile_names.h"
#include "io/encode.h"
#include "io/metadata/metadata_follow.h"
#include "kernels/core/minmax.h"

typedef struct Tiles {
    const char *input, *pattern;
    const Settings *settings;
    TileGrid grid;
    Load load;
    char **names; /* owned: tile_list_make */
    int64_t count;
    ImgFileFormat format;
    pthread_mutex_t lock; /* of what follows */
    ImgError *err;
    ImgStatus status;
    const char *loss; /* what the format does not hold; NULL: nothing is lost */
} Tiles;

static ImgStatus name_tiles(Tiles *tiles, ImgError *err)
{
    tile_grid_fit(&tiles->grid, tiles->load.raw);
    tiles->count = tiles->grid.columns * tiles->grid.rows;
    ImgStatus status =
        tile_list_make(tiles->pattern, &tiles->grid, tiles->load.raw, &tiles->names, err);
    return status == IMG_OK ? tile_list_check(tiles->names, tiles->count, tiles->input, err)
                            : status;
}

/* --- Files ------------------------------------------------------------------------------------ */

static ImgStatus write_tile(Tiles *tiles, int64_t number, ImgError *err)
{
    const Load *load = &tiles->load;
    const TilePlace place = tile_grid_place(&tiles->grid, load->raw, number);
    const ImgImage tile = {
        img_view_crop(&load->image.view, place.x, place.y, place.width, place.height), 0};
    const ImgEncodeOptions how = {.level = tiles->settings->level,
                                  .threads = 1,
                                  .index = true,
                                  .quality = tiles->settings->quality};
    ImgOutput *output = NULL;
    ImgStatus status = img_output_open(tiles->names[number], interrupt_hooks(), &output, err);
    if (status == IMG_OK)
        status = img_encode(tiles->format, &tile, &load->metadata, &how, output, NULL, err);
    if (status == IMG_OK)
        status = img_output_commit(&output, err);
    img_output_discard(&output);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", tiles->names[number]);
    return status;
}

static bool has_failed(Tiles *tiles)
{
    pthread_mutex_lock(&tiles->lock);
    const bool failed = tiles->status != IMG_OK;
    pthread_mutex_unlock(&tiles->lock);
    return failed;
}

/* The first failure is told. */
static void note_failure(Tiles *tiles, const ImgError *failure)
{
    pthread_mutex_lock(&tiles->lock);
    if (tiles->status == IMG_OK)
        tiles->status = img_fail(tiles->err, failure->status, "%s", failure->message);
    pthread_mutex_unlock(&tiles->lock);
}

static void write_tiles(void *context, int64_t first, int64_t end)
{
    Tiles *tiles = context;
    for (int64_t i = first; i < end && !has_failed(tiles); i++) {
        ImgError failure = {IMG_OK, ""};
        if (write_tile(tiles, i, &failure) != IMG_OK)
            note_failure(tiles, &failure);
    }
}

static ImgStatus decode(Tiles *tiles, ImgTeam *team, int threads, ImgError *err)
{
    const ImgEffect effect = {.cropped = tiles->count > 1};
    Load *load = &tiles->load;
    ImgStatus status = load_decode(load, team, threads, err);
    if (status == IMG_OK)
        status = load_failure(
            load, img_metadata_follow(&load->metadata, &effect, &load->limits, err), err);
    if (status == IMG_OK)
        tiles->loss = img_encode_loss(tiles->format, &load->image, &load->metadata);
    return status;
}

/* Each thread encodes a tile at a time. */
static uint64_t memory_for(const Tiles *tiles, int threads)
{
    const ImgShape tile = {img_min32(tiles->grid.width, tiles->load.raw.width),
                           img_min32(tiles->grid.height, tiles->load.raw.height),
                           tiles->load.raw.format};
    const uint64_t each =
        img_encode_bytes(tiles->format, tile, img_source_metadata(tiles->load.source));
    return load_bytes(&tiles->load) + each * (uint64_t)threads;
}

static ImgStatus cut(Tiles *tiles, ImgError *err)
{
    const int threads = resources_wanted_threads(tiles->settings);
    const uint64_t need = memory_for(tiles, threads);
    ImgStatus status = load_failure(
        &tiles->load, resources_check_memory(tiles->load.raw, need, &tiles->load.limits, err), err);
    if (status != IMG_OK)
        return status;
    ImgTeam *team = resources_team(need);
    status = decode(tiles, team, threads, err);
    if (status == IMG_OK) {
        tiles->err = err;
        img_parallel_for(team, threads, tiles->count, write_tiles, tiles);
        status = tiles->status;
    }
    img_team_free(team);
    return status;
}

/* --- The whole -------------------------------------------------------------------------------- */

static ImgStatus check_animation(const Tiles *tiles, ImgError *err)
{
    if (!img_source_is_animated(tiles->load.source) || tiles->settings->force != 0)
        return IMG_OK;
    ImgStatus status =
        img_fail(err, IMG_E_UNSUPPORTED,
                 "is animated, and only the still picture would be kept; --force keeps that");
    return load_failure(&tiles->load, status, err);
}

static void print_names(const Tiles *tiles)
{
    report_begin();
    for (int64_t i = 0; i < tiles->count; i++) {
        text_clean(stdout, tiles->names[i]);
        putchar('\n');
    }
    report_end();
}

static void print_notes(const Tiles *tiles)
{
    const char *input = streams_input_name(tiles->input);
    for (const char *const *line = img_source_warnings(tiles->load.source); *line != NULL; line++)
        report_note(tiles->settings, "%s: %s", input, *line);
    if (tiles->loss != NULL)
        report_note(tiles->settings, "%s: %s", tiles->pattern, tiles->loss);
}

static ImgStatus check(Tiles *tiles, ImgError *err)
{
    ImgStatus status = tile_pattern_check(tiles->pattern, err);
    if (status == IMG_OK && tiles->settings->tile_size == NULL)
        status = img_fail(err, IMG_E_USAGE, "give the tiles a size, as with --size 256x256");
    if (status == IMG_OK)
        status = tile_grid_parse(tiles->settings->tile_size, tiles->settings->overlap, &tiles->grid,
                                 err);
    if (status == IMG_OK)
        status = img_file_format_from_path(tiles->pattern, &tiles->format, err);
    if (status == IMG_OK && strcmp(tiles->pattern, "-") == 0)
        status = img_fail(err, IMG_E_USAGE, "tiles are files; use a pattern of names");
    if (status != IMG_OK)
        img_error_prefix(err, "tiles");
    return status;
}

static ImgStatus load_and_cut(Tiles *tiles, ImgError *err)
{
    ImgStatus status = load_open(&tiles->load, err);
    if (status == IMG_OK)
        status = load_read(&tiles->load, err);
    if (status == IMG_OK)
        status = check_animation(tiles, err);
    if (status == IMG_OK)
        status = name_tiles(tiles, err);
    if (status != IMG_OK)
        return status;
    if (tiles->settings->dry_run != 0)
        print_names(tiles);
    else
        status = cut(tiles, err);
    if (status == IMG_OK)
        print_notes(tiles);
    return status;
}

ImgStatus tiles_run(const char *input, const char *pattern, const Settings *settings, ImgError *err)
{
    Tiles tiles = {.input = input,
                   .pattern = pattern,
                   .settings = settings,
                   .load = load_begin(input, settings, false),
                   .lock = PTHREAD_MUTEX_INITIALIZER};
    ImgStatus status = check(&tiles, err);
    if (status == IMG_OK)
        status = load_and_cut(&tiles, err);
    tile_list_free(tiles.names, tiles.count);
    load_end(&tiles.load);
    return status;
}
