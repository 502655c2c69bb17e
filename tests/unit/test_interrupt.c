/* Tests of a signal that ends a program while its threads create and rename files. No temporary
 * file may be left, and all complete files must stay. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "app/term/interrupt.h"
#include "test_directory.h"

TestSuite(interrupt, .init = enter_directory, .fini = leave_directory);

enum { WRITERS = 4 };

static void *write_without_pause(void *context)
{
    const int writer = *(const int *)context;
    char name[64];
    for (unsigned i = 0;; i++) {
        ImgOutput *output = NULL;
        snprintf(name, sizeof name, "%d-%u.out", writer, i % 8);
        if (img_output_open(name, interrupt_hooks(), &output, NULL) != IMG_OK)
            _exit(99);
        if (i % 3 == 0)
            img_output_discard(&output);
        else if (img_output_write(output, "whole", 5, NULL) != IMG_OK ||
                 img_output_commit(&output, NULL) != IMG_OK)
            _exit(98);
    }
    return NULL;
}

/* Runs in the child process. Writes files with several threads until a signal ends the process, at
 * the latest when the test ends. */
static void write_with_threads(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    static int numbers[WRITERS];
    pthread_t threads[WRITERS];
    interrupt_install();
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, write_without_pause, &numbers[i]) != 0)
            _exit(97);
    }
    for (;;)
        poll(NULL, 0, -1);
}

static int count_temporary(void)
{
    DIR *directory = opendir(".");
    int count = 0;
    cr_assert_not_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strstr(entry->d_name, ".tmp") != NULL;
    closedir(directory);
    return count;
}

static void wait_for_file(const char *name)
{
    /* waits at most a minute, because on a busy machine the file may take seconds to appear */
    for (int i = 0; i < 60000 && !is_there(name); i++)
        poll(NULL, 0, 1);
    cr_assert(is_there(name), "%s", name);
}

/* Sends two signals to a child process that writes files. The second signal may reach another
 * thread while the first is being handled. */
static void end_one(int first, int second)
{
    int result;
    (void)unlink("0-1.out");
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        write_with_threads();
    wait_for_file("0-1.out");
    cr_assert_eq(kill(child, first), 0);
    cr_assert_eq(kill(child, second), 0);
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_expect(WIFSIGNALED(result) && (WTERMSIG(result) == first || WTERMSIG(result) == second),
              "result %x", (unsigned)result);
    cr_expect_eq(count_temporary(), 0);
    expect_text("0-1.out", "whole");
}

Test(interrupt, threads_that_continue_leave_no_temporary_file)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGQUIT, SIGUSR1};
    for (int i = 0; i < 24; i++)
        end_one(signals[i % 4], signals[i % 3]);
}

/* Ends the program while an output is open. If `by_exit`, it calls exit, as a library might;
 * otherwise a signal arrives between interrupt_enter and interrupt_leave. */
static void end_in_the_middle(bool by_exit)
{
    ImgOutput *output = NULL;
    interrupt_install();
    if (img_output_open("half.out", interrupt_hooks(), &output, NULL) != IMG_OK)
        _exit(99);
    if (by_exit)
        exit(3);
    interrupt_enter();
    raise(SIGTERM); /* takes effect at interrupt_leave */
    (void)rename("step", "step over");
    interrupt_leave();
    _exit(98);
}

Test(interrupt, a_step_is_finished_before_the_program_ends)
{
    int result;
    write_text("step", "");
    for (int by_exit = 0; by_exit < 2; by_exit++) {
        pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            end_in_the_middle(by_exit == 1);
        cr_assert_eq(waitpid(child, &result, 0), child);
        if (by_exit == 1)
            cr_expect(WIFEXITED(result) && WEXITSTATUS(result) == 3);
        else
            cr_expect(WIFSIGNALED(result) && WTERMSIG(result) == SIGTERM);
        cr_expect_eq(count_temporary(), 0);
        cr_expect(is_there("step over"));
    }
}

/* The temporary files belong to the parent process, which continues to write them. */
Test(interrupt, a_forked_child_removes_nothing)
{
    int result;
    ImgOutput *output = NULL;
    interrupt_install();
    cr_assert_eq(img_output_open("a.out", interrupt_hooks(), &output, NULL), IMG_OK);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        raise(SIGTERM);
        _exit(98);
    }
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_expect(WIFSIGNALED(result) && WTERMSIG(result) == SIGTERM);
    cr_expect_eq(count_temporary(), 1);
    cr_expect_eq(img_output_commit(&output, NULL), IMG_OK);
    cr_expect(is_there("a.out"));
}
