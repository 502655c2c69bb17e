#include "app/engine/share/optimize.h"

#include "io/metadata/metadata.h"
#include "io/png/optimize/optimize.h"

ImgOptimizeOptions img_optimize_options(const EngineOptions *options)
{
    const EngineOptimize *from = &options->optimize;
    return (ImgOptimizeOptions){.effort = from->effort,
                                .clears_hidden = from->clears_hidden != 0,
                                .keeps_type = from->keeps_type != 0,
                                .keeps_alpha = from->keeps_alpha != 0,
                                .keeps_colour = from->keeps_colour != 0};
}

bool img_optimize_changes_metadata(const EngineOptions *options)
{
    return options->strip != IMG_KEEP_EVERYTHING || options->dpi > 0;
}

int img_optimize_threads(const EngineOptions *options, ImgShape shape, uint64_t room, int threads,
                         uint64_t *bytes)
{
    for (;; threads--) {
        const uint64_t need = img_image_bytes(shape) +
                              img_png_optimize_bytes(shape, options->optimize.effort, threads);
        if (bytes != NULL)
            *bytes = need;
        if (need <= room || threads <= 1)
            return threads;
    }
}
