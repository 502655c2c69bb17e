#include <stdlib.h>

#include "app/info.h"

static void add_density(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    InfoDensity density;
    if (!info_density(metadata, &density))
        return;
    cJSON *entry = json_object(object, "density", failed);
    json_number(entry, "x", density.x, failed);
    json_number(entry, "y", density.y, failed);
    json_string(entry, "unit", density.metres ? "metre" : "unknown", failed);
    if (density.metres) {
        json_number(entry, "dpi_x", info_dpi(density.x), failed);
        json_number(entry, "dpi_y", info_dpi(density.y), failed);
    }
}

static void add_colour_space(cJSON *object, const ImgMetadata *metadata, bool *failed)
{
    char *name = NULL;
    uint32_t size;
    double gamma;
    if (info_profile(metadata, &name, &size)) {
        cJSON *entry = json_object(object, "icc_profile", failed);
        json_string(entry, "name", name, failed);
        json_number(entry, "bytes", size, failed);
    }
    free(name);
    if (info_gamma(metadata, &gamma))
        json_number(object, "gamma", gamma, failed);
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

void info_add_json(cJSON *array, const Info *info, bool *failed)
{
    char text[INFO_TEXT];
    cJSON *object = json_object(array, NULL, failed);
    json_file_name(object, info->path, failed);
    json_number(object, "file_bytes", (double)info->file_bytes, failed);
    json_number(object, "width", info->shape.width, failed);
    json_number(object, "height", info->shape.height, failed);
    json_string(object, "color", img_color_name(info->shape.format.color), failed);
    json_number(object, "bits", info->shape.format.bits, failed);
    json_bool(object, "interlaced", info->metadata.interlaced, failed);
    json_number(object, "palette_colors", info->metadata.palette_size, failed);
    json_string(object, "transparency", info_transparency(info, text), failed);
    if (info->facts.orientation != 0)
        json_number(object, "orientation", info->facts.orientation, failed);
    add_density(object, &info->metadata, failed);
    add_colour_space(object, &info->metadata, failed);
    add_texts(object, &info->metadata, failed);
    add_chunks(object, &info->metadata, failed);
}
