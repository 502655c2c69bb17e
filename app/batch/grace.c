/* Engines that end a process send SIGTERM, and SIGKILL some time later: by then all is to be in
 * order. */
#include <signal.h>

#include "app/batch/run_priv.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"

/* Slurm (KillWait) and Kubernetes wait 30 s. */
enum { USUAL_GRACE = 25 };

void batch_check_grace(Run *run)
{
    uint64_t grace = USUAL_GRACE;
    const char *text = run->batch->settings->grace;
    double seconds;
    if (interrupt_asked_by(&seconds) != SIGTERM)
        return;
    if (text != NULL && amount_parse_seconds(text, &grace, NULL) != IMG_OK)
        grace = USUAL_GRACE; /* it was checked */
    if (seconds < (double)grace)
        return;
    report_note(run->batch->settings,
                "SIGTERM %.0f s ago: files in progress are cancelled; --resume continues", seconds);
    if (run->feed != NULL)
        feed_give_up(run->feed);
    interrupt_finish();
}
