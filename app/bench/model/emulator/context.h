/* State of a fiber, which runs one thread of a kernel: stack and registers. Switching fibers takes
 * most of the emulator's time. swapcontext makes two system calls per switch for a signal mask that
 * never changes. x86-64 therefore has a switch of its own here; other processors use
 * swapcontext. */
#ifndef IMGTOOL_APP_BENCH_MODEL_EMULATOR_CONTEXT_H
#define IMGTOOL_APP_BENCH_MODEL_EMULATOR_CONTEXT_H

#include <stddef.h>
#include <ucontext.h>

namespace emulator
{

struct Context {
#ifdef __x86_64__
    void *stack_pointer;
#else
    ucontext_t saved;
#endif
};

/* Initialises `context` so that it starts `function` on the `bytes` bytes of `stack`. The function
 * must not return. */
void context_make(Context *context, void *stack, size_t bytes, void (*function)());

/* Saves the running fiber in `from` and continues `to`. Returns when another fiber switches to
 * `from`. */
void context_switch(Context *from, const Context *to);

} // namespace emulator

#endif
