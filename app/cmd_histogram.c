#include "app/args.h"
#include "app/report.h"

int cmd_histogram(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    (void)args;
    img_fail(&err, IMG_E_UNAVAILABLE, "histogram: is not there yet");
    return report_failure(&err);
}
