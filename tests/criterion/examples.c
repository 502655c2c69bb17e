/* Tests that pass, fail, crash and so on: one for every kind of result. They test this replacement
 * of the library Criterion itself. */
#include <criterion/criterion.h>
#include <signal.h>
#include <unistd.h>

static int started;

static void start(void)
{
    started = 1;
}

static void fail_at_end(void)
{
    cr_expect(false, "the function for the end ran");
}

TestSuite(suite, .init = start);

Test(suite, passes_after_its_init)
{
    cr_assert_eq(started++, 1);
}

Test(suite, passes_in_a_process_of_its_own)
{
    cr_expect_eq(started, 1, "another test has changed it");
}

Test(suite, fails_and_continues)
{
    cr_expect_eq(1, 2, "first of %d", 2);
    cr_expect_str_eq("a", "b");
}

Test(suite, fails_and_ends)
{
    cr_assert(false);
    raise(SIGKILL);
}

Test(suite, fails_at_its_end, .fini = fail_at_end)
{
}

Test(suite, crashes)
{
    raise(SIGKILL);
}

Test(suite, hangs, .timeout = 0.04)
{
    pause();
}

Test(suite, is_skipped)
{
    cr_skip_test("it cannot run");
}

Test(suite, is_disabled, .disabled = true)
{
    raise(SIGKILL);
}
