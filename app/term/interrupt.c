/* A signal handler may call async-signal-safe functions only. This one reads a fixed table and
 * calls unlinkat, poll and write. Then the signal takes its default effect, so that the exit status
 * of the program shows the signal. The same cleanup runs if a library ends the program by exit().
 *
 * Other threads continue while the handler runs. Threads therefore create, rename and remove files
 * only in steps. The handler first closes a gate: it waits until the running steps are over, and no
 * new step begins. From then on the table contains exactly the files that exist, and it does not
 * change. Signals are blocked during a step, so that the handler never waits for its own thread. */
#include "app/term/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/term/status_line.h"

/* Capacity of the table: more than the number of files that a batch works on at the same time. */
enum { SLOTS = 1088 };

/* A file in the table. It changes in steps only; the handler reads it after the gate is closed. */
typedef struct Slot {
    bool set;
    bool is_directory;
    int from;         /* descriptor of the directory that a relative path starts from */
    const char *name; /* points to `path`, or to memory of the caller */
    char path[PATH_MAX];
} Slot;

static Slot slots[SLOTS];
static pthread_mutex_t noting =
    PTHREAD_MUTEX_INITIALIZER; /* held by threads during their steps; never by the handler */
static _Thread_local int working_directory = AT_FDCWD;
static bool names_stay;
static atomic_int child_process; /* id of the child process to end; 0: none */

/* --- The gate --------------------------------------------------------------------------------- */

static atomic_bool closed;
static atomic_int steps; /* number of running steps */
static sigset_t caught;  /* signals that the handler catches before they end the program */
/* id of the process that noted the files; a forked child has a copy of the table and must not
 * remove them */
static pid_t owner;
static _Thread_local bool ends;          /* this thread closed the gate */
static _Thread_local sigset_t unblocked; /* the thread's signal mask outside of its step */

void interrupt_enter(void)
{
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &caught, &before);
    atomic_fetch_add(&steps, 1);
    if (atomic_load(&closed) && !ends) {
        atomic_fetch_sub(&steps, 1);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        for (;;) /* never ends: the process is about to end */
            (void)poll(NULL, 0, -1);
    }
    unblocked = before;
}

void interrupt_leave(void)
{
    const sigset_t before = unblocked;
    atomic_fetch_sub(&steps, 1);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Closes the gate and waits for running steps, which take microseconds. If a file system is slow,
 * it stops waiting after 5 seconds. */
static void close_gate(void)
{
    enum { WAIT_MS = 5000 };
    ends = true;
    atomic_store(&closed, true);
    for (int i = 0; i < WAIT_MS && atomic_load(&steps) > 0; i++)
        (void)poll(NULL, 0, 1);
}

/* Removes the files, then the directories, which must be empty by then. */
static void remove_all(void)
{
    if (getpid() != owner)
        return;
    close_gate();
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].set && !slots[i].is_directory)
            unlinkat(slots[i].from, slots[i].name, 0);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].set && slots[i].is_directory)
            unlinkat(slots[i].from, slots[i].name, AT_REMOVEDIR);
}

/* --- Signals ---------------------------------------------------------------------------------- */

static void end_child(void)
{
    pid_t running = atomic_load(&child_process);
    if (running > 0 && getpid() == owner && kill(running, SIGTERM) == 0)
        waitpid(running, NULL, 0);
}

static void remove_and_die(int number)
{
    /* Restores the default action only here, after the files are removed. Some programs send a
     * signal twice: timeout(1) sends it to the process and to its group. The second signal would
     * otherwise end the program through another thread before the files are removed. The raised
     * signal is delivered when the handler returns. */
    end_child();
    remove_all();
    status_line_leave();
    signal(number, SIG_DFL);
    if (raise(number) !=
        0) /* the sandbox does not permit the system call that raise() makes in some C libraries */
        _exit(128 + number);
}

/* the first signal that was received, by any thread; 0: none */
static atomic_int requested;
/* time of the first signal, monotonic clock, in nanoseconds */
static _Atomic int64_t requested_at_ns;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Notes the first signal; a second one ends the program. Two signals within 300 ms count as one,
 * because some programs send a signal twice: see remove_and_die. */
static void request_end(int number)
{
    enum { AT_ONCE_NS = 300000000 };
    const int64_t now = now_ns();
    if (requested != 0 && now - requested_at_ns > AT_ONCE_NS)
        remove_and_die(number);
    if (requested == 0)
        requested_at_ns = now;
    requested = number;
}

/* --- The table -------------------------------------------------------------------------------- */

static void note(const char *path, bool is_directory)
{
    size_t size = strlen(path) + 1;
    if (size > PATH_MAX)
        return;
    pthread_mutex_lock(&noting);
    int i = 0;
    while (i < SLOTS && slots[i].set)
        i++;
    if (i < SLOTS) {
        memcpy(slots[i].path, path, size);
        slots[i].name = names_stay ? path : slots[i].path;
        slots[i].is_directory = is_directory;
        slots[i].from = working_directory;
        slots[i].set = true;
    }
    pthread_mutex_unlock(&noting);
}

static bool is_noted(const Slot *slot, const char *path)
{
    return slot->set && slot->from == working_directory && strcmp(slot->path, path) == 0;
}

static void forget(const char *path)
{
    pthread_mutex_lock(&noting);
    int i = 0;
    while (i < SLOTS && !is_noted(&slots[i], path))
        i++;
    if (i < SLOTS)
        slots[i].set = false;
    pthread_mutex_unlock(&noting);
}

static void enter(void *context)
{
    (void)context;
    interrupt_enter();
}

static void leave(void *context)
{
    (void)context;
    interrupt_leave();
}

static void note_created(void *context, const char *path)
{
    (void)context;
    note(path, false);
}

static void note_gone(void *context, const char *path)
{
    (void)context;
    forget(path);
}

void interrupt_note_directory(const char *path)
{
    note(path, true);
}

void interrupt_forget_directory(const char *path)
{
    forget(path);
}

void interrupt_set_directory(int directory)
{
    working_directory = directory;
}

void interrupt_move_names(InterruptNames *find)
{
    interrupt_enter();
    pthread_mutex_lock(&noting);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].set)
            slots[i].name = find(slots[i].path);
    pthread_mutex_unlock(&noting);
    interrupt_leave();
}

void interrupt_names_stay(void)
{
    interrupt_enter();
    pthread_mutex_lock(&noting);
    names_stay = true;
    pthread_mutex_unlock(&noting);
    interrupt_leave();
}

/* Installs the handler for the signal, unless the signal is ignored (nohup) or a profiler or
 * sanitizer handles it. */
static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = remove_and_die}, inherited;
    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &inherited) == 0 && inherited.sa_handler == SIG_DFL &&
        sigaction(number, &action, NULL) == 0)
        sigaddset(&caught, number);
}

void interrupt_defer_first(void)
{
    static const int polite[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof polite / sizeof *polite; i++) {
        struct sigaction action = {.sa_handler = request_end, .sa_flags = SA_RESTART}, current;
        sigfillset(&action.sa_mask);
        if (sigaction(polite[i], NULL, &current) == 0 && current.sa_handler == remove_and_die)
            sigaction(polite[i], &action, NULL);
    }
}

bool interrupt_requested(void)
{
    return requested != 0;
}

int interrupt_signal(double *seconds)
{
    int number = requested;
    *seconds = number != 0 ? (double)(now_ns() - requested_at_ns) * 1e-9 : 0;
    return number;
}

void interrupt_finish(void)
{
    if (requested != 0)
        remove_and_die(requested);
}

void interrupt_install(void)
{
    /* All signals that end a process by default. Signals for crashes, and signals that cannot be
     * caught, are missing. */
    static const int deadly[] = {
        SIGHUP,    SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
        SIGXCPU,   SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGIO,
#ifdef SIGPWR
        SIGPWR,
#endif
#ifdef SIGSTKFLT
        SIGSTKFLT,
#endif
    };
    static atomic_flag installed = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(
            &installed)) /* a second call of atexit would register remove_all twice */
        return;
    owner = getpid();
    sigemptyset(&caught);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        catch_signal(deadly[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        catch_signal(number);
    atexit(remove_all);
    /* SIGXFSZ is ignored, so that a write beyond the file size limit fails with EFBIG, which is
     * reported like any other error. */
    signal(SIGXFSZ, SIG_IGN);
}

const ImgOutputHooks *interrupt_hooks(void)
{
    static const ImgOutputHooks hooks = {note_created, note_gone, NULL, enter, leave};
    return &hooks;
}

/* --- Child processes -------------------------------------------------------------------------- */

void interrupt_note_child(pid_t number)
{
    atomic_store(&child_process, number);
}

/* WNOWAIT keeps the id of the ended child reserved until the program has forgotten the id. A signal
 * can therefore never end another process that reuses it. */
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
