#include "app/helper/plot_file.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/term/interrupt.h"
#include "app/text/streams.h"
#include "io/output/output.h"

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

bool plot_file_is_svg(const char *path)
{
    return ends_in(path, ".svg");
}

ImgStatus plot_file_check(const char *path, ImgError *err)
{
    if (strcmp(path, "-") == 0 || ends_in(path, ".png") || ends_in(path, ".svg"))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "is not a name for a plot; use one that ends in .png or .svg");
}

ImgStatus plot_file_try(const char *path, ImgError *err)
{
    struct stat info;
    if (path == NULL ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return IMG_OK;
    ImgOutput *output = NULL;
    ImgStatus status = img_output_open(path, interrupt_hooks(), &output, err);
    img_output_discard(&output);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", img_streams_output_name(path));
    return status;
}

ImgStatus plot_file_write(const char *path, const PlotBytes *picture, ImgError *err)
{
    ImgOutput *output = NULL;
    ImgStatus status = img_output_open(path, interrupt_hooks(), &output, err);
    if (status == IMG_OK)
        status = img_output_write(output, picture->data, picture->size, err);
    if (status == IMG_OK)
        status = img_output_commit(&output, err);
    img_output_discard(&output);
    return status;
}
