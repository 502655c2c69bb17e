#include <math.h>
#include <stdlib.h>

#include "app/info/info.h"
#include "app/text/json.h"
#include "io/metadata/gps.h"

static const char *const transparency_names[] = {
    [INFO_OPAQUE] = NULL,
    [INFO_ALPHA] = "alpha",
    [INFO_TRANSPARENT_COLOR] = "color",
    [INFO_TRANSPARENT_ENTRIES] = "palette",
};

static void add_density(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    InfoDensity density;
    if (!info_density(metadata, &density)) {
        json_null(object, "density", failed);
        return;
    }
    cJSON *entry = json_object(object, "density", failed);
    json_number(entry, "x", density.x, failed);
    json_number(entry, "y", density.y, failed);
    json_string(entry, "unit", density.metres ? "metre" : NULL, failed);
    json_number(entry, "dpi_x", density.metres ? info_dpi(density.x) : NAN, failed);
    json_number(entry, "dpi_y", density.metres ? info_dpi(density.y) : NAN, failed);
}

static void add_positive(cJSON *object, const char *name, double number, bool *failed)
{
    json_number(object, name, number > 0 ? number : NAN, failed);
}

static void add_profile(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    InfoProfile profile;
    if (!info_profile(metadata, &profile)) {
        json_null(object, "icc_profile", failed);
        return;
    }
    cJSON *entry = json_object(object, "icc_profile", failed);
    json_string(entry, "name", profile.name, failed);
    add_positive(entry, "bytes", (double)profile.bytes, failed);
    add_positive(entry, "header_bytes", profile.header_bytes, failed);
    json_bool(entry, "damaged", info_profile_damaged(&profile), failed);
    info_profile_free(&profile);
}

static void add_gps(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    ImgGps gps;
    if (!img_gps_find(metadata, &gps)) {
        json_null(object, "gps", failed);
        return;
    }
    cJSON *entry = json_object(object, "gps", failed);
    json_number(entry, "latitude", gps.has_place ? gps.latitude : NAN, failed);
    json_number(entry, "longitude", gps.has_place ? gps.longitude : NAN, failed);
}

static void add_copyright(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    char *text = info_copyright(metadata);
    json_string(object, "copyright", text, failed);
    free(text);
}

static void add_texts(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    cJSON *texts = json_array(object, "texts", failed);
    for (size_t i = 0; i < metadata->count; i++) {
        InfoText text;
        if (!info_text(&metadata->chunks[i], &text))
            continue;
        cJSON *entry = json_object(texts, NULL, failed);
        json_string(entry, "keyword", text.keyword, failed);
        json_string(entry, "value", text.value, failed);
        json_number(entry, "bytes", (double)text.bytes, failed);
        json_bool(entry, "compressed", text.compressed, failed);
        info_text_free(&text);
    }
}

static void add_chunks(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    cJSON *chunks = json_array(object, "chunks", failed);
    for (size_t i = 0; i < metadata->count; i++) {
        cJSON *entry = json_object(chunks, NULL, failed);
        json_string(entry, "type", metadata->chunks[i].type, failed);
        json_number(entry, "bytes", metadata->chunks[i].size, failed);
    }
}

static void add_nothing_known(cJSON *object, bool *failed)
{
    static const char *const keys[] = {
        "bytes",       "interlaced", "palette_colors", "transparency", "transparent_entries",
        "orientation", "density",    "icc_profile",    "gamma",        "frames",
        "gps",         "copyright",  "texts",          "chunks"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_null(object, keys[i], failed);
}

static void add_contents(cJSON *object, const Info *info, bool *failed)
{
    const ImgMetadata *metadata = &info->metadata;
    unsigned entries = 0;
    double gamma = NAN;
    InfoTransparency transparency = info_transparency(info, &entries);
    (void)info_gamma(metadata, &gamma);
    json_count(object, "bytes", info->file_bytes, failed);
    json_bool(object, "interlaced", metadata->interlaced, failed);
    add_positive(object, "palette_colors", metadata->palette_size, failed);
    json_string(object, "transparency", transparency_names[transparency], failed);
    json_number(object, "transparent_entries",
                transparency == INFO_TRANSPARENT_ENTRIES ? entries : NAN, failed);
    add_positive(object, "orientation", info->facts.orientation, failed);
    add_density(object, metadata, failed);
    add_profile(object, metadata, failed);
    json_number(object, "gamma", gamma, failed);
    add_positive(object, "frames", info->frames, failed);
    add_gps(object, metadata, failed);
    add_copyright(object, metadata, failed);
    add_texts(object, metadata, failed);
    add_chunks(object, metadata, failed);
}

void info_add_json(cJSON *array, const Info *info, const ImgError *failure, bool *failed)
{
    cJSON *object = json_object(array, NULL, failed);
    json_file_name(object, info->path, failed);
    if (failure->status == IMG_OK)
        json_outcome(object, "done", IMG_OK,
                     info->damage[0] != '\0' ? info->damage : info->doubt.message, failed);
    else
        json_done_or_failed(object, failure, failed);
    json_shape(object, info->shape, failed);
    if (failure->status == IMG_OK)
        add_contents(object, info, failed);
    else
        add_nothing_known(object, failed);
}
