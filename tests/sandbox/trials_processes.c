/* Trials that start or affect other processes, run programs, or use the network. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sandbox/trials.h"

static long execute(const Ground *g)
{
    char *words[] = {(char *)"sh", (char *)"-c", (char *)"exit 255", NULL}, *nothing[] = {NULL};
    (void)g;
    return execve("/bin/sh", words, nothing);
}

static long execute_descriptor(const Ground *g)
{
    char *words[] = {(char *)"other", NULL};
    const long made = (long)syscall(SYS_execveat, g->other, "", words, NULL, AT_EMPTY_PATH);
    return made < 0 && errno == EACCES ? 0 : made;
}

/* Forks. The child exits at once, so that only the result in the parent counts. */
static long fork_process(const Ground *g)
{
    (void)g;
    const long child = (long)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    return child;
}

static long fork_by_library(const Ground *g)
{
    (void)g;
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child;
}

static long clone_3(const Ground *g)
{
    struct {
        unsigned long long flags, pidfd, child, parent, exit_signal, more[6];
    } how = {.exit_signal = SIGCHLD};
    (void)g;
    const long child = (long)syscall(435, &how, sizeof how);
    if (child == 0)
        _exit(0);
    return child;
}

static long socket_internet(const Ground *g)
{
    (void)g;
    return socket(AF_INET, SOCK_STREAM, 0);
}

static long socket_local(const Ground *g)
{
    (void)g;
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long socket_netlink(const Ground *g)
{
    (void)g;
    return socket(AF_NETLINK, SOCK_RAW, 0);
}

static long sockets(const Ground *g)
{
    int ends[2];
    (void)g;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static long connect_what_is_open(const Ground *g)
{
    const struct sockaddr_in nobody = {.sin_family = AF_INET};
    const long made = connect(g->other, (const struct sockaddr *)&nobody, sizeof nobody);
    return made < 0 && errno == ENOTSOCK ? 0 : made;
}

static long be_traced(const Ground *g)
{
    (void)g;
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long trace_parent(const Ground *g)
{
    (void)g;
    const long made = ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
    if (made == 0)
        ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
    return made;
}

static long read_memory(const Ground *g)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {&byte, 1};
    (void)g;
    return process_vm_readv(getppid(), &to, 1, &from, 1, 0);
}

static long write_memory(const Ground *g)
{
    static char byte;
    struct iovec from = {&byte, 1}, to = {&byte, 1};
    (void)g;
    return process_vm_writev(getppid(), &from, 1, &to, 1, 0);
}

static long kill_parent(const Ground *g)
{
    (void)g;
    return kill(getppid(), 0);
}

static long kill_itself_by_kill(const Ground *g)
{
    (void)g;
    return kill(0, 0);
}

static long signal_thread_of_parent(const Ground *g)
{
    (void)g;
    return (long)syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static long signal_thread(const Ground *g)
{
    (void)g;
    return (long)syscall(SYS_tkill, getppid(), 0);
}

static long queue_signal(const Ground *g)
{
    (void)g;
    return sigqueue(getppid(), 0, (union sigval){0});
}

static long open_process(const Ground *g)
{
    (void)g;
    return (long)syscall(434, getppid(), 0);
}

static long signal_by_owner(const Ground *g)
{
    return fcntl(g->other, F_SETOWN, getppid());
}

/* Calls TIOCSTI, which types a letter into the terminal. The call passes no letter, because without
 * the sandbox it would be typed. */
static long type_for_the_user(const Ground *g)
{
    (void)g;
    const long made = ioctl(STDIN_FILENO, TIOCSTI, NULL);
    return made < 0 && errno != EPERM ? 0 : made;
}

/* Changes the terminal by TCSETS2. The sandbox allows only the similar TCGETS2. */
static long set_terminal(const Ground *g)
{
    const long made = ioctl(g->other, 0x402C542B, NULL);
    return made < 0 && errno == ENOTTY ? 0 : made;
}

static long other_ioctl(const Ground *g)
{
    int bytes;
    return ioctl(g->other, FIONREAD, &bytes);
}

static long wait_for_others(const Ground *g)
{
    (void)g;
    const long made = waitpid(-1, NULL, WNOHANG);
    return made < 0 && errno == ECHILD ? 0 : made;
}

static long set_priority(const Ground *g)
{
    (void)g;
    return setpriority(PRIO_PROCESS, 0, 19);
}

static long set_processors(const Ground *g)
{
    cpu_set_t set;
    (void)g;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    const long made = sched_setaffinity(0, sizeof set, &set);
    return made < 0 && errno == EINVAL ? 0 : made;
}

static long set_limit(const Ground *g)
{
    const struct rlimit none = {0, 0};
    (void)g;
    return prlimit(0, RLIMIT_CORE, &none, NULL);
}

static long limits_of_parent(const Ground *g)
{
    struct rlimit limit;
    (void)g;
    return prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
}

static long event(const Ground *g)
{
    (void)g;
    return eventfd(0, 0);
}

static long make_pipe(const Ground *g)
{
    int ends[2];
    (void)g;
    return pipe(ends);
}

#ifdef __x86_64__
/* Calls getpid through the kernel's entry for 32-bit programs, if the kernel has one. */
static long call_of_32_bits(const Ground *g)
{
    long result;
    (void)g;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    if (result < 0)
        errno = (int)-result;
    return result;
}

static long call_of_x32(const Ground *g)
{
    (void)g;
    return (long)syscall(0x40000000 | SYS_getpid);
}
#endif

const Trial trials_of_processes[] = {
    {"start a program", execute, EPERM, false},
    {"start what is open", execute_descriptor, EPERM, false},
    {"start a process", fork_process, EPERM, false},
    {"start a process by the library's fork", fork_by_library, EPERM, false},
    {"clone3", clone_3, ENOSYS, false},
    {"socket of the internet", socket_internet, EPERM, false},
    {"socket of the file system", socket_local, EPERM, false},
    {"socket to the kernel", socket_netlink, EPERM, false},
    {"pair of sockets", sockets, EPERM, false},
    {"connect", connect_what_is_open, EPERM, false},
    {"ptrace: be traced", be_traced, EPERM, false},
    {"ptrace: trace another process", trace_parent, EPERM, true},
    {"read another process's memory", read_memory, EPERM, true},
    {"write another process's memory", write_memory, EPERM, true},
    {"signal another process", kill_parent, EPERM, false},
    {"signal a group of processes", kill_itself_by_kill, EPERM, false},
    {"signal a thread of another process", signal_thread_of_parent, EPERM, false},
    {"signal a thread by its number", signal_thread, EPERM, false},
    {"queue a signal", queue_signal, EPERM, false},
    {"open another process", open_process, ENOSYS, false},
    {"have a descriptor signal another process", signal_by_owner, EPERM, false},
    {"type into the terminal", type_for_the_user, EPERM, true},
    {"set the terminal", set_terminal, EPERM, false},
    {"another ioctl", other_ioctl, EPERM, false},
    {"wait for a process", wait_for_others, EPERM, false},
    {"set a priority", set_priority, EPERM, false},
    {"choose processors", set_processors, EPERM, false},
    {"set a limit", set_limit, EPERM, false},
    {"limits of another process", limits_of_parent, EPERM, false},
    {"eventfd", event, EPERM, false},
    {"pipe", make_pipe, EPERM, false},
#ifdef __x86_64__
    {"a call of 32 bits", call_of_32_bits, ENOSYS, true},
    {"a call of x32", call_of_x32, ENOSYS, true},
#endif
    {.name = NULL},
};
