#include "app/job/step_picture.h"

#include <stdlib.h>
#include <string.h>

#include "app/job/load.h"
#include "app/sched/resources.h"

/* The content keeps the pixels beside the decoded ones for a moment. */
static ImgStatus check_memory(const Load *load, ImgError *err)
{
    size_t pixels = 0;
    ImgStatus status = img_shape_bytes(load->shape, &pixels, err);
    return status == IMG_OK
               ? resources_check_memory(load->raw, load_bytes(load) + pixels, &load->limits, err)
               : status;
}

static ImgStatus make_content(const ImgView *view, ImgConstants *content, ImgError *err)
{
    const size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    const size_t size = sizeof(ImgPicture) + row * (size_t)view->height;
    ImgPicture *picture = malloc(size);
    if (picture == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels", view->width,
                        view->height);
    picture->shape = img_view_shape(view);
    for (size_t y = 0; y < (size_t)view->height; y++)
        memcpy(picture->pixels + y * row, view->data + y * view->stride, row);
    *content = (ImgConstants){picture, size};
    return IMG_OK;
}

ImgStatus step_picture_read(const char *path, const Settings *settings, ImgConstants *content,
                            ImgError *err)
{
    if (strcmp(path, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "-: standard input is for the first picture; name a file, or use ./-");
    Load load = load_begin(path, settings, true);
    ImgStatus status = load_open(&load, err);
    if (status == IMG_OK)
        status = load_read(&load, err);
    if (status == IMG_OK)
        status = load_failure(&load, check_memory(&load, err), err);
    if (status == IMG_OK)
        status = load_decode(&load, NULL, 1, err);
    if (status == IMG_OK)
        status = make_content(&load.image.view, content, err);
    load_end(&load);
    return status;
}
