/* Trials of system calls for administrators, debuggers and containers. Without the sandbox these
 * calls fail too for users other than root. Some also fail if the kernel was built without them. */
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "tests/sandbox/trials.h"

/* Defines a trial that makes a call with invalid arguments. Its error without the sandbox then
 * differs from its error in the sandbox. */
#define DOOR(function, ...)                                                                        \
    static long function(const Ground *g)                                                          \
    {                                                                                              \
        (void)g;                                                                                   \
        return (long)syscall(__VA_ARGS__);                                                         \
    }

DOOR(do_mount, SYS_mount, NULL, NULL, NULL, 0, NULL)
DOOR(do_umount, SYS_umount2, NULL, 0)
DOOR(do_pivot, SYS_pivot_root, NULL, NULL)
DOOR(do_chroot, SYS_chroot, NULL)
DOOR(do_unshare, SYS_unshare, CLONE_NEWUSER)
DOOR(do_unshare_files, SYS_unshare, CLONE_FILES)
DOOR(do_setns, SYS_setns, -1, 0)
DOOR(do_uring, 425, 1, NULL)
DOOR(do_uring_enter, 426, -1, 0, 0, 0, NULL)
DOOR(do_bpf, SYS_bpf, -1, NULL, 0)
DOOR(do_keyctl, SYS_keyctl, 0, -1, 0, 0, 0)
DOOR(do_add_key, SYS_add_key, NULL, NULL, NULL, 0, 0)
DOOR(do_request_key, SYS_request_key, NULL, NULL, NULL, 0)
DOOR(do_perf, SYS_perf_event_open, NULL, 0, -1, -1, 0)
DOOR(do_module, SYS_init_module, NULL, 0, NULL)
DOOR(do_finit_module, SYS_finit_module, -1, NULL, 0)
DOOR(do_kexec, SYS_kexec_load, 0, 100, NULL, 0)
DOOR(do_reboot, SYS_reboot, 0, 0, 0, NULL)
DOOR(do_swapon, SYS_swapon, NULL, 0)
DOOR(do_quota, SYS_quotactl, 0, NULL, 0, NULL)
DOOR(do_syslog, SYS_syslog, 3, NULL, 0)
DOOR(do_settime, SYS_clock_settime, CLOCK_REALTIME, NULL)
DOOR(do_adjtime, SYS_adjtimex, NULL)
DOOR(do_setuid, SYS_setuid, getuid())
DOOR(do_setgroups, SYS_setgroups, 0, NULL)
DOOR(do_capset, SYS_capset, NULL, NULL)
DOOR(do_personality, SYS_personality, READ_IMPLIES_EXEC)
DOOR(do_dumpable, SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0)
DOOR(do_set_mm, SYS_prctl, PR_SET_MM, 0, 0, 0, 0)
DOOR(do_seccomp, SYS_seccomp, 0, 1, NULL)
DOOR(do_fanotify, SYS_fanotify_init, FAN_CLASS_NOTIF, 0)
DOOR(do_inotify, SYS_inotify_init1, 0)
DOOR(do_message_queue, SYS_msgget, 0, 0600)
DOOR(do_semaphore, SYS_semget, 0, 1, 0600)
DOOR(do_timer, SYS_timer_create, -1, NULL, NULL)
DOOR(do_splice, SYS_splice, -1, NULL, -1, NULL, 1, 0)
DOOR(do_copy_range, SYS_copy_file_range, -1, NULL, -1, NULL, 1, 0)
DOOR(do_fsopen, 430, NULL, 0)
DOOR(do_landlock, 444, NULL, 0, 1)
DOOR(do_none, 5000)

const Trial trials_of_system[] = {
    {"mount", do_mount, EPERM, true},
    {"umount", do_umount, EPERM, true},
    {"pivot_root", do_pivot, EPERM, true},
    {"chroot", do_chroot, EPERM, true},
    {"unshare users", do_unshare, EPERM, true},
    {"unshare files", do_unshare_files, EPERM, false},
    {"enter a namespace", do_setns, EPERM, false},
    {"io_uring_setup", do_uring, ENOSYS, true},
    {"io_uring_enter", do_uring_enter, ENOSYS, true},
    {"bpf", do_bpf, EPERM, true},
    {"keyctl", do_keyctl, EPERM, false},
    {"add_key", do_add_key, EPERM, false},
    {"request_key", do_request_key, EPERM, false},
    {"perf_event_open", do_perf, EPERM, false},
    {"init_module", do_module, EPERM, true},
    {"finit_module", do_finit_module, EPERM, true},
    {"kexec_load", do_kexec, EPERM, true},
    {"reboot", do_reboot, EPERM, true},
    {"swapon", do_swapon, EPERM, true},
    {"quotactl", do_quota, EPERM, false},
    {"syslog", do_syslog, EPERM, true},
    {"set the clock", do_settime, EPERM, false},
    {"adjust the clock", do_adjtime, EPERM, false},
    {"setuid", do_setuid, EPERM, false},
    {"setgroups", do_setgroups, EPERM, true},
    {"capset", do_capset, EPERM, false},
    {"personality", do_personality, EPERM, false},
    {"prctl: memory to be dumped", do_dumpable, EPERM, false},
    {"prctl: where memory is", do_set_mm, EPERM, true},
    {"another filter", do_seccomp, EPERM, false},
    {"fanotify", do_fanotify, EPERM, true},
    {"inotify", do_inotify, EPERM, false},
    {"queue of messages", do_message_queue, EPERM, false},
    {"semaphore", do_semaphore, EPERM, false},
    {"timer", do_timer, EPERM, false},
    {"splice", do_splice, EPERM, false},
    {"copy_file_range", do_copy_range, EPERM, false},
    {"fsopen", do_fsopen, ENOSYS, true},
    {"landlock", do_landlock, ENOSYS, true},
    {"a call that does not exist yet", do_none, ENOSYS, true},
    {.name = NULL},
};
