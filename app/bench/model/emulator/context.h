/* Where a fiber stands: its stack and registers. Switching between fibers is most of what the
 * emulator does, and swapcontext makes two system calls each time, for a signal mask that never
 * changes here; so x86-64 has its own switch, and other processors have swapcontext. */
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

/* Makes `context` one that begins `function`, which must not return, on `bytes` of `stack`. */
void context_make(Context *context, void *stack, size_t bytes, void (*function)());

/* Leaves the running fiber in `from` and goes on with `to`; returns when one switches to `from`. */
void context_switch(Context *from, const Context *to);

} // namespace emulator

#endif
