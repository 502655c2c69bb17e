#include "app/stats/subject.h"

#include "app/text/amounts.h"
#include "app/text/csv.h"
#include "app/text/streams.h"
#include "app/text/text.h"

Subject subject_picture(const Measured *measured)
{
    return (Subject){.path = measured->path, .shape = measured->shape, .tables = measured->tables};
}

Subject subject_failed(const Measured *measured, const ImgError *failure)
{
    return (Subject){.path = measured->path,
                     .shape = measured->shape,
                     .tables = TABLES_NONE,
                     .failure = failure};
}

Subject subject_total(const Total *total)
{
    return (Subject){.files = total->files, .mixed = total->mixed, .tables = total_tables(total)};
}

const char *luma_name(ImgLuma luma)
{
    static const char *const names[] = {
        [IMG_LUMA_NONE] = "none", [IMG_LUMA_709] = "709", [IMG_LUMA_601] = "601"};
    return names[luma];
}

const char *channel_label(Channel channel, ImgLuma luma, char text[CHANNEL_LABEL])
{
    bool is_luma = channel == CHANNEL_LUMA;
    snprintf(text, CHANNEL_LABEL, "%s%s%s", channel_name(channel), is_luma ? " " : "",
             is_luma ? luma_name(luma) : "");
    return text;
}

static void print_bits(FILE *out, int bits)
{
    fprintf(out, "%d bit%s", bits, bits == 1 ? "" : "s");
}

void subject_print(FILE *out, const Subject *subject)
{
    char counted[AMOUNT_TEXT], all[AMOUNT_TEXT];
    img_amount_print_count(subject->tables.pixels, counted);
    if (subject->path == NULL) {
        fprintf(out, "total of %zu file%s: %s pixels, %s", subject->files,
                subject->files == 1 ? "" : "s", counted, subject->mixed ? "scaled to " : "");
        print_bits(out, subject->tables.bits);
        fputc('\n', out);
        return;
    }
    ImgShape shape = subject->shape;
    uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    text_clean(out, img_streams_input_name(subject->path));
    fprintf(out, ": %d x %d, %s, ", shape.width, shape.height, img_color_name(shape.format.color));
    print_bits(out, shape.format.bits);
    if (shape.format.bits != subject->tables.bits)
        fputs(" with colours of 8 bits", out);
    if (subject->tables.pixels != pixels)
        fprintf(out, ", %s of %s pixels counted", counted, img_amount_print_count(pixels, all));
    fputc('\n', out);
}

void subject_csv(FILE *out, const Subject *subject)
{
    fputs(subject->path != NULL ? "file," : "total,", out);
    if (subject->path != NULL)
        csv_text(out, img_streams_input_name(subject->path));
}

Channel subject_json_channel(const Subject *subject, Channel channel, ImgLuma luma)
{
    uint64_t *const *of = subject->tables.of;
    if (of[channel] != NULL)
        return channel;
    bool is_gray = channel == CHANNEL_LUMA && luma != IMG_LUMA_NONE && of[CHANNEL_GRAY] != NULL;
    return is_gray ? CHANNEL_GRAY : CHANNEL_COUNT;
}

static void add_counted(cJSON *object, const char *name, uint64_t number, bool known, bool *failed)
{
    if (known)
        json_count(object, name, number, failed);
    else
        json_null(object, name, failed);
}

void subject_add_json(cJSON *object, const Subject *subject, ImgLuma luma, bool *failed)
{
    static const ImgError none = {IMG_OK, ""};
    const Tables *tables = &subject->tables;
    if (subject->path != NULL) {
        json_file_name(object, subject->path, failed);
        json_done_or_failed(object, subject->failure != NULL ? subject->failure : &none, failed);
        json_shape(object, subject->shape, failed);
    } else {
        json_count(object, "file_count", subject->files, failed);
    }
    add_counted(object, "sample_bits", (uint64_t)tables->bits, tables->bits > 0, failed);
    add_counted(object, "pixels", tables->pixels, subject->failure == NULL, failed);
    json_string(object, "luma_weights", luma != IMG_LUMA_NONE ? luma_name(luma) : NULL, failed);
}
