#include "app/serve/serve_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/term/interrupt.h"

/* held by a thread while it uses the directory of the process */
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local enum { UNKNOWN, OWN, SHARED } kind;

static void acquire(void)
{
    if (kind == UNKNOWN)
        kind = unshare(CLONE_FS) == 0 ? OWN : SHARED;
    if (kind == SHARED)
        pthread_mutex_lock(&shared);
}

static void release(void)
{
    if (kind == SHARED)
        pthread_mutex_unlock(&shared);
}

ImgStatus working_directory_enter(int directory, mode_t mask, ImgError *err)
{
    acquire();
    if (fchdir(directory) != 0) {
        int code = errno;
        release();
        return img_fail(err, IMG_E_IO, "the working directory cannot be entered by the server: %s",
                        strerror(code));
    }
    (void)umask(mask);
    interrupt_set_directory(directory);
    return IMG_OK;
}

void working_directory_leave(void)
{
    interrupt_set_directory(AT_FDCWD);
    (void)umask(S_IRWXG | S_IRWXO);
    /* "/" is a directory that every thread may enter, and that no client needs to remove. */
    (void)!chdir("/");
    release();
}
