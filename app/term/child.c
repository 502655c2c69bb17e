#include "app/term/child.h"

#include <errno.h>
#include <sys/wait.h>

#include "app/term/interrupt.h"

/* Its number is not given free before it is forgotten: a signal must not end somebody else. */
int child_wait(pid_t child)
{
    siginfo_t info;
    int result = -1;
    interrupt_note_child(child);
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    interrupt_note_child(0);
    while (waitpid(child, &result, 0) < 0 && errno == EINTR) {
    }
    return result;
}
