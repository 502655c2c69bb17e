/* Intercepts system calls. A seccomp filter turns the system calls of the C library into the signal
 * SIGSYS. The signal handler performs them or makes them fail. This also covers calls that wrappers
 * of functions would miss: calls inside stdio, readdir and other libraries, and calls that
 * compilers generate. Calls of the handler itself, of sanitizers and of child programs come from
 * other addresses and are not intercepted. */
#include "shim.h"

#include <elf.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

/* System calls that are not intercepted. The C library makes some of them with all signals blocked,
 * when threads and processes begin and end; a trap would then end the program. The others cannot
 * fail. */
static const int passing[] = {
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_dup2,
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_clone,
    SYS_clone3,
    SYS_vfork,
    SYS_munmap,
    SYS_futex,
    SYS_rseq,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_sched_yield,
    SYS_arch_prctl,
    SYS_tgkill,
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_umask,
    SYS_time,
    SYS_gettimeofday,
    SYS_clock_gettime,
};

static long make_call(long number, const long *with)
{
    register long r10 __asm__("r10") = with[3];
    register long r8 __asm__("r8") = with[4];
    register long r9 __asm__("r9") = with[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(with[0]), "S"(with[1]), "d"(with[2]), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long make_part(long number, long *with)
{
    if (with[2] > 1)
        with[2] /= 2;
    return make_call(number, with);
}

enum { DESCRIPTORS = 1024 };

/* true if bytes were written through the descriptor and not yet synchronised */
static atomic_bool written[DESCRIPTORS];

static bool is_sync(long number)
{
    return number == SYS_fsync || number == SYS_fdatasync;
}

/* Updates `written` for a call. Returns true if a failure of the call can lose bytes of an output.
 * imgtool writes outputs by write; pwrite64 is for temporary files, which are lost in any case. */
static bool may_lose(long number, long descriptor)
{
    if (descriptor < 0 || descriptor >= DESCRIPTORS)
        return false;
    if (number == SYS_write)
        atomic_store(&written[descriptor], true);
    if (number != SYS_close && !is_sync(number))
        return false;
    return atomic_exchange(&written[descriptor], false) || is_sync(number);
}

static long answer(long number, long *with)
{
    if (number == SYS_openat && inject_refuses_open(with[2]))
        return -EOPNOTSUPP;
    int code = inject_decide((int)number, with[0]);
    bool lost = may_lose(number, with[0]);
    if (code == 0)
        return make_call(number, with);
    if (lost && (code == EIO || code == ENOSPC))
        inject_note_lost();
    if (code == INJECT_SHORT)
        return make_part(number, with);
    if (code == INJECT_LIE)
        return number == SYS_write ? with[2] : 0;
    /* brk has no error codes. A failed brk returns the current end of the heap, as brk(0) does. */
    if (number == SYS_brk) {
        with[0] = 0;
        return make_call(number, with);
    }
    /* As in Linux, close closes the descriptor even if it reports an error. */
    if (number == SYS_close)
        (void)make_call(number, with);
    return -code;
}

static void on_call(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    int before = errno;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long with[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                    registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    registers[REG_RAX] = answer(info->si_syscall, with);
    errno = before;
}

typedef struct Range {
    uint64_t begin, end; /* range of addresses of the code of the C library */
} Range;

static int find_code(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    Range *range = context;
    uint64_t inside = (uint64_t)(uintptr_t)gnu_get_libc_version;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uint64_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || inside < begin ||
            inside - begin >= part->p_memsz)
            continue;
        *range = (Range){begin, begin + part->p_memsz};
        return 1;
    }
    return 0;
}

enum { PASSING = sizeof passing / sizeof *passing, FILTER_MOST = 2 * PASSING + 32 };

typedef struct Filter {
    struct sock_filter code[FILTER_MOST];
    unsigned short size;
} Filter;

static void add(Filter *filter, struct sock_filter instruction)
{
    filter->code[filter->size++] = instruction;
}

static void load(Filter *filter, size_t offset)
{
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void allow(Filter *filter)
{
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/* Appends a condition to the filter. If the loaded word has this relation to `value`, the filter
 * continues; otherwise it allows the call. If `wanted` is false, the filter continues only for
 * words without this relation. */
static void demand(Filter *filter, unsigned short relation, uint32_t value, bool wanted)
{
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | relation | BPF_K, value, wanted ? 1 : 0,
                                             wanted ? 0 : 1));
    allow(filter);
}

/* Appends the condition that the address lies in the range. The range is shorter than 4 GiB, so the
 * high word of the address decides which of its ends applies. */
static void demand_range(Filter *filter, Range range)
{
    const size_t low = offsetof(struct seccomp_data, instruction_pointer), high = low + 4;
    uint32_t first = (uint32_t)(range.begin >> 32), last = (uint32_t)(range.end >> 32);
    load(filter, high);
    if (first == last) {
        demand(filter, BPF_JEQ, first, true);
        load(filter, low);
        demand(filter, BPF_JGE, (uint32_t)range.begin, true);
        demand(filter, BPF_JGE, (uint32_t)range.end, false);
        return;
    }
    /* If the address has the high word of the beginning of the range, it must be at or after the
     * beginning. If it has the high word of the end, it must be before the end. */
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 0, 4));
    load(filter, low);
    demand(filter, BPF_JGE, (uint32_t)range.begin, true);
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 5, 0, 0));
    demand(filter, BPF_JEQ, last, true);
    load(filter, low);
    demand(filter, BPF_JGE, (uint32_t)range.end, false);
}

/* Allows the calls madvise(MADV_DONTNEED), which the C library makes when threads end. The program
 * itself uses other advice. */
static void demand_other_advice(Filter *filter)
{
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3));
    load(filter, offsetof(struct seccomp_data, args) + 2 * sizeof(uint64_t));
    demand(filter, BPF_JEQ, MADV_DONTNEED, false);
}

static void build(Filter *filter, Range range)
{
    filter->size = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    demand(filter, BPF_JEQ, AUDIT_ARCH_X86_64, true);
    demand_range(filter, range);
    load(filter, offsetof(struct seccomp_data, nr));
    demand(filter, BPF_JGE, INJECT_SYSTEM_CALLS, false);
    for (int i = 0; i < PASSING; i++)
        demand(filter, BPF_JEQ, (uint32_t)passing[i], false);
    demand_other_advice(filter);
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
}

bool inject_catch_calls(void)
{
    Range range = {0, 0};
    Filter filter;
    struct sigaction action = {.sa_sigaction = on_call,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    if (dl_iterate_phdr(find_code, &range) != 1)
        return false;
    build(&filter, range);
    struct sock_fprog program = {filter.size, filter.code};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
