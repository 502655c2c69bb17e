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
#include "io/png/room.h"
#include "kernels/core/minmax.h"

typedef struct Work {
    const Settings *settings;
    Load sides[2];
    ImgShape common;
    ImgFileFormat format; /* of the picture of differences */
    ImgOutput *output;    /* NULL: there is none */
    ImgTeam *team;
    int threads;
} Work;

static ImgStatus at(const char *name, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", name);
    return status;
}

static ImgStatus open_sides(Work *work, ImgError *err)
{
    for (int i = 0; i < 2; i++) {
        ImgStatus status = load_open(&work->sides[i], err);
        if (status != IMG_OK)
            return status;
    }
    ImgShape a = work->sides[0].raw, b = work->sides[1].raw;
    if (a.width == b.width && a.height == b.height)
        return IMG_OK;
    return img_fail(err, IMG_E_UNSUPPORTED,
                    "%s has %d x %d pixels, %s %d x %d: only pictures of the same size can be "
                    "compared; 'imgtool crop' cuts a part out of the larger one",
                    streams_input_name(work->sides[0].path), a.width, a.height,
                    streams_input_name(work->sides[1].path), b.width, b.height);
}

static ImgStatus read_sides(Work *work, ImgError *err)
{
    Load *first = &work->sides[0], *second = &work->sides[1];
    ImgStatus status = load_read(first, err);
    if (status == IMG_OK) {
        img_source_leave_room(second->source, first->report.bytes + first->kept);
        status = load_read(second, err);
    }
    if (status != IMG_OK)
        return status;
    work->common = work->sides[0].shape;
    work->common.format =
        img_compare_format(work->sides[0].shape.format, work->sides[1].shape.format);
    return IMG_OK;
}

static bool same_format(ImgFormat a, ImgFormat b)
{
    return a.color == b.color && a.bits == b.bits;
}

/* One meant for 16 bits would let anything of 8 bits pass, unnoticed. */
static ImgStatus check_tolerance(const Work *work, ImgError *err)
{
    int32_t tolerance = work->settings->tolerance;
    ImgFormat format = work->common.format;
    uint32_t maximum = img_format_maximum(format);
    if ((uint32_t)tolerance <= maximum)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "compare: --tolerance %d exceeds the samples of these pictures, which have %d "
                    "bits: use 0 to %u",
                    tolerance, format.bits, maximum);
}

/* The sizes of pictures that exist fit: img_source_open has checked them. */
static uint64_t bytes_of(ImgShape shape)
{
    size_t bytes = 0;
    (void)img_shape_bytes(shape, &bytes, NULL);
    return bytes;
}

/* The most that the way from the file to the common format takes. */
static uint64_t preparing_bytes(const Work *work, const Load *side)
{
    uint64_t loading = load_bytes(side);
    if (same_format(side->shape.format, work->common.format))
        return loading;
    return img_max64(loading, bytes_of(side->shape) + bytes_of(work->common));
}

static ImgShape picture_shape(const Work *work)
{
    ImgShape picture = work->common;
    picture.format = img_compare_picture_format(work->common.format);
    return picture;
}

/* What stays to the end beside pictures: the chunks of both. */
static uint64_t kept_bytes(const Work *work)
{
    return work->sides[0].kept + work->sides[1].kept;
}

/* Threads that write the picture of differences; *bytes: what it and its encoder take. */
static int encode_threads(const Work *work, uint64_t *bytes)
{
    const uint64_t all = work->sides[0].limits.max_memory;
    const uint64_t both = 2 * bytes_of(work->common) + kept_bytes(work);
    const ImgShape picture = picture_shape(work);
    if (work->format == IMG_FILE_PNG)
        return img_png_encode_threads(picture, IMG_DEFAULT_LEVEL, all > both ? all - both : 0,
                                      work->threads, bytes);
    *bytes = bytes_of(picture) + img_encode_bytes(work->format, picture, &IMG_METADATA_NONE);
    return 1;
}

/* The first picture is ready before the second is decoded, whose file is in memory until then. */
static uint64_t peak_bytes(const Work *work, int threads)
{
    uint64_t common = bytes_of(work->common);
    uint64_t second_file = work->sides[1].report.bytes;
    uint64_t most = second_file + preparing_bytes(work, &work->sides[0]);
    most = img_max64(most, common + preparing_bytes(work, &work->sides[1]));
    most = img_max64(most, 2 * common + img_compare_bytes(work->common, threads));
    if (work->output == NULL)
        return most;
    uint64_t encoding = 0;
    (void)encode_threads(work, &encoding);
    return img_max64(most, 2 * common + encoding);
}

static ImgStatus plan(Work *work, ImgError *err)
{
    work->threads = resources_wanted_threads(work->settings);
    /* A window of SSIM is more work than moving a pixel. */
    if (!resources_use_threads(8 * bytes_of(work->common)))
        work->threads = 1;
    uint64_t need = peak_bytes(work, work->threads) + kept_bytes(work);
    ImgStatus status = resources_check_memory(work->common, need, &work->sides[0].limits, err);
    if (status != IMG_OK)
        return at("compare", status, err);
    work->team = resources_team(need);
    return IMG_OK;
}

static ImgStatus convert(const Work *work, ImgImage *image, ImgError *err)
{
    ImgImage result;
    ImgStatus status = img_image_alloc(work->common, &result, err);
    if (status != IMG_OK)
        return status;
    img_compare_convert(&image->view, &result.view, work->team, work->threads);
    img_image_free(image);
    *image = result;
    return IMG_OK;
}

/* Beside the other file, or the other picture. */
static ImgStatus prepare(const Work *work, Load *side, ImgError *err)
{
    const uint64_t all = side->limits.max_memory;
    const uint64_t other =
        side == &work->sides[0] ? work->sides[1].report.bytes : bytes_of(work->common);
    const uint64_t beside = other + kept_bytes(work);
    side->room = all > beside ? all - beside : 1;
    ImgStatus status = load_decode(side, work->team, resources_wanted_threads(work->settings), err);
    if (status == IMG_OK && !same_format(side->image.view.format, work->common.format))
        status = load_failure(side, convert(work, &side->image, err), err);
    return status;
}

static ImgStatus write_picture(Work *work, ImgError *err)
{
    const ImgView *a = &work->sides[0].image.view, *b = &work->sides[1].image.view;
    uint64_t bytes = 0;
    const ImgEncodeOptions how = {.level = IMG_DEFAULT_LEVEL,
                                  .team = work->team,
                                  .threads = encode_threads(work, &bytes),
                                  .index = true,
                                  .quality = IMG_DEFAULT_QUALITY};
    ImgMetadata none = IMG_METADATA_NONE;
    ImgImage picture = IMG_IMAGE_NONE;
    ImgStatus status = img_image_alloc(picture_shape(work), &picture, err);
    if (status == IMG_OK) {
        img_compare_picture(a, b, (uint32_t)work->settings->amplify, &picture.view, work->team,
                            work->threads);
        status = img_encode(work->format, &picture, &none, &how, work->output, NULL, err);
    }
    if (status == IMG_OK) {
        result_note_replaced(work->settings, work->settings->diff, work->output);
        status = img_output_commit(&work->output, err);
    }
    char loss[IMG_LOSS_TEXT];
    if (status == IMG_OK && img_encode_loss(work->format, &picture, &none, loss))
        report_note(work->settings, "%s: %s", work->settings->diff, loss);
    img_image_free(&picture);
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

/* Before anything is read: what cannot be written should not cost the user that time. */
static ImgStatus prepare_picture(Work *work, ImgError *err)
{
    const char *path = work->settings->diff;
    if (path == NULL)
        return IMG_OK;
    if (strcmp(path, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "compare: --diff - would mix the picture with the numbers; name a file");
    for (int i = 0; i < 2; i++)
        if (is_same_file(path, work->sides[i].path))
            return img_fail(err, IMG_E_USAGE,
                            "%s: is one of the pictures to compare; name another file for --diff",
                            path);
    ImgStatus status = img_file_format_from_path(path, &work->format, err);
    if (status == IMG_OK)
        status = img_output_prepare(path, interrupt_hooks(), &work->output, err);
    if (status == IMG_OK && work->settings->no_clobber)
        status = img_output_refuse_existing(work->output, err);
    if (status == IMG_OK)
        result_sweep(work->output, work->settings);
    return at(path, status, err);
}

static ImgStatus open_picture(Work *work, ImgError *err)
{
    if (work->output == NULL)
        return IMG_OK;
    return at(work->settings->diff, img_output_begin(work->output, err), err);
}

/* From here on only these files can be used. */
static void enter_sandbox(Work *work, Sandbox *sandbox)
{
    ImgError err = {IMG_OK, ""};
    for (int i = 0; i < 2; i++)
        sandbox_name(sandbox, IMG_NAME_READ, &work->sides[i].path);
    if (work->output != NULL &&
        img_output_names(work->output, sandbox_name, sandbox, &err) != IMG_OK)
        sandbox->incomplete = true;
    sandbox_enter(sandbox, work->settings);
}

static ImgStatus run(Work *work, Sandbox *sandbox, CompareReport *report, ImgError *err)
{
    ImgStatus status = prepare_picture(work, err);
    if (status == IMG_OK)
        enter_sandbox(work, sandbox);
    if (status == IMG_OK)
        status = open_picture(work, err);
    if (status == IMG_OK)
        status = open_sides(work, err);
    if (status == IMG_OK)
        status = read_sides(work, err);
    if (status == IMG_OK)
        status = check_tolerance(work, err);
    if (status == IMG_OK)
        status = plan(work, err);
    for (int i = 0; status == IMG_OK && i < 2; i++) {
        Load *side = &work->sides[i];
        report->shapes[i] = side->raw;
        report->converted |= !same_format(side->raw.format, work->common.format);
        status = prepare(work, side, err);
    }
    if (status == IMG_OK)
        status = img_compare(&work->sides[0].image.view, &work->sides[1].image.view, work->team,
                             work->threads, &report->result, err);
    if (status == IMG_OK && work->output != NULL)
        status = at(work->settings->diff, write_picture(work, err), err);
    for (int i = 0; status == IMG_OK && i < 2; i++)
        load_note_damage(&work->sides[i]);
    return status;
}

ImgStatus compare_run(const Settings *settings, const char *const paths[2], Sandbox *sandbox,
                      CompareReport *report, ImgError *err)
{
    *report = (CompareReport){.paths = {paths[0], paths[1]}};
    Work work = {
        .settings = settings,
        .sides = {load_begin(paths[0], settings, true), load_begin(paths[1], settings, true)},
    };
    ImgStatus status = run(&work, sandbox, report, err);
    resources_explain_refused(settings, work.team);
    img_team_free(work.team);
    img_output_discard(&work.output);
    for (int i = 0; i < 2; i++)
        load_end(&work.sides[i]);
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
