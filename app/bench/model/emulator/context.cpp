#include "app/bench/model/emulator/context.h"

#include <dlfcn.h>
#include <stdint.h>

namespace emulator
{

#ifdef __x86_64__

/* Saves the callee-saved registers (System V ABI for x86-64, section 3.2.1) on the stack of the
 * running fiber, and loads the registers of the other fiber. The rounding mode is not saved,
 * because it is the same in all fibers. */
extern "C" void emulator_switch(void **from, void *to);
asm(".pushsection .text\n"
    ".hidden emulator_switch\n"
    ".globl emulator_switch\n"
    ".type emulator_switch, @function\n"
    "emulator_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size emulator_switch, . - emulator_switch\n"
    ".popsection\n");

void context_make(Context *context, void *stack, size_t bytes, void (*function)())
{
    constexpr int REGISTERS = 6;
    /* The stack looks as if `function` had just been called. A return address is on top, and the
     * stack pointer is 8 bytes past a multiple of 16. */
    void **top = (void **)(((uintptr_t)stack + bytes) & ~(uintptr_t)15);
    *--top = nullptr;
    *--top = (void *)function;
    for (int i = 0; i < REGISTERS; i++)
        *--top = nullptr;
    context->stack_pointer = top;
}

void context_switch(Context *from, const Context *to)
{
    emulator_switch(&from->stack_pointer, to->stack_pointer);
}

#else

namespace
{

using SwapContext = int (*)(ucontext_t *, const ucontext_t *);

SwapContext find_swapcontext()
{
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void *function = library != nullptr ? dlsym(library, "swapcontext") : nullptr;
    return function != nullptr ? (SwapContext)function : swapcontext;
}

} // namespace

void context_make(Context *context, void *stack, size_t bytes, void (*function)())
{
    getcontext(&context->saved);
    context->saved.uc_stack.ss_sp = stack;
    context->saved.uc_stack.ss_size = bytes;
    context->saved.uc_link = nullptr;
    makecontext(&context->saved, function, 0);
}

/* Calls swapcontext of the C library directly. AddressSanitizer replaces that function by one that
 * clears a whole stack per switch and does not support the fibers announced by launch.cpp. */
void context_switch(Context *from, const Context *to)
{
    static const SwapContext swap = find_swapcontext();
    swap(&from->saved, &to->saved);
}

#endif

} // namespace emulator
