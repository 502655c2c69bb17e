/* A fiber is a stack and the saved registers of one thread of a kernel. Switches between fibers
 * take most of the emulator's time. swapcontext makes two system calls per switch to set the signal
 * mask, which never changes here. The emulator therefore has its own switch for x86-64. Other
 * processors use swapcontext. */
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

/* Initialises `context`, so that the first switch to it calls `function` on the stack of `bytes`
 * bytes. The function must not return. */
void context_make(Context *context, void *stack, size_t bytes, void (*function)());

/* Saves the running fiber in `from`, and continues the fiber `to`. Returns when another fiber
 * switches back to `from`. */
void context_switch(Context *from, const Context *to);

} // namespace emulator

#endif
