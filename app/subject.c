#include "app/subject.h"

#include "app/csv.h"
#include "app/report.h"
#include "app/size.h"
#include "app/text.h"

Subject subject_picture(const Measured *measured)
{
    return (Subject){.path = measured->path, .shape = measured->shape, .tables = measured->tables};
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
    char counted[SIZE_TEXT], all[SIZE_TEXT];
    size_print_count(subject->tables.pixels, counted);
    if (subject->path == NULL) {
        fprintf(out, "total of %zu file%s: %s pixels, ", subject->files,
                subject->files == 1 ? "" : "s", counted);
        print_bits(out, subject->tables.bits);
        fputs(subject->mixed ? " (samples of fewer bits in proportion)\n" : "\n", out);
        return;
    }
    ImgShape shape = subject->shape;
    uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    text_clean(out, report_input_name(subject->path));
    fprintf(out, ": %d x %d, %s, ", shape.width, shape.height, img_color_name(shape.format.color));
    print_bits(out, shape.format.bits);
    if (shape.format.bits != subject->tables.bits)
        fputs(" with colours of 8 bits", out);
    if (subject->tables.pixels != pixels)
        fprintf(out, ", %s of %s pixels counted", counted, size_print_count(pixels, all));
    fputc('\n', out);
}

void subject_csv(FILE *out, const Subject *subject)
{
    fputs(subject->path != NULL ? "file," : "total,", out);
    if (subject->path != NULL)
        csv_text(out, report_input_name(subject->path));
}

void subject_add_json(cJSON *object, const Subject *subject, bool *failed)
{
    if (subject->path != NULL) {
        json_file_name(object, subject->path, failed);
        json_number(object, "width", subject->shape.width, failed);
        json_number(object, "height", subject->shape.height, failed);
        json_string(object, "color", img_color_name(subject->shape.format.color), failed);
        json_number(object, "file_bits", subject->shape.format.bits, failed);
    } else {
        json_number(object, "files", (double)subject->files, failed);
    }
    json_number(object, "bits", subject->tables.bits, failed);
    json_number(object, "pixels", (double)subject->tables.pixels, failed);
}
