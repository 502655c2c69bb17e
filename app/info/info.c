#include "app/info/info.h"

#include <stdlib.h>

#include "app/text/streams.h"
#include "app/text/text.h"
#include "io/metadata/gps.h"
#include "io/metadata/metadata_follow.h"
#include "io/size_text.h"
#include "io/source.h"

static void note_damage(Info *info, const char *const *lines)
{
    for (; *lines != NULL; lines++)
        text_append(info->damage, sizeof info->damage, "%s%s", info->damage[0] != '\0' ? "; " : "",
                    *lines);
}

/* Limits the file and its chunks to `memory` bytes, but not the number of pixels, because no pixel
 * is decoded. */
ImgStatus info_read(const char *path, uint64_t memory, Info *info, ImgError *err)
{
    const ImgLimits limits = {
        .max_pixels = UINT64_MAX, .max_memory = memory, .max_text = IMG_DEFAULT_MAX_TEXT};
    *info = (Info){.path = path, .metadata = IMG_METADATA_NONE};
    ImgSource *source = NULL;
    ImgStatus status = img_source_open_chunks(path, &limits, &source, err);
    if (status == IMG_OK)
        status = img_source_load(source, err);
    if (status == IMG_OK) {
        info->shape = img_source_shape(source);
        info->file_bytes = img_source_bytes(source);
        info->frames = img_source_frames(source);
        info->metadata = img_source_take_metadata(source);
        note_damage(info, img_source_warnings(source));
        (void)img_metadata_facts(&info->metadata, &limits, &info->facts, &info->doubt);
        if (info->doubt.status == IMG_E_MEMORY)
            status = img_fail(err, IMG_E_MEMORY, "%s", info->doubt.message);
    }
    img_source_close(source);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_input_name(path));
    return status;
}

void info_free(Info *info)
{
    img_metadata_free(&info->metadata);
}

static void print_label(FILE *out, const char *label)
{
    fprintf(out, "  %-14s", label);
}

/* Prints dots per inch with four significant digits, and larger numbers with all digits before the
 * point. */
static void print_dpi(FILE *out, double dpi)
{
    fprintf(out, dpi < 1000 ? "%.4g" : "%.0f", dpi);
}

static void print_density(FILE *out, const ImgMetadata *metadata)
{
    InfoDensity density;
    if (!info_density(metadata, &density))
        return;
    if (density.metres) {
        print_label(out, "resolution");
        print_dpi(out, info_dpi(density.x));
        fputs(" x ", out);
        print_dpi(out, info_dpi(density.y));
        fputs(" dpi\n", out);
    } else {
        print_label(out, "pixel ratio");
        fprintf(out, "%u : %u\n", density.x, density.y);
    }
}

static void print_profile(FILE *out, const InfoProfile *profile)
{
    ImgSizeText sizes[2];
    uint64_t bytes = profile->too_long ? IMG_DEFAULT_MAX_TEXT : profile->bytes;
    img_size_texts(bytes, profile->header_bytes, sizes);
    print_label(out, "ICC profile");
    fputc('"', out);
    text_clean(out, profile->name);
    fputc('"', out);
    if (bytes > 0)
        fprintf(out, ", %s%s", profile->too_long ? "over " : "", sizes[0].text);
    if (info_profile_damaged(profile))
        fputs(", damaged", out);
    if (info_profile_damaged(profile) && profile->header_bytes > 0)
        fprintf(out, ": its header says %s", sizes[1].text);
    fputc('\n', out);
}

static void print_colour_space(FILE *out, const ImgMetadata *metadata)
{
    InfoProfile profile;
    double gamma;
    if (info_profile(metadata, &profile)) {
        print_profile(out, &profile);
        info_profile_free(&profile);
    }
    if (info_gamma(metadata, &gamma)) {
        print_label(out, "gamma");
        fprintf(out, "%.5g\n", gamma);
    }
}

static void print_texts(FILE *out, const ImgMetadata *metadata)
{
    for (size_t i = 0; i < metadata->count; i++) {
        InfoText text;
        if (!info_text(&metadata->chunks[i], &text))
            continue;
        char size[IMG_SIZE_TEXT];
        print_label(out, "text");
        text_clean(out, text.keyword != NULL ? text.keyword : "?");
        fputs(": ", out);
        if (text.value != NULL)
            text_clean(out, text.value);
        else
            fprintf(out, "(%s%s)", img_size_text(text.bytes, size),
                    text.compressed ? ", compressed" : "");
        fputc('\n', out);
        info_text_free(&text);
    }
}

static void print_chunks(FILE *out, const ImgMetadata *metadata)
{
    print_label(out, "chunks");
    if (metadata->count == 0)
        fputs("only those that every PNG has", out);
    for (size_t i = 0; i < metadata->count; i++)
        fprintf(out, "%s%s (%u)", i > 0 ? ", " : "", metadata->chunks[i].type,
                metadata->chunks[i].size);
    fputc('\n', out);
}

static void print_transparency(FILE *out, const Info *info)
{
    unsigned entries = 0;
    print_label(out, "transparency");
    switch (info_transparency(info, &entries)) {
    case INFO_OPAQUE:
        fputs("none\n", out);
        break;
    case INFO_ALPHA:
        fputs("alpha channel\n", out);
        break;
    case INFO_TRANSPARENT_COLOR:
        fputs("one colour\n", out);
        break;
    case INFO_TRANSPARENT_ENTRIES:
        fprintf(out, "%u palette entr%s\n", entries, entries == 1 ? "y" : "ies");
        break;
    }
}

static void print_orientation(FILE *out, const Info *info)
{
    if (info->facts.orientation == 0 && info->doubt.status == IMG_OK)
        return;
    print_label(out, "orientation");
    if (info->doubt.status != IMG_OK)
        fprintf(out, "unknown: %s\n", info->doubt.message);
    else
        fprintf(out, "%d%s\n", info->facts.orientation,
                info->facts.orientation == 1 ? "" : " (autorotate turns it upright)");
}

static void print_gps(FILE *out, const ImgMetadata *metadata)
{
    ImgGps gps;
    if (!img_gps_find(metadata, &gps))
        return;
    print_label(out, "GPS");
    if (gps.has_place)
        fprintf(out, "%.6f, %.6f (--strip=gps leaves it out)\n", gps.latitude, gps.longitude);
    else
        fputs("yes (--strip=gps leaves it out)\n", out);
}

static void print_copyright(FILE *out, const ImgMetadata *metadata)
{
    char *text = info_copyright(metadata);
    if (text == NULL)
        return;
    print_label(out, "copyright");
    text_clean(out, text);
    fputc('\n', out);
    free(text);
}

void info_print(FILE *out, const Info *info)
{
    char size[IMG_SIZE_TEXT];
    text_clean(out, img_streams_input_name(info->path));
    fputc('\n', out);
    print_label(out, "size");
    fprintf(out, "%d x %d\n", info->shape.width, info->shape.height);
    print_label(out, "colour");
    fprintf(out, "%s, %d bit%s%s\n", img_color_name(info->shape.format.color),
            info->shape.format.bits, info->shape.format.bits == 1 ? "" : "s",
            info->metadata.interlaced ? ", interlaced" : "");
    if (info->metadata.palette_size > 0) {
        print_label(out, "palette");
        fprintf(out, "%d colour%s\n", info->metadata.palette_size,
                info->metadata.palette_size == 1 ? "" : "s");
    }
    print_transparency(out, info);
    print_orientation(out, info);
    if (info->frames > 0) {
        print_label(out, "animation");
        fprintf(out, "%u frame%s (only the still picture is read)\n", info->frames,
                info->frames == 1 ? "" : "s");
    }
    print_density(out, &info->metadata);
    print_colour_space(out, &info->metadata);
    print_gps(out, &info->metadata);
    print_copyright(out, &info->metadata);
    print_texts(out, &info->metadata);
    print_chunks(out, &info->metadata);
    print_label(out, "file");
    fprintf(out, "%s\n", img_size_text(info->file_bytes, size));
}
