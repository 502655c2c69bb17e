#include "app/cli/thumbnail.h"

#include "io/metadata/metadata.h"

int32_t thumbnail_keep(const ImgStep *steps, size_t count, const Settings *settings)
{
    for (size_t i = 0; i < count && !option_given(settings, "strip"); i++)
        if (steps[i].strips)
            return IMG_KEEP_SHOWN;
    return settings->strip;
}
