#include "app/bench/measure/image.h"

#include "app/job/load.h"
#include "app/sched/resources.h"

ImgStatus bench_image_load(const Settings *settings, const char *path, ImgImage *image,
                           ImgError *err)
{
    Load load = load_begin(path, settings, true);
    *image = IMG_IMAGE_NONE;
    ImgStatus status = load_open(&load, err);
    if (status == IMG_OK)
        status = load_read(&load, err);
    if (status == IMG_OK)
        status = load_failure(
            &load,
            resources_check_memory(load.raw, load_bytes(&load) + load.held, &load.limits, err),
            err);
    if (status == IMG_OK)
        status = load_decode(&load, NULL, 1, err);
    if (status == IMG_OK) {
        *image = load.image;
        load.image = IMG_IMAGE_NONE;
    }
    load_end(&load);
    return status;
}
