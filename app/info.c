#include "app/info.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "app/machine.h"
#include "app/report.h"
#include "app/text.h"
#include "io/human.h"
#include "io/source.h"

/* No pixel is decoded, so a picture may be as large as it likes; only the file must fit. */
static ImgStatus choose_limits(const char *path, ImgLimits *limits, ImgError *err)
{
    uint64_t memory = machine_memory() / 4 * 3;
    *limits = (ImgLimits){UINT64_MAX, memory, IMG_DEFAULT_MAX_TEXT};
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return IMG_OK; /* a pipe may be endless: it keeps the limit */
    if ((uint64_t)status.st_size > memory)
        return img_fail(err, IMG_E_LIMIT, "the file is larger than three quarters of the memory");
    limits->max_memory = UINT64_MAX;
    return IMG_OK;
}

ImgStatus info_read(const char *path, Info *info, ImgError *err)
{
    *info = (Info){.path = path, .metadata = IMG_METADATA_NONE};
    ImgSource *source = NULL;
    ImgLimits limits;
    ImgStatus status = choose_limits(path, &limits, err);
    if (status == IMG_OK)
        status = img_source_open(path, &limits, &source, err);
    if (status == IMG_OK)
        status = img_source_load(source, err);
    if (status == IMG_OK) {
        info->shape = img_source_shape(source);
        info->file_bytes = img_source_bytes(source);
        info->metadata = img_source_take_metadata(source);
        status = img_metadata_facts(&info->metadata, &limits, &info->facts, err);
    }
    img_source_close(source);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", report_input_name(path));
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

static void print_density(FILE *out, const ImgMetadata *metadata)
{
    InfoDensity density;
    if (!info_density(metadata, &density))
        return;
    if (density.metres) {
        print_label(out, "resolution");
        fprintf(out, "%.4g x %.4g dpi\n", info_dpi(density.x), info_dpi(density.y));
    } else {
        print_label(out, "pixel ratio");
        fprintf(out, "%u : %u\n", density.x, density.y);
    }
}

static void print_colour_space(FILE *out, const ImgMetadata *metadata)
{
    char *name = NULL;
    uint32_t size;
    double gamma;
    if (info_profile(metadata, &name, &size)) {
        char text[IMG_SIZE_TEXT];
        print_label(out, "ICC profile");
        fputc('"', out);
        text_clean(out, name);
        fprintf(out, "\", %s\n", size > 0 ? img_size_text(size, text) : "damaged");
    }
    free(name);
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

void info_print(FILE *out, const Info *info)
{
    char text[INFO_TEXT], size[IMG_SIZE_TEXT];
    const char *transparency = info_transparency(info, text);
    text_clean(out, report_input_name(info->path));
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
    print_label(out, "transparency");
    fprintf(out, "%s\n", transparency != NULL ? transparency : "none");
    if (info->facts.orientation != 0) {
        print_label(out, "orientation");
        fprintf(out, "%d%s\n", info->facts.orientation,
                info->facts.orientation == 1 ? "" : " (autorotate turns it upright)");
    }
    print_density(out, &info->metadata);
    print_colour_space(out, &info->metadata);
    print_texts(out, &info->metadata);
    print_chunks(out, &info->metadata);
    print_label(out, "file");
    fprintf(out, "%s\n", img_size_text(info->file_bytes, size));
}
