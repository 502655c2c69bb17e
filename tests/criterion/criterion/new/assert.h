/* The newer assertions of Criterion that tests/unit uses (criterion.h). */
#ifndef IMGTOOL_TESTS_CRITERION_CRITERION_NEW_ASSERT_H
#define IMGTOOL_TESTS_CRITERION_CRITERION_NEW_ASSERT_H

#define eq(type, a, b) ((a) == (b))

#endif
