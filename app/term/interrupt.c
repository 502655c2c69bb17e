/* Removes unfinished files in a signal handler, which may only call async-signal-safe functions.
 * The handler reads a fixed table, and calls unlinkat, poll and write. Then the signal takes its
 * default effect, so that the exit status of the program shows the signal. The same cleanup runs if
 * a library ends the program by exit().
 *
 * Other threads continue while the handler runs. They therefore create, rename and remove files
 * only in steps. The handler first closes a gate: no new step begins, and it waits until all
 * running steps are over. From then on the table contains exactly the files that exist, and it does
 * not change. During a step signals are blocked, so that the handler never waits for its own
 * thread. */
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

/* Number of entries in the table of files to remove. It must exceed the number of files that a
 * batch works on at the same time. */
enum { SLOTS = 1088 };

/* An entry of the table: a file or directory to remove. Threads change it only in steps, and the
 * handler reads it after closing the gate, so that no new step begins. */
typedef struct Slot {
    bool is_directory;
    int from;         /* descriptor of the directory to which a relative path refers */
    const char *name; /* name of the file: points to `path`, or to memory of the caller */
    char path[PATH_MAX];
} Slot;

static Slot slots[SLOTS];
/* For each entry a hash of its path, or 0 if it is free. A search reads these few adjacent bytes,
 * because all writing threads wait for it. */
static uint32_t marks[SLOTS];
/* Held by a thread while it changes the table of files to remove; the handler never takes it.
 * Threads that find it locked try again for a short time (kernels/core/parallel/lock.h). */
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
static pthread_mutex_t noting = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;
#endif
static _Thread_local int working_directory = AT_FDCWD;
static bool names_stay;
/* process id of the child process to end on a signal; 0: there is none */
static atomic_int child_process;

/* --- The gate --------------------------------------------------------------------------------- */

static atomic_bool closed;
/* number of steps (changes of files and of the table) that are running now, in all threads */
static atomic_int steps;
static sigset_t caught; /* signals that the handler catches before they end the program */
/* Process id of the program. A forked child has a copy of the table of files to remove, but must
 * not remove the files. */
static pid_t owner;
/* true only in the thread that closed the gate, which may still begin steps */
static _Thread_local bool ends;
static _Thread_local sigset_t unblocked; /* signal mask that the thread had before its step */

void interrupt_enter(void)
{
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &caught, &before);
    atomic_fetch_add(&steps, 1);
    if (atomic_load(&closed) && !ends) {
        atomic_fetch_sub(&steps, 1);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        /* Another thread closed the gate and ends the program, so this thread waits here for
         * ever. */
        for (;;)
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

/* Closes the gate, so that no new step begins, and waits for the running steps, which take
 * microseconds. If a slow file system delays them, it stops waiting after 5 seconds. */
static void close_gate(void)
{
    enum { WAIT_MS = 5000 };
    ends = true;
    atomic_store(&closed, true);
    for (int i = 0; i < WAIT_MS && atomic_load(&steps) > 0; i++)
        (void)poll(NULL, 0, 1);
}

/* Removes all files in the table, and then the directories, which must be empty by then. */
static void remove_all(void)
{
    if (getpid() != owner)
        return;
    close_gate();
    for (int i = 0; i < SLOTS; i++)
        if (marks[i] != 0 && !slots[i].is_directory)
            unlinkat(slots[i].from, slots[i].name, 0);
    for (int i = 0; i < SLOTS; i++)
        if (marks[i] != 0 && slots[i].is_directory)
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
    const int code = errno; /* a signal handler must not change it */
    /* The default action is restored only after the files are removed. Some programs, such as
     * timeout(1), send a signal twice: to the process and to its group. The second one could
     * otherwise end the program, through another thread, before the files are removed. The signal
     * that raise() sends is delivered when the handler returns. */
    end_child();
    remove_all();
    status_line_leave();
    signal(number, SIG_DFL);
    /* In some C libraries, raise() makes a system call that the sandbox does not permit. */
    if (raise(number) != 0)
        _exit(128 + number);
    errno = code;
}

/* number of the last SIGINT, SIGTERM or SIGHUP that was received; 0: none was */
static atomic_int requested;
/* time of the first SIGINT, SIGTERM or SIGHUP that was received, on the monotonic clock, in
 * nanoseconds */
static _Atomic int64_t requested_at_ns;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Notes the first signal. A second one ends the program. Signals within 300 ms count as one,
 * because some programs send each signal twice (see remove_and_die). */
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

/* Returns a hash of the path, by FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, RFC 9923). Never 0. */
static uint32_t mark_of(const char *path)
{
    uint32_t hash = 2166136261U;
    for (; *path != '\0'; path++)
        hash = (hash ^ (uint8_t)*path) * 16777619U;
    return hash == 0 ? 1 : hash;
}

static void note(const char *path, bool is_directory)
{
    const size_t size = strlen(path) + 1;
    const uint32_t mark = mark_of(path);
    if (size > PATH_MAX)
        return;
    pthread_mutex_lock(&noting);
    int i = 0;
    while (i < SLOTS && marks[i] != 0)
        i++;
    if (i < SLOTS) {
        memcpy(slots[i].path, path, size);
        slots[i].name = names_stay ? path : slots[i].path;
        slots[i].is_directory = is_directory;
        slots[i].from = working_directory;
        marks[i] = mark;
    }
    pthread_mutex_unlock(&noting);
}

static bool is_noted(int i, const char *path, uint32_t mark)
{
    return marks[i] == mark && slots[i].from == working_directory &&
           strcmp(slots[i].path, path) == 0;
}

static void forget(const char *path)
{
    const uint32_t mark = mark_of(path);
    pthread_mutex_lock(&noting);
    int i = 0;
    while (i < SLOTS && !is_noted(i, path, mark))
        i++;
    if (i < SLOTS)
        marks[i] = 0;
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
        if (marks[i] != 0)
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

/* Installs the handler for a signal. Does nothing if the signal is ignored, as by nohup, or if a
 * profiler or sanitizer already handles it. */
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
    /* All signals that end a process by default, except those that report a crash and those that
     * cannot be caught. */
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
    /* Only the first call installs the handlers, because a second call of atexit would register
     * remove_all twice. */
    if (atomic_flag_test_and_set(&installed))
        return;
    owner = getpid();
    sigemptyset(&caught);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        catch_signal(deadly[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        catch_signal(number);
    atexit(remove_all);
    /* With SIGXFSZ ignored, a write beyond the limit of the file size fails with EFBIG, which is
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

/* WNOWAIT keeps the id of the ended child reserved until `child_process` is 0. A signal handler can
 * therefore never end another process that has got the same id. */
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
