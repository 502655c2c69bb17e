#include <string.h>
#include <sys/stat.h>

#include "app/compare/compare_priv.h"
#include "app/engine/share/resources.h"
#include "app/term/messages.h"
#include "app/text/paths.h"
#include "app/text/streams.h"
#include "kernels/core/minmax.h"

static ImgStatus prefix_failure(const char *name, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", name);
    return status;
}

/* Reads the files in pieces if they take more than a quarter of --max-memory. */
static void read_in_pieces_if_large(const Load *first, const Load *second)
{
    if (img_load_file_bytes(first) + img_load_file_bytes(second) <= first->limits.max_memory / 4)
        return;
    img_source_read_in_pieces(first->source);
    img_source_read_in_pieces(second->source);
}

static ImgStatus open_sides(Comparison *comparison, ImgError *err)
{
    const ResultRowsPlan *output = &comparison->output;
    for (int i = 0; i < 2; i++) {
        comparison->sides[i].load.takes_any_size =
            comparison->result.output == NULL ||
            (output->format == IMG_FILE_PNG && !output->is_in_place);
        ImgStatus status = img_load_open(&comparison->sides[i].load, err);
        if (status != IMG_OK)
            return status;
    }
    Load *first = &comparison->sides[0].load, *second = &comparison->sides[1].load;
    ImgShape a = first->raw, b = second->raw;
    if (a.width == b.width && a.height == b.height) {
        read_in_pieces_if_large(first, second);
        return IMG_OK;
    }
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "%s has %d x %d pixels, %s %d x %d: only pictures of the same size can be "
                    "compared; 'imgtool crop' cuts a part out of the larger one",
                    img_streams_input_name(first->path), a.width, a.height,
                    img_streams_input_name(second->path), b.width, b.height);
}

static ImgStatus read_sides(Comparison *comparison, ImgError *err)
{
    Load *first = &comparison->sides[0].load, *second = &comparison->sides[1].load;
    ImgStatus status = img_load_read(first, err);
    if (status == IMG_OK) {
        img_source_reserve_memory(second->source, img_load_file_bytes(first) + first->kept);
        status = img_load_read(second, err);
    }
    if (status != IMG_OK)
        return status;
    comparison->common = first->shape;
    comparison->common.format = img_compare_format(first->shape.format, second->shape.format);
    for (int i = 0; i < 2; i++)
        comparison->sides[i].common = comparison->common;
    return IMG_OK;
}

/* Rejects a tolerance above the largest sample value, such as one that is meant for 16-bit samples.
 * It would accept any difference. */
static ImgStatus check_tolerance(const Comparison *comparison, ImgError *err)
{
    int32_t tolerance = comparison->settings->tolerance;
    ImgFormat format = comparison->common.format;
    uint32_t maximum = img_format_maximum(format);
    if ((uint32_t)tolerance <= maximum)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "compare: --tolerance %d exceeds the samples of these pictures, which have %d "
                    "bits: use 0 to %u",
                    tolerance, format.bits, maximum);
}

/* Begins the picture of differences, if --diff wants one. */
static ImgStatus begin_differences(Comparison *comparison, ImgError *err)
{
    const Settings *settings = comparison->settings;
    ImgShape band = comparison->output.shape;
    if (comparison->result.output == NULL)
        return IMG_OK;
    comparison->output.team = comparison->team;
    comparison->output.store = comparison->sides[0].load.store;
    band.height = comparison->bands.first;
    ImgStatus status =
        prefix_failure(settings->diff, img_image_alloc(band, &comparison->differences, err), err);
    if (status == IMG_OK)
        status = img_result_rows_begin(&comparison->result, settings->diff, &comparison->output,
                                       &settings->engine, &comparison->rows, err);
    return status;
}

static ImgStatus begin(Comparison *comparison, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (int i = 0; status == IMG_OK && i < 2; i++)
        status = side_begin(&comparison->sides[i], &comparison->requests, err);
    return status == IMG_OK ? begin_differences(comparison, err) : status;
}

/* Computes the rows of the picture of differences from row `first` on, and writes them. The views
 * have `skipped` rows before that row. */
static ImgStatus write_differences(const Comparison *comparison, const ImgView *views,
                                   int32_t skipped, int32_t first, ImgError *err)
{
    const int32_t width = views[0].width, count = views[0].height - skipped;
    if (comparison->rows == NULL)
        return IMG_OK;
    const ImgView a = img_view_crop(&views[0], 0, skipped, width, count);
    const ImgView b = img_view_crop(&views[1], 0, skipped, width, count);
    const ImgView to = img_view_crop(&comparison->differences.view, 0, 0, width, count);
    img_compare_picture(&a, &b, (uint32_t)comparison->settings->amplify, &to, comparison->team,
                        comparison->threads);
    return img_result_rows_add(comparison->rows, first, &to, err);
}

static ImgStatus compare_bands(Comparison *comparison, ImgComparer *comparer, ImgError *err)
{
    const int32_t height = comparison->common.height;
    const ImgBandHeights bands = comparison->bands;
    ImgStatus status = IMG_OK;
    for (int32_t done = 0, end; status == IMG_OK && done < height; done = end) {
        const int32_t first = img_comparer_first_row(comparer);
        ImgView views[2];
        end = done + img_min32(done == 0 ? bands.first : bands.rest, height - done);
        for (int i = 0; status == IMG_OK && i < 2; i++)
            status = side_rows(&comparison->sides[i], &comparison->requests, first, end - first,
                               &views[i], err);
        if (status == IMG_OK) {
            img_comparer_add(comparer, &views[0], &views[1]);
            status = write_differences(comparison, views, done - first, done, err);
        }
    }
    return status;
}

/* Decodes and compares both pictures as planned. */
static ImgStatus compare_sides(Comparison *comparison, ImgComparison *result, ImgError *err)
{
    ImgComparer *comparer = NULL;
    ImgStatus status = begin(comparison, err);
    if (status == IMG_OK)
        status = img_comparer_create(comparison->common, comparison->team, comparison->threads,
                                     &comparer, err);
    if (status == IMG_OK)
        status = compare_bands(comparison, comparer, err);
    if (status == IMG_OK)
        *result = img_comparer_result(comparer);
    img_comparer_free(comparer);
    return status;
}

/* Compares the pictures, and then frees everything except the result and the picture of
 * differences. If the comparison fails, the files also stay in memory, so that they can be decoded
 * in another way. */
static ImgStatus compare_and_free(Comparison *comparison, ImgComparison *result, ImgError *err)
{
    const ImgStatus status = compare_sides(comparison, result, err);
    img_image_free(&comparison->differences);
    for (int i = 0; i < 2; i++)
        side_end(&comparison->sides[i]);
    for (int i = 0; status == IMG_OK && i < 2; i++)
        img_source_free_file(comparison->sides[i].load.source);
    return status;
}

/* Plans to decode whole pictures, and to write the picture of differences from its start. */
static ImgStatus plan_again(Comparison *comparison, ImgError *err)
{
    img_result_rows_free(comparison->rows);
    comparison->rows = NULL;
    if (comparison->result.output != NULL && img_result_rows_stream(&comparison->output)) {
        const ImgStatus status = prefix_failure(
            comparison->settings->diff, img_output_restart(comparison->result.output, err), err);
        if (status != IMG_OK)
            return status;
    }
    return compare_plan_whole(comparison, err);
}

/* Compares the pictures. If rows cannot be decoded, because a file seems to be damaged or there is
 * no thread for them, both pictures are decoded as a whole, which shows whether a file is
 * damaged. */
static ImgStatus compare_pictures(Comparison *comparison, ImgComparison *result, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = compare_and_free(comparison, result, &failure);
    if (status == IMG_OK)
        return IMG_OK;
    if (!comparison->requests.by_rows || (status != IMG_E_FORMAT && status != IMG_E_UNAVAILABLE))
        return img_fail(err, status, "%s", failure.message);
    status = plan_again(comparison, err);
    return status == IMG_OK ? compare_and_free(comparison, result, err) : status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat file;
    return stat(a, &file) == 0 && S_ISREG(file.st_mode) && path_leads_to(b, &file);
}

/* Prepares the file for the picture of differences before anything is read, so that errors appear
 * at once. */
static ImgStatus prepare_picture(Comparison *comparison, ImgError *err)
{
    const char *path = comparison->settings->diff;
    if (path == NULL)
        return IMG_OK;
    if (strcmp(path, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "compare: --diff - would mix the picture with the numbers; name a file");
    for (int i = 0; i < 2; i++)
        if (is_same_file(path, comparison->sides[i].load.path))
            return img_fail(err, IMG_E_USAGE,
                            "%s: is one of the pictures to compare; name another file for --diff",
                            path);
    ResultRowsPlan *output = &comparison->output;
    ImgStatus status = img_file_format_from_path(path, &output->format, err);
    if (status == IMG_OK)
        status = img_result_prepare(&comparison->result, path, &comparison->settings->engine, err);
    if (status == IMG_OK) {
        output->is_in_place = img_output_is_in_place(comparison->result.output);
        img_result_sweep(comparison->result.output, &comparison->settings->engine);
    }
    return prefix_failure(path, status, err);
}

static ImgStatus open_picture(Comparison *comparison, ImgError *err)
{
    if (comparison->result.output == NULL)
        return IMG_OK;
    return prefix_failure(comparison->settings->diff,
                          img_output_begin(comparison->result.output, err), err);
}

/* Enters the sandbox. From then on, the process can open only the two inputs and the file of
 * --diff. */
static void enter_sandbox(Comparison *comparison, Sandbox *sandbox)
{
    ImgError err = {IMG_OK, ""};
    for (int i = 0; i < 2; i++)
        sandbox_name(sandbox, IMG_NAME_READ, &comparison->sides[i].load.path);
    if (img_result_names(&comparison->result, sandbox_name, sandbox, &err) != IMG_OK)
        sandbox->incomplete = true;
    sandbox_enter(sandbox, comparison->settings);
}

static ImgStatus run(Comparison *comparison, Sandbox *sandbox, CompareReport *report, ImgError *err)
{
    ImgStatus status = prepare_picture(comparison, err);
    if (status == IMG_OK)
        enter_sandbox(comparison, sandbox);
    if (status == IMG_OK)
        status = open_picture(comparison, err);
    if (status == IMG_OK)
        status = open_sides(comparison, err);
    if (status == IMG_OK)
        status = read_sides(comparison, err);
    if (status == IMG_OK)
        status = check_tolerance(comparison, err);
    for (int i = 0; status == IMG_OK && i < 2; i++) {
        const Load *load = &comparison->sides[i].load;
        report->shapes[i] = load->raw;
        report->converted |= !img_format_equals(load->raw.format, comparison->common.format);
    }
    if (status == IMG_OK)
        status = compare_plan(comparison, err);
    if (status == IMG_OK)
        status = compare_pictures(comparison, &report->result, err);
    if (status == IMG_OK && comparison->rows != NULL)
        status = img_result_rows_finish(comparison->rows, err);
    for (int i = 0; status == IMG_OK && i < 2; i++)
        img_load_note_damage(&comparison->sides[i].load);
    return status;
}

static Side side_of(const Settings *settings, const char *path)
{
    Side side = {.load = img_load_begin(path, &settings->engine, true),
                 .converted = IMG_IMAGE_NONE};
    side.load.takes_rows = true;
    return side;
}

ImgStatus compare_run(const Settings *settings, const char *const paths[2], Sandbox *sandbox,
                      CompareReport *report, ImgError *err)
{
    *report = (CompareReport){.paths = {paths[0], paths[1]}};
    Comparison comparison = {
        .settings = settings,
        .sides = {side_of(settings, paths[0]), side_of(settings, paths[1])},
        .differences = IMG_IMAGE_NONE,
    };
    ImgStatus status = run(&comparison, sandbox, report, err);
    img_resources_explain_refused(&settings->engine, comparison.team);
    img_team_free(comparison.team);
    img_result_rows_free(comparison.rows);
    img_result_free(&comparison.result);
    for (int i = 0; i < 2; i++)
        img_load_end(&comparison.sides[i].load);
    return status;
}

ImgStatus compare_check(const Settings *settings, const CompareReport *report, ImgError *err)
{
    const ImgComparison *result = &report->result;
    if (result->largest <= (uint32_t)settings->tolerance)
        return IMG_OK;
    return img_fail(err, IMG_E_MISMATCH,
                    "%s and %s differ by up to %u of %u, first at x %d, y %d: more than the "
                    "tolerance of %d",
                    img_streams_input_name(report->paths[0]),
                    img_streams_input_name(report->paths[1]), result->largest,
                    img_format_maximum(result->format), result->x, result->y, settings->tolerance);
}
