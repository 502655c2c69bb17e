/* Tests of threads that work for clients. Each thread must have the directory and the umask of its
 * client, even if the system does not allow directories per thread. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/serve/serve_priv.h"

TestSuite(serve_working_directory, .timeout = 60);

enum { THREADS = 4, ROUNDS = 50 };

typedef struct Visitor {
    pthread_t thread;
    char path[64];
    int directory;
    mode_t mask;
    int wrong;
} Visitor;

/* Creates a file with a relative name. Returns true if the file is in the directory of the client
 * and has the permissions that the umask of the client allows. */
static bool leaves_file_there(const Visitor *visitor)
{
    struct stat info;
    char name[80], path[160];
    snprintf(name, sizeof name, "file-%o", (unsigned)visitor->mask);
    snprintf(path, sizeof path, "%s/%s", visitor->path, name);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool right =
        file >= 0 && stat(path, &info) == 0 && (info.st_mode & 0777) == (0666 & ~visitor->mask);
    if (file >= 0)
        close(file);
    return unlink(path) == 0 && right;
}

static void *visit(void *argument)
{
    Visitor *visitor = argument;
    for (int i = 0; i < ROUNDS; i++) {
        if (working_directory_enter(visitor->directory, visitor->mask, NULL) != IMG_OK) {
            visitor->wrong++;
            continue;
        }
        visitor->wrong += leaves_file_there(visitor) ? 0 : 1;
        working_directory_leave();
    }
    return NULL;
}

static void visit_side_by_side(void)
{
    Visitor visitors[THREADS];
    for (int i = 0; i < THREADS; i++) {
        Visitor *visitor = &visitors[i];
        *visitor =
            (Visitor){.path = "/tmp/imgtool-test.XXXXXX", .mask = (mode_t)(i % 2 ? 077 : 002)};
        cr_assert_not_null(mkdtemp(visitor->path));
        visitor->directory = open(visitor->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        cr_assert_geq(visitor->directory, 0);
    }
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(visitors[i].thread, NULL);
        cr_expect_eq(visitors[i].wrong, 0);
        close(visitors[i].directory);
        cr_expect_eq(rmdir(visitors[i].path), 0);
    }
}

Test(serve_working_directory, threads_have_their_own_directory_and_umask)
{
    visit_side_by_side();
}

/* Forbids the system call unshare in this process, as some containers do. */
static bool refuse_unshare(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

Test(serve_working_directory, threads_take_turns_without_their_own_directory)
{
    if (!refuse_unshare())
        cr_skip_test("the system supports no filter of calls");
    visit_side_by_side();
}

Test(serve_working_directory, a_directory_that_cannot_be_entered_is_an_error_and_blocks_no_thread)
{
    ImgError err = {IMG_OK, ""};
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    cr_expect_eq(working_directory_enter(file, 022, &err), IMG_E_IO);
    cr_expect_not_null(strstr(err.message, "cannot be entered"));
    close(file);
    visit_side_by_side();
}
