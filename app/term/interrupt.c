/* The handler may only do what is safe at any moment: it reads a fixed table and calls unlinkat,
 * poll and write. Then the signal takes its usual effect, so that the exit status says which one it
 * was. Libraries may end the program too.
 *
 * Other threads run on while the handler works. So files are created, renamed and removed in steps,
 * and the handler first closes a gate: it waits until the steps that have begun are over, and no
 * other step begins. Then the table holds all files that exist, and nothing changes it. Signals are
 * blocked during a step, so that the handler never waits for its own thread. */
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

enum { SLOTS = 1088 }; /* as many files as a batch may work on, and some */

/* Changed in steps, and read when there are none any more. */
typedef struct Slot {
    bool set;
    bool is_directory;
    int from;         /* the directory that a relative path starts at */
    const char *name; /* `path`, or the caller's */
    char path[PATH_MAX];
} Slot;

static Slot slots[SLOTS];
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER; /* threads in steps; never the handler */
static _Thread_local int working_directory = AT_FDCWD;
static bool names_stay;
static atomic_int child; /* a pid; 0: none */

/* --- The gate --------------------------------------------------------------------------------- */

static atomic_bool closed;
static atomic_int steps;        /* that have begun and are not over */
static sigset_t caught;         /* the signals that end the program through a handler */
static pid_t owner;             /* the process that noted the files; a child has their names too */
static _Thread_local bool ends; /* this thread has closed the gate */
static _Thread_local sigset_t unblocked; /* the thread's mask outside of its step */

void interrupt_enter(void)
{
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &caught, &before);
    atomic_fetch_add(&steps, 1);
    if (atomic_load(&closed) && !ends) {
        atomic_fetch_sub(&steps, 1);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        for (;;) /* the process ends */
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

/* A step takes microseconds. One that a file system keeps for seconds is not waited for. */
static void close_gate(void)
{
    enum { WAIT_MS = 5000 };
    ends = true;
    atomic_store(&closed, true);
    for (int i = 0; i < WAIT_MS && atomic_load(&steps) > 0; i++)
        (void)poll(NULL, 0, 1);
}

/* Directories last, as only empty ones go. */
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
    pid_t running = atomic_load(&child);
    if (running > 0 && getpid() == owner && kill(running, SIGTERM) == 0)
        waitpid(running, NULL, 0);
}

static void remove_and_die(int number)
{
    /* Only now the default action: some send a signal twice, as timeout(1) does to the process and
     * to its group, and the second would end the program through another thread before the files
     * are gone. It is taken when the handler returns. */
    end_child();
    remove_all();
    status_line_leave();
    signal(number, SIG_DFL);
    if (raise(number) != 0) /* of a C library whose call the sandbox does not know */
        _exit(128 + number);
}

static atomic_int asked;            /* the signal; 0: none. Any thread may get it */
static _Atomic int64_t asked_at_ns; /* of the monotonic clock */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Twice at once is once: see remove_and_die. */
static void ask(int number)
{
    enum { AT_ONCE_NS = 300000000 };
    const int64_t now = now_ns();
    if (asked != 0 && now - asked_at_ns > AT_ONCE_NS)
        remove_and_die(number);
    if (asked == 0)
        asked_at_ns = now;
    asked = number;
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

void interrupt_note_child(pid_t number)
{
    atomic_store(&child, number);
}

/* Leaves a signal alone that is ignored (nohup), or that a profiler or a sanitizer handles. */
static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = remove_and_die}, inherited;
    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &inherited) == 0 && inherited.sa_handler == SIG_DFL &&
        sigaction(number, &action, NULL) == 0)
        sigaddset(&caught, number);
}

void interrupt_ask_first(void)
{
    static const int polite[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof polite / sizeof *polite; i++) {
        struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART}, current;
        sigfillset(&action.sa_mask);
        if (sigaction(polite[i], NULL, &current) == 0 && current.sa_handler == remove_and_die)
            sigaction(polite[i], &action, NULL);
    }
}

bool interrupt_asked(void)
{
    return asked != 0;
}

int interrupt_asked_by(double *seconds)
{
    int number = asked;
    *seconds = number != 0 ? (double)(now_ns() - asked_at_ns) * 1e-9 : 0;
    return number;
}

void interrupt_finish(void)
{
    if (asked != 0)
        remove_and_die(asked);
}

void interrupt_install(void)
{
    /* Those that end a process by default, but for crashes and what cannot be caught. */
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
    if (atomic_flag_test_and_set(&installed)) /* atexit would add it once more */
        return;
    owner = getpid();
    sigemptyset(&caught);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        catch_signal(deadly[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        catch_signal(number);
    atexit(remove_all);
    /* Ignored, it is an error of the write (EFBIG), which is reported like any other. */
    signal(SIGXFSZ, SIG_IGN);
}

const ImgOutputHooks *interrupt_hooks(void)
{
    static const ImgOutputHooks hooks = {note_created, note_gone, NULL, enter, leave};
    return &hooks;
}
