#include "app/montage/montage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/exit_code.h"
#include "app/engine/pictures.h"
#include "app/engine/result.h"
#include "app/engine/share/resources.h"
#include "app/montage/sheet.h"
#include "app/sandbox/sandbox.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"
#include "app/text/paths.h"
#include "app/text/streams.h"
#include "io/encode.h"
#include "io/step_files.h"
#include "kernels/core/params/value.h"

typedef struct Sheet {
    const ManyPictures *montage;
    Sandbox sandbox;
    char *const *paths; /* paths by which the inputs can be opened in the sandbox */
    ImgRgba background;
    SheetGrid grid;
    ImgFileFormat format;
    ImgShape shape;
    uint64_t bytes;  /* bytes of memory for the pixels of the sheet and its encoder */
    CellSteps steps; /* steps that fit each picture to its cell; owned */
    ImgImage image;  /* pixels of the sheet; owned */
    Result result;   /* the file of the sheet; owned */
} Sheet;

/* --- Settings and checks ---------------------------------------------------------------------- */

static ImgStatus read_background(const char *text, ImgRgba *background, ImgError *err)
{
    static const ImgParam color = {.name = "background", .type = IMG_PARAM_COLOR};
    ImgValue value;
    char why[256];
    if (img_value_color.parse(&color, text, &value)) {
        *background = value.color;
        return IMG_OK;
    }
    img_value_color.refuse(&color, text, why, sizeof why);
    return img_fail(err, IMG_E_USAGE, "invalid --background '%s': %s", text, why);
}

static ImgStatus read_settings(Sheet *sheet, ImgError *err)
{
    const Settings *settings = sheet->montage->settings;
    const char *cell = settings->cell_size != NULL ? settings->cell_size : "256x256";
    const char *color = settings->sheet_background != NULL ? settings->sheet_background : "white";
    SheetGrid *grid = &sheet->grid;
    grid->spacing = settings->spacing;
    grid->margin = settings->margin >= 0 ? settings->margin : settings->spacing;
    if (!img_amount_parse_pixels(cell, &grid->cell_width, &grid->cell_height))
        return img_fail(err, IMG_E_USAGE,
                        "invalid --cell '%s'; use WxH or W, in pixels, such as 256x256", cell);
    return read_background(color, &sheet->background, err);
}

static ImgStatus check_inputs(const Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    struct stat output;
    if (strcmp(montage->last, "-") == 0 || stat(montage->last, &output) != 0 ||
        !S_ISREG(output.st_mode))
        return IMG_OK;
    for (size_t i = 0; i < montage->inputs->count; i++)
        if (path_leads_to(montage->inputs->paths[i], &output))
            return img_fail(err, IMG_E_USAGE,
                            "is one of the pictures, and would be replaced by the sheet; choose "
                            "another name");
    if (img_step_files_find_same(sheet->steps.steps, sheet->steps.count, montage->last) != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "is a file that a step reads, and would be replaced by the sheet; choose "
                        "another name");
    return IMG_OK;
}

static ImgStatus prefix_output_name(const Sheet *sheet, ImgStatus status, ImgError *err)
{
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_output_name(sheet->montage->last));
    return status;
}

/* --- The sheet -------------------------------------------------------------------------------- */

/* Computes size and memory of the sheet before any picture is opened. Fails if they exceed a
 * limit. */
static ImgStatus plan(Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    const Settings *settings = montage->settings;
    const ImgLimits limits = img_resources_limits(&settings->engine);
    size_t pixels = 0;
    ImgStatus status = sheet_grid_fit(&sheet->grid, montage->inputs->count, settings->columns,
                                      limits.max_pixels, err);
    if (status != IMG_OK)
        return status;
    sheet->shape =
        (ImgShape){sheet->grid.width, sheet->grid.height, sheet_format(sheet->background)};
    status = img_encode_check(sheet->format, sheet->shape, err);
    if (status == IMG_OK)
        status = img_shape_bytes(sheet->shape, &pixels, err);
    (void)img_encode_threads(sheet->format, sheet->shape, &IMG_METADATA_NONE,
                             settings->engine.level, limits.max_memory, 1, &sheet->bytes);
    return status == IMG_OK ? img_resources_check_least(sheet->shape, sheet->bytes,
                                                        "the pictures on it need", &limits, err)
                            : status;
}

static ImgStatus choose_format(Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    if (montage->settings->output_format < 0)
        return img_file_format_from_path(montage->last, &sheet->format, err);
    sheet->format = (ImgFileFormat)montage->settings->output_format;
    return IMG_OK;
}

/* Enters the sandbox, now that all files are known. Then loads the files that steps name. */
static ImgStatus enter_sandbox(Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    Sandbox *sandbox = &sheet->sandbox;
    CellSteps *steps = &sheet->steps;
    sheet->paths = sandbox_paths(sandbox, montage->inputs->paths, montage->inputs->count);
    sandbox_step_files(sandbox, steps->steps, steps->count);
    if (img_result_names(&sheet->result, sandbox_name, sandbox, err) != IMG_OK)
        return err->status;
    sandbox_enter(sandbox, montage->settings);
    ImgStatus status = img_resources_load_step_files(montage->step_files, steps->steps,
                                                     steps->count, &montage->settings->engine, err);
    if (status != IMG_OK)
        img_error_prefix(err, "montage");
    return status;
}

/* Prepares the output before any picture is opened, so that errors appear at once. */
static ImgStatus prepare_sheet(Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    ImgStatus status = choose_format(sheet, err);
    if (status == IMG_OK)
        status = check_inputs(sheet, err);
    if (status == IMG_OK)
        status = plan(sheet, err);
    if (status == IMG_OK)
        status = img_result_prepare(&sheet->result, montage->last, &montage->settings->engine, err);
    if (status == IMG_OK)
        img_result_sweep(sheet->result.output, &montage->settings->engine);
    return prefix_output_name(sheet, status, err);
}

static ImgStatus begin_sheet(Sheet *sheet, ImgError *err)
{
    ImgStatus status = img_output_begin(sheet->result.output, err);
    if (status == IMG_OK)
        status = img_image_alloc(sheet->shape, &sheet->image, err);
    if (status == IMG_OK)
        sheet_clear(&sheet->image.view, sheet->background);
    return prefix_output_name(sheet, status, err);
}

static ImgStatus open_sheet(Sheet *sheet, ImgError *err)
{
    ImgStatus status = prepare_sheet(sheet, err);
    if (status == IMG_OK)
        status = enter_sandbox(sheet, err);
    return status == IMG_OK ? begin_sheet(sheet, err) : status;
}

static ImgStatus lay_picture(void *context, JobPicture *picture, ImgError *err)
{
    Sheet *sheet = context;
    const ImgView *view = &picture->load->image.view;
    const ImgPlace at = sheet_grid_place(
        &sheet->grid, picture->index, sheet->montage->settings->gravity, view->width, view->height);
    (void)err;
    const ImgView place = img_view_crop(&sheet->image.view, at.x, at.y, view->width, view->height);
    sheet_lay(&place, view);
    return IMG_OK;
}

static ImgStatus write_sheet(Sheet *sheet, ImgError *err)
{
    const EngineOptions *options = &sheet->montage->settings->engine;
    const ResultPicture picture = {.image = &sheet->image,
                                   .format = sheet->format,
                                   .room = img_resources_limits(options).max_memory,
                                   .team = img_resources_team(sheet->bytes),
                                   .threads = img_resources_wanted_threads(options)};
    const ImgStatus status = img_result_write(
        &sheet->result, img_streams_output_name(sheet->montage->last), &picture, options, err);
    img_team_free(picture.team);
    return status;
}

static void note_failure(void *context, const ImgError *failure)
{
    (void)context;
    (void)report_failure(failure);
}

/* --- The whole command ------------------------------------------------------------------------ */

static int fill_and_write(Sheet *sheet)
{
    const ManyPictures *montage = sheet->montage;
    const bool skips = montage->settings->skip_broken != 0;
    const Pictures pictures = {.paths = sheet->paths,
                               .count = montage->inputs->count,
                               .steps = sheet->steps.steps,
                               .step_count = sheet->steps.count,
                               .options = &montage->settings->engine,
                               .failed = note_failure,
                               .held = sheet->bytes,
                               .stops = !skips,
                               .functions = {.use = lay_picture, .context = sheet}};
    ImgError err = {IMG_OK, ""};
    size_t failed = 0;
    const int code = exit_code_of(img_pictures_run(&pictures, &failed));
    const bool is_complete = code == CLI_OK && montage->inputs->failures == 0;
    if (!is_complete && (!skips || code == CLI_NO_BACKEND || failed == montage->inputs->count))
        return code != CLI_OK ? code : CLI_BAD_FILE;
    if (write_sheet(sheet, &err) != IMG_OK)
        return report_failure(&err);
    return is_complete ? CLI_OK : CLI_SOME_FAILED;
}

static ImgStatus prepare(Sheet *sheet, ImgError *err)
{
    const ManyPictures *montage = sheet->montage;
    ImgStatus status = read_settings(sheet, err);
    if (status == IMG_OK)
        status = cell_steps_make(montage->steps, montage->step_count, &sheet->grid,
                                 montage->settings, &sheet->steps, err);
    if (status != IMG_OK)
        img_error_prefix(err, "montage");
    return status;
}

int montage_run(const ManyPictures *montage)
{
    ImgError err = {IMG_OK, ""};
    Sheet sheet = {.montage = montage,
                   .sandbox = {.may_use_gpu = true, .for_many = true},
                   .image = IMG_IMAGE_NONE};
    /* Exit code if inputs are missing; their failures were printed earlier. */
    int code = CLI_BAD_FILE;
    ImgStatus status = prepare(&sheet, &err);
    if (status == IMG_OK && montage->inputs->count > 0) {
        const bool is_made = montage->inputs->failures == 0 || montage->settings->skip_broken != 0;
        status = is_made ? open_sheet(&sheet, &err) : IMG_OK;
        if (status == IMG_OK && is_made)
            code = fill_and_write(&sheet);
    }
    if (status != IMG_OK)
        code = report_failure(&err);
    cell_steps_free(&sheet.steps);
    img_result_free(&sheet.result);
    img_image_free(&sheet.image);
    sandbox_free(&sheet.sandbox);
    return code;
}
