#include "app/compare/compare.h"

#include <string.h>
#include <sys/stat.h>

#include "app/job/load.h"
#include "app/job/result.h"
#include "app/sched/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "io/encode.h"
#include "io/png/thread_count.h"
#include "kernels/core/minmax.h"

typedef struct Comparison {
    const Settings *settings;
    Load sides[2];
    ImgShape common;
    ImgFileFormat format; /* format of the picture of differences */
    ImgOutput *output;    /* file for the picture of differences; NULL: no picture is wanted */
    ImgTeam *team;
    int threads;
} Comparison;

static ImgStatus prefix_failure(const char *name, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", name);
    return status;
}

static ImgStatus open_sides(Comparison *comparison, ImgError *err)
{
    for (int i = 0; i < 2; i++) {
        ImgStatus status = load_open(&comparison->sides[i], err);
        if (status != IMG_OK)
            return status;
    }
    ImgShape a = comparison->sides[0].raw, b = comparison->sides[1].raw;
    if (a.width == b.width && a.height == b.height)
        return IMG_OK;
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "%s has %d x %d pixels, %s %d x %d: only pictures of the same size can be "
                    "compared; 'imgtool crop' cuts a part out of the larger one",
                    streams_input_name(comparison->sides[0].path), a.width, a.height,
                    streams_input_name(comparison->sides[1].path), b.width, b.height);
}

static ImgStatus read_sides(Comparison *comparison, ImgError *err)
{
    Load *first = &comparison->sides[0], *second = &comparison->sides[1];
    ImgStatus status = load_read(first, err);
    if (status == IMG_OK) {
        img_source_reserve_memory(second->source, first->report.bytes + first->kept);
        status = load_read(second, err);
    }
    if (status != IMG_OK)
        return status;
    comparison->common = comparison->sides[0].shape;
    comparison->common.format =
        img_compare_format(comparison->sides[0].shape.format, comparison->sides[1].shape.format);
    return IMG_OK;
}

static bool same_format(ImgFormat a, ImgFormat b)
{
    return a.color == b.color && a.bits == b.bits;
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

/* Returns the number of bytes of the pixels. Cannot overflow, since img_source_open has checked the
 * size. */
static uint64_t bytes_of(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return bytes;
}

/* Returns the peak memory in bytes of reading one picture and converting it to the common
 * format. */
static uint64_t preparing_bytes(const Comparison *comparison, const Load *side)
{
    uint64_t loading = load_bytes(side);
    if (same_format(side->shape.format, comparison->common.format))
        return loading;
    return img_max64(loading, bytes_of(side->shape) + bytes_of(comparison->common));
}

static ImgShape picture_shape(const Comparison *comparison)
{
    ImgShape picture = comparison->common;
    picture.format = img_compare_picture_format(comparison->common.format);
    return picture;
}

/* Returns the memory, in bytes, of the chunks of both files, which stay in memory until the end. */
static uint64_t kept_bytes(const Comparison *comparison)
{
    return comparison->sides[0].kept + comparison->sides[1].kept;
}

/* Returns the number of threads that encode the picture of differences. Sets *bytes to the memory
 * of that picture and its encoder. */
static int encode_threads(const Comparison *comparison, uint64_t *bytes)
{
    const uint64_t all = comparison->sides[0].limits.max_memory;
    const uint64_t both = 2 * bytes_of(comparison->common) + kept_bytes(comparison);
    const ImgShape picture = picture_shape(comparison);
    if (comparison->format == IMG_FILE_PNG)
        return img_png_encode_threads(picture, IMG_DEFAULT_LEVEL, all > both ? all - both : 0,
                                      comparison->threads, bytes);
    *bytes = bytes_of(picture) + img_encode_bytes(comparison->format, picture, &IMG_METADATA_NONE);
    return 1;
}

/* Returns the peak memory in bytes. The first picture is read and converted before the second one
 * is decoded; meanwhile the second file is already in memory. */
static uint64_t peak_bytes(const Comparison *comparison, int threads)
{
    uint64_t common = bytes_of(comparison->common);
    uint64_t second_file = comparison->sides[1].report.bytes;
    uint64_t most = second_file + preparing_bytes(comparison, &comparison->sides[0]);
    most = img_max64(most, common + preparing_bytes(comparison, &comparison->sides[1]));
    most = img_max64(most, 2 * common + img_compare_bytes(comparison->common, threads));
    if (comparison->output == NULL)
        return most;
    uint64_t encoding = 0;
    (void)encode_threads(comparison, &encoding);
    return img_max64(most, 2 * common + encoding);
}

static ImgStatus plan(Comparison *comparison, ImgError *err)
{
    comparison->threads = resources_wanted_threads(comparison->settings);
    /* Because of SSIM, comparing a pixel costs about 8 times as much as copying it. */
    if (!resources_use_threads(8 * bytes_of(comparison->common)))
        comparison->threads = 1;
    uint64_t need = peak_bytes(comparison, comparison->threads) + kept_bytes(comparison);
    ImgStatus status =
        resources_check_memory(comparison->common, need, &comparison->sides[0].limits, err);
    if (status != IMG_OK)
        return prefix_failure("compare", status, err);
    comparison->team = resources_team(need);
    return IMG_OK;
}

static ImgStatus convert(const Comparison *comparison, ImgImage *image, ImgError *err)
{
    ImgImage result;
    ImgStatus status = img_image_alloc(comparison->common, &result, err);
    if (status != IMG_OK)
        return status;
    img_compare_convert(&image->view, &result.view, comparison->team, comparison->threads);
    img_image_free(image);
    *image = result;
    return IMG_OK;
}

/* Decodes one picture and converts it to the common format. Its memory limit is --max-memory
 * without the memory that the other file or picture uses. */
static ImgStatus prepare(const Comparison *comparison, Load *side, ImgError *err)
{
    const uint64_t all = side->limits.max_memory;
    const uint64_t other = side == &comparison->sides[0] ? comparison->sides[1].report.bytes
                                                         : bytes_of(comparison->common);
    const uint64_t beside = other + kept_bytes(comparison);
    side->room = all > beside ? all - beside : 1;
    ImgStatus status =
        load_decode(side, comparison->team, resources_wanted_threads(comparison->settings), err);
    if (status == IMG_OK && !same_format(side->image.view.format, comparison->common.format))
        status = load_failure(side, convert(comparison, &side->image, err), err);
    return status;
}

static ImgStatus write_picture(Comparison *comparison, ImgError *err)
{
    const ImgView *a = &comparison->sides[0].image.view, *b = &comparison->sides[1].image.view;
    uint64_t bytes = 0;
    const ImgEncodeOptions how = {.level = IMG_DEFAULT_LEVEL,
                                  .team = comparison->team,
                                  .threads = encode_threads(comparison, &bytes),
                                  .index = true,
                                  .quality = IMG_DEFAULT_QUALITY};
    ImgMetadata none = IMG_METADATA_NONE;
    ImgImage picture = IMG_IMAGE_NONE;
    ImgStatus status = img_image_alloc(picture_shape(comparison), &picture, err);
    if (status == IMG_OK) {
        img_compare_picture(a, b, (uint32_t)comparison->settings->amplify, &picture.view,
                            comparison->team, comparison->threads);
        status =
            img_encode(comparison->format, &picture, &none, &how, comparison->output, NULL, err);
    }
    if (status == IMG_OK) {
        result_note_replaced(comparison->settings, comparison->settings->diff, comparison->output);
        status = img_output_commit(&comparison->output, err);
    }
    char loss[IMG_LOSS_TEXT];
    if (status == IMG_OK && img_encode_loss(comparison->format, &picture, &none, loss))
        report_note(comparison->settings, "%s: %s", comparison->settings->diff, loss);
    img_image_free(&picture);
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
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
        if (is_same_file(path, comparison->sides[i].path))
            return img_fail(err, IMG_E_USAGE,
                            "%s: is one of the pictures to compare; name another file for --diff",
                            path);
    ImgStatus status = img_file_format_from_path(path, &comparison->format, err);
    if (status == IMG_OK)
        status = img_output_prepare(path, interrupt_hooks(), &comparison->output, err);
    if (status == IMG_OK && comparison->settings->no_clobber)
        status = img_output_refuse_existing(comparison->output, err);
    if (status == IMG_OK)
        result_sweep(comparison->output, comparison->settings);
    return prefix_failure(path, status, err);
}

static ImgStatus open_picture(Comparison *comparison, ImgError *err)
{
    if (comparison->output == NULL)
        return IMG_OK;
    return prefix_failure(comparison->settings->diff, img_output_begin(comparison->output, err),
                          err);
}

/* Enters the sandbox. From then on, the process can open only the two inputs and the file of
 * --diff. */
static void enter_sandbox(Comparison *comparison, Sandbox *sandbox)
{
    ImgError err = {IMG_OK, ""};
    for (int i = 0; i < 2; i++)
        sandbox_name(sandbox, IMG_NAME_READ, &comparison->sides[i].path);
    if (comparison->output != NULL &&
        img_output_names(comparison->output, sandbox_name, sandbox, &err) != IMG_OK)
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
    if (status == IMG_OK)
        status = plan(comparison, err);
    for (int i = 0; status == IMG_OK && i < 2; i++) {
        Load *side = &comparison->sides[i];
        report->shapes[i] = side->raw;
        report->converted |= !same_format(side->raw.format, comparison->common.format);
        status = prepare(comparison, side, err);
    }
    if (status == IMG_OK)
        status = img_compare(&comparison->sides[0].image.view, &comparison->sides[1].image.view,
                             comparison->team, comparison->threads, &report->result, err);
    if (status == IMG_OK && comparison->output != NULL)
        status = prefix_failure(comparison->settings->diff, write_picture(comparison, err), err);
    for (int i = 0; status == IMG_OK && i < 2; i++)
        load_note_damage(&comparison->sides[i]);
    return status;
}

ImgStatus compare_run(const Settings *settings, const char *const paths[2], Sandbox *sandbox,
                      CompareReport *report, ImgError *err)
{
    *report = (CompareReport){.paths = {paths[0], paths[1]}};
    Comparison comparison = {
        .settings = settings,
        .sides = {load_begin(paths[0], settings, true), load_begin(paths[1], settings, true)},
    };
    ImgStatus status = run(&comparison, sandbox, report, err);
    resources_explain_refused(settings, comparison.team);
    img_team_free(comparison.team);
    img_output_discard(&comparison.output);
    for (int i = 0; i < 2; i++)
        load_end(&comparison.sides[i]);
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
                    streams_input_name(report->paths[0]), streams_input_name(report->paths[1]),
                    result->largest, img_format_maximum(result->format), result->x, result->y,
                    settings->tolerance);
}
