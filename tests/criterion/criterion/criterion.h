/* A stand-in for Criterion, with the parts that tests/unit uses. It runs every test in its own
 * process, as Criterion does. It forks these processes from one program, whereas Criterion executes
 * the program again. The stand-in also works in an emulator of another processor, and with every
 * sanitizer. */
#ifndef IMGTOOL_TESTS_CRITERION_CRITERION_CRITERION_H
#define IMGTOOL_TESTS_CRITERION_CRITERION_CRITERION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CrOptions {
    void (*init)(void);
    void (*fini)(void);
    /* limit in seconds for a build without sanitizers on a processor that is not emulated;
     * criterion.c multiplies it by SLOWER. 0 or less: not set. A test without a timeout gets the
     * timeout of its suite, if that is set */
    double timeout;
    bool disabled;
    const char *description;
} CrOptions;

typedef struct CrTest {
    /* names of the suite and the test; `name` is NULL for the options of a suite */
    const char *suite, *name;
    void (*run)(void);
    CrOptions options;
    struct CrTest *next;
} CrTest;

#ifdef __cplusplus
extern "C" {
#endif

void cr_add(CrTest *test);

__attribute__((format(printf, 4, 5))) void cr_failed(const char *file, int line, const char *what,
                                                     const char *format, ...);
__attribute__((noreturn)) void cr_end_test(void); /* Ends the process of a test that has failed. */
__attribute__((format(printf, 1, 2))) void cr_said(const char *format, ...);
__attribute__((noreturn, format(printf, 1, 2))) void cr_skipped(const char *format, ...);

#ifdef __cplusplus
}
#endif

#define Test(suite_, name_, ...)                                                                   \
    static void suite_##_##name_##_body(void);                                                     \
    static CrTest suite_##_##name_##_test = {                                                      \
        #suite_, #name_, suite_##_##name_##_body, {__VA_ARGS__}, NULL};                            \
    __attribute__((constructor)) static void suite_##_##name_##_add(void)                          \
    {                                                                                              \
        cr_add(&suite_##_##name_##_test);                                                          \
    }                                                                                              \
    static void suite_##_##name_##_body(void)

#define TestSuite(suite_, ...)                                                                     \
    static CrTest suite_##_suite = {#suite_, NULL, NULL, {__VA_ARGS__}, NULL};                     \
    __attribute__((constructor)) static void suite_##_add_suite(void)                              \
    {                                                                                              \
        cr_add(&suite_##_suite);                                                                   \
    }                                                                                              \
    struct CrTest

#define CR_CHECK(fatal, what, holds, ...)                                                          \
    ((holds) ? (void)0                                                                             \
             : (cr_failed(__FILE__, __LINE__, what, "" __VA_ARGS__),                               \
                (fatal) ? cr_end_test() : (void)0))
#define CR_COMPARE(fatal, a, op, b, ...) CR_CHECK(fatal, #a " " #op " " #b, (a)op(b), __VA_ARGS__)
#define CR_NEAR(fatal, a, b, e, ...)                                                               \
    CR_CHECK(fatal, #a " near " #b, fabs((double)((a) - (b))) <= (double)(e), __VA_ARGS__)
#define CR_TEXTS(fatal, a, b, ...) CR_CHECK(fatal, #a " is " #b, strcmp((a), (b)) == 0, __VA_ARGS__)
#define CR_BYTES(fatal, a, b, size, ...)                                                           \
    CR_CHECK(fatal, #a " holds what " #b " does", memcmp((a), (b), (size)) == 0, __VA_ARGS__)

#define cr_assert(c, ...)                 CR_CHECK(true, #c, c, __VA_ARGS__)
#define cr_assert_not(c, ...)             CR_CHECK(true, "not " #c, !(c), __VA_ARGS__)
#define cr_assert_null(p, ...)            CR_CHECK(true, #p " is NULL", (p) == NULL, __VA_ARGS__)
#define cr_assert_not_null(p, ...)        CR_CHECK(true, #p " is not NULL", (p) != NULL, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)           CR_COMPARE(true, a, ==, b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...)          CR_COMPARE(true, a, !=, b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...)           CR_COMPARE(true, a, <, b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...)          CR_COMPARE(true, a, <=, b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...)           CR_COMPARE(true, a, >, b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...)          CR_COMPARE(true, a, >=, b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, e, ...)  CR_NEAR(true, a, b, e, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)       CR_TEXTS(true, a, b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) CR_BYTES(true, a, b, size, __VA_ARGS__)
#define cr_assert_fail(...)               CR_CHECK(true, "what has failed", false, __VA_ARGS__)

#define cr_expect(c, ...)                 CR_CHECK(false, #c, c, __VA_ARGS__)
#define cr_expect_not(c, ...)             CR_CHECK(false, "not " #c, !(c), __VA_ARGS__)
#define cr_expect_null(p, ...)            CR_CHECK(false, #p " is NULL", (p) == NULL, __VA_ARGS__)
#define cr_expect_not_null(p, ...)        CR_CHECK(false, #p " is not NULL", (p) != NULL, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)           CR_COMPARE(false, a, ==, b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...)          CR_COMPARE(false, a, !=, b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...)           CR_COMPARE(false, a, <, b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...)          CR_COMPARE(false, a, <=, b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...)           CR_COMPARE(false, a, >, b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...)          CR_COMPARE(false, a, >=, b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, e, ...)  CR_NEAR(false, a, b, e, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)       CR_TEXTS(false, a, b, __VA_ARGS__)
#define cr_expect_str_empty(a, ...)       CR_TEXTS(false, a, "", __VA_ARGS__)
#define cr_expect_str_not_empty(a, ...)   CR_CHECK(false, #a " is empty", *(a) != '\0', __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) CR_BYTES(false, a, b, size, __VA_ARGS__)

#define cr_log_info(...)  cr_said(__VA_ARGS__)
#define cr_skip_test(...) cr_skipped("" __VA_ARGS__)

#endif
