/* The handler may only do what is safe at any moment: it reads a fixed table and calls unlink. Then
 * the signal takes its usual effect, so that the exit status tells which one it was. */
#include "app/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 64 };

typedef struct Slot {
    atomic_bool taken, set; /* `set` only while `path` is complete */
    char path[PATH_MAX];
} Slot;

static Slot slots[SLOTS];

static void remove_and_die(int number)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].set))
            unlink(slots[i].path);
    /* The action is the default one again (SA_RESETHAND); it comes when the handler returns. */
    raise(number);
}

static void note_created(void *context, const char *path)
{
    (void)context;
    size_t size = strlen(path) + 1;
    if (size > PATH_MAX)
        return;
    for (int i = 0; i < SLOTS; i++) {
        if (!atomic_exchange(&slots[i].taken, true)) {
            memcpy(slots[i].path, path, size);
            atomic_store(&slots[i].set, true);
            return;
        }
    }
}

static void note_gone(void *context, const char *path)
{
    (void)context;
    for (int i = 0; i < SLOTS; i++) {
        if (atomic_load(&slots[i].set) && strcmp(slots[i].path, path) == 0) {
            atomic_store(&slots[i].set, false);
            atomic_store(&slots[i].taken, false);
            return;
        }
    }
}

void interrupt_install(void)
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU};
    struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = SA_RESETHAND}, inherited;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        if (sigaction(deadly[i], NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    /* Ignored, it is an error of the write (EFBIG), which is reported like any other. */
    signal(SIGXFSZ, SIG_IGN);
}

const ImgOutputHooks *interrupt_hooks(void)
{
    static const ImgOutputHooks hooks = {note_created, note_gone, NULL};
    return &hooks;
}
