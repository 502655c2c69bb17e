/* Runs `imgtool serve`. */
#include "app/serve/serve.h"

#include "app/commands/shared.h"
#include "app/sandbox/sandbox.h"
#include "app/term/messages.h"

int cmd_serve(const Args *args)
{
    const Settings *settings = &args->settings;
    ImgError err = {IMG_OK, ""};
    if (settings->stop + settings->status + settings->detach > 1) {
        (void)img_fail(&err, IMG_E_USAGE,
                       "serve: --detach, --stop and --status exclude each other; choose one");
        return report_failure(&err);
    }
    if (settings->stop)
        return client_stop(settings);
    if (settings->status)
        return client_status(settings);
    sandbox_leave_out("a server has none");
    return serve_run(settings, image_run);
}
