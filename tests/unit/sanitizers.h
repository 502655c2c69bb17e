/* Macros with which tests run fewer cases in builds with sanitizers. Sanitizers look for wrong
 * memory accesses, and a part of many similar cases suffices to find them. Builds without
 * sanitizers compare the values of all cases. */
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

/* The step between the cases of a loop: `sanitized` in builds with sanitizers, otherwise 1. */
#define EVERY(sanitized) (HAVE_SANITIZERS ? (sanitized) : 1)

#endif
