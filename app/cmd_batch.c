/* `imgtool batch OP|STEPS [options] INPUT... OUTPUT_DIR` */
#include "app/args.h"
#include "app/report.h"

int cmd_batch(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    (void)args;
    img_fail(&err, IMG_E_UNSUPPORTED, "batch: is being built");
    return report_failure(&err);
}
