/* Private: calls into libraries that MemorySanitizer cannot see into: what they read has to be
 * written by then, and what they write is so without its knowledge. Nothing in all other builds. */
#ifndef IMGTOOL_IO_UNINSTRUMENTED_H
#define IMGTOOL_IO_UNINSTRUMENTED_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define IMG_MSAN 1
#endif
#endif

static inline void img_foreign_reads(const void *memory, size_t bytes)
{
#ifdef IMG_MSAN
    __msan_check_mem_is_initialized(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

static inline void img_foreign_wrote(void *memory, size_t bytes)
{
#ifdef IMG_MSAN
    __msan_unpoison(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

#endif
