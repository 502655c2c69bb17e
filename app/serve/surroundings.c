#include "app/serve/surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/term/interrupt.h"

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER; /* by those without their own */
static _Thread_local enum { UNKNOWN, OWN, SHARED } kind;

static void take(void)
{
    if (kind == UNKNOWN)
        kind = unshare(CLONE_FS) == 0 ? OWN : SHARED;
    if (kind == SHARED)
        pthread_mutex_lock(&shared);
}

static void give_back(void)
{
    if (kind == SHARED)
        pthread_mutex_unlock(&shared);
}

ImgStatus surroundings_enter(int directory, mode_t mask, ImgError *err)
{
    take();
    if (fchdir(directory) != 0) {
        int code = errno;
        give_back();
        return img_fail(err, IMG_E_IO, "the working directory cannot be entered by the server: %s",
                        strerror(code));
    }
    (void)umask(mask);
    interrupt_set_directory(directory);
    return IMG_OK;
}

void surroundings_leave(void)
{
    interrupt_set_directory(AT_FDCWD);
    (void)umask(S_IRWXG | S_IRWXO);
    (void)!chdir("/"); /* which every thread may enter */
    give_back();
}
