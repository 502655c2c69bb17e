/* Whether this build has sanitizers. A test with sanitizers looks for wrong accesses, which a part
 * of many similar cases shows too; the build without them compares the values of all cases. */
#ifndef IMGTOOL_TESTS_UNIT_SANITIZERS_H
#define IMGTOOL_TESTS_UNIT_SANITIZERS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define HAVE_SANITIZERS 1
#endif
#endif
#if !defined(HAVE_SANITIZERS) && defined(__SANITIZE_ADDRESS__)
#define HAVE_SANITIZERS 1
#endif
#ifndef HAVE_SANITIZERS
#define HAVE_SANITIZERS 0
#endif

/* The step between the cases of a loop: 1, and `sanitized` with sanitizers. */
#define EVERY(sanitized) (HAVE_SANITIZERS ? (sanitized) : 1)

#endif
