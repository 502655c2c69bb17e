/* `imgtool tiles INPUT PATTERN` */
#include "app/tiles/tiles.h"

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"

int cmd_tiles(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    interrupt_install();
    const ImgStatus status = tiles_run(args->operands[0], args->operands[1], &args->settings, &err);
    return status == IMG_OK ? CLI_OK : report_failure(&err);
}
