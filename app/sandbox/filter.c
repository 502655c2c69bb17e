/* Compiles the rules to a seccomp filter. It is a program that the kernel runs for each system
 * call. The program reads the number and the arguments of the call, each argument as two halves of
 * 32 bits, and returns a verdict. A rule becomes a block of instructions. If a condition of the
 * rule does not hold, the program jumps to the next rule for the same call. */
#include "app/sandbox/rules.h"

#include <endian.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The flag exists since Linux 4.17. Some headers lack it. */
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif

enum {
    PROGRAM_MOST = 1536,
    RULES_MOST = 160,
    /* placeholder in a jump to the end of the current rule, whose position is not known yet */
    PAST_THE_RULE = 255,
    /* Number of the first system call since Linux 5.1. From this number on, calls have the same
     * number on all processors. */
    NEW_CALLS = 424,
};

typedef struct Program {
    struct sock_filter code[PROGRAM_MOST];
    unsigned short length;
    bool overflows;
    /* positions of the jumps to the verdict for calls that have no rule */
    unsigned short others[RULES_MOST];
    size_t other_count;
} Program;

static void emit(Program *program, struct sock_filter instruction)
{
    program->overflows |= program->length == PROGRAM_MOST;
    if (!program->overflows)
        program->code[program->length++] = instruction;
}

static void load(Program *program, size_t offset)
{
    emit(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(Program *program, uint32_t what)
{
    emit(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* Compare the loaded value with `value`; `comparison` is BPF_JEQ, BPF_JGT, BPF_JGE or BPF_JSET.
 * require() continues with the rule only if the comparison is true, require_not() only if it is
 * false. Otherwise they jump to the next rule. */
static void require(Program *program, unsigned short comparison, uint32_t value)
{
    emit(program,
         (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, 0, PAST_THE_RULE));
}

static void require_not(Program *program, unsigned short comparison, uint32_t value)
{
    emit(program,
         (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, PAST_THE_RULE, 0));
}

static size_t offset_of_half(int argument, bool high)
{
    const bool is_second = high == (__BYTE_ORDER == __LITTLE_ENDIAN);
    return offsetof(struct seccomp_data, args) + (size_t)argument * 8 + (is_second ? 4 : 0);
}

static void require_name(Program *program, int argument, const SandboxNames *names, uint32_t first,
                         uint32_t end)
{
    load(program, offset_of_half(argument, true));
    require(program, BPF_JEQ, names->window);
    load(program, offset_of_half(argument, false));
    require(program, BPF_JGE, first);
    require_not(program, BPF_JGE, end);
    require_not(program, BPF_JSET, names->slot - 1);
}

static void add_condition(Program *program, const Condition *condition, const FilterTerms *terms)
{
    const SandboxNames *names = &terms->names;
    const int argument = condition->argument;
    const uint32_t value = condition->value;
    if (condition->kind != CONDITION_NAME && condition->kind != CONDITION_ANY_NAME)
        load(program, offset_of_half(argument, condition->kind == CONDITION_ABOVE));
    switch ((ConditionKind)condition->kind) {
    case CONDITION_NONE:
        break;
    case CONDITION_IS:
        require(program, BPF_JEQ, value);
        break;
    case CONDITION_FLAGS:
        emit(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~SANDBOX_LARGE_FILE));
        require(program, BPF_JEQ, value);
        break;
    case CONDITION_NO_BITS:
        require_not(program, BPF_JSET, value);
        break;
    case CONDITION_NULL:
        require(program, BPF_JEQ, 0);
        load(program, offset_of_half(argument, true));
        require(program, BPF_JEQ, 0);
        break;
    case CONDITION_NAME:
        require_name(program, argument, names, names->first[value], names->end[value]);
        break;
    case CONDITION_ANY_NAME:
        require_name(program, argument, names, 0, names->end[IMG_NAME_USES - 1]);
        break;
    case CONDITION_ABOVE:
        require(program, BPF_JGT, names->window);
        break;
    case CONDITION_SELF:
        require(program, BPF_JEQ, (uint32_t)getpid());
        break;
    case CONDITION_MODE:
        require_not(program, BPF_JSET, ~(0777U | (uint32_t)terms->special_bits));
        break;
    }
}

/* Returns true if the rule can never allow a call, so that it can be left out. Either the command
 * has no file of the use that the rule requires, or the rule requires --preserve and it is not
 * given. */
static bool never_allows(const Rule *rule, const FilterTerms *terms)
{
    const SandboxNames *names = &terms->names;
    for (int i = 0; i < CONDITIONS_MOST; i++) {
        const Condition *condition = &rule->conditions[i];
        if (condition->kind == CONDITION_NAME &&
            names->first[condition->value] == names->end[condition->value])
            return true;
    }
    return rule->only_preserved && !terms->preserves;
}

/* Emits the instructions of a rule, and then sets the targets of its jumps, which lead past the
 * rule. */
static void add_rule(Program *program, const Rule *rule, const FilterTerms *terms)
{
    const unsigned short first = program->length;
    for (int i = 0; i < CONDITIONS_MOST && rule->conditions[i].kind != CONDITION_NONE; i++)
        add_condition(program, &rule->conditions[i], terms);
    answer(program, SECCOMP_RET_ALLOW);
    for (unsigned short at = first; at < program->length; at++) {
        struct sock_filter *instruction = &program->code[at];
        const unsigned char past = (unsigned char)(program->length - at - 1);
        if (BPF_CLASS(instruction->code) != BPF_JMP)
            continue;
        instruction->jt = instruction->jt == PAST_THE_RULE ? past : 0;
        instruction->jf = instruction->jf == PAST_THE_RULE ? past : 0;
    }
}

/* --- Dispatch from a call to its rules -------------------------------------------------------- */

/* The rules that are used, sorted by the number of their system call. */
typedef struct Order {
    const Rule *rules[RULES_MOST];
    size_t count;
    bool overflows;
} Order;

static int compare_numbers(const void *a, const void *b)
{
    const Rule *first = *(const Rule *const *)a, *second = *(const Rule *const *)b;
    return (first->number > second->number) - (first->number < second->number);
}

static void sort_rules(Order *order, const FilterTerms *terms)
{
    order->count = 0;
    order->overflows = false;
    for (const Rule *rule = sandbox_rules; rule->number >= 0; rule++) {
        if (never_allows(rule, terms))
            continue;
        order->overflows |= order->count == RULES_MOST;
        if (!order->overflows)
            order->rules[order->count++] = rule;
    }
    qsort(order->rules, order->count, sizeof(const Rule *), compare_numbers);
}

/* Emits a jump whose target set_target sets later. Returns the position of the jump. */
static unsigned short emit_jump(Program *program)
{
    emit(program, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
    return (unsigned short)(program->length - 1);
}

static void set_target(Program *program, unsigned short jump)
{
    if (!program->overflows)
        program->code[jump].k = (uint32_t)(program->length - jump - 1);
}

/* Emits the rules of one system call: those from `first` to `end - 1`. */
static void add_call(Program *program, const Order *order, size_t first, size_t end,
                     const FilterTerms *terms)
{
    const uint32_t number = (uint32_t)order->rules[first]->number;
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 1, 0));
    const unsigned short other = emit_jump(program);
    for (size_t i = first; i < end; i++)
        add_rule(program, order->rules[i], terms);
    if (order->rules[end - 1]->conditions[0].kind != CONDITION_NONE)
        answer(program, SECCOMP_RET_ERRNO | EPERM);
    program->others[program->other_count++] = other;
}

/* Emits a binary search for the number of the call, which leads to the rules of that call. When a
 * filter is installed, the kernel runs it once for every call number. With a linear search, that
 * would take longer than the rest of the program's start. */
static void add_calls(Program *program, const Order *order, size_t first, size_t end,
                      const FilterTerms *terms)
{
    size_t middle = first + (end - first) / 2;
    while (middle > first && order->rules[middle - 1]->number == order->rules[middle]->number)
        middle--;
    /* All rules from `first` to the middle belong to one call. Divides after the last rule of this
     * call instead. */
    if (middle == first)
        for (middle = first + 1;
             middle < end && order->rules[middle]->number == order->rules[first]->number;)
            middle++;
    if (middle == end) {
        add_call(program, order, first, end, terms);
        return;
    }
    const uint32_t number = (uint32_t)order->rules[middle]->number;
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number, 0, 1));
    const unsigned short second = emit_jump(program);
    add_calls(program, order, first, middle, terms);
    set_target(program, second);
    add_calls(program, order, middle, end, terms);
}

/* Emits instructions that reject the calls of other architectures, because their numbers differ. */
static void emit_beginning(Program *program)
{
    load(program, offsetof(struct seccomp_data, arch));
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, sandbox_processor, 1, 0));
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
    load(program, offsetof(struct seccomp_data, nr));
}

/* Emits the verdict for calls that have no rule. Calls since Linux 5.1 return ENOSYS, because
 * libraries then fall back to older calls. x32 calls have even higher numbers and return ENOSYS
 * too. All other calls return EPERM. */
static void emit_end(Program *program)
{
    for (size_t i = 0; i < program->other_count; i++)
        set_target(program, program->others[i]);
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, NEW_CALLS, 0, 1));
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
}

/* Installs the filter for all threads. SPEC_ALLOW turns off the kernel's mitigation of Spectre,
 * which slows the process down. The process does not need the mitigation, because it has no secrets
 * to protect from itself. Kernels before 4.17 do not support the flag, so the second attempt omits
 * it. */
static bool install_program(const Program *program)
{
    static const unsigned long flags[] = {
        SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, SECCOMP_FILTER_FLAG_TSYNC};
    const struct sock_fprog code = {program->length, (struct sock_filter *)program->code};
    long result = -1;
    for (size_t i = 0; i < sizeof flags / sizeof *flags && result != 0; i++)
        result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &code);
    return result == 0;
}

bool filter_install(const FilterTerms *terms, const char **reason)
{
    Program program = {.length = 0};
    Order order;
    sort_rules(&order, terms);
    emit_beginning(&program);
    add_calls(&program, &order, 0, order.count, terms);
    emit_end(&program);
    *reason = NULL;
    if (program.overflows || order.overflows)
        *reason = "its rules are too long";
    else if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        *reason = "the system cannot drop privileges (PR_SET_NO_NEW_PRIVS)";
    else if (!install_program(&program))
        *reason = "the system supports no filter of system calls (seccomp)";
    return *reason == NULL;
}
