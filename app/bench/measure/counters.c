#include "app/bench/measure/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/term/interrupt.h"
#include "app/text/list.h"
#include "app/text/text.h"

enum { COLUMNS = 14, ARGUMENTS_MAX = 96, FIELD = 512 };

/* Names of the hardware counters, in the order of the member `values` of Launch. Nsight Compute's
 * documentation defines them. A comparison with the emulator showed which of them count requests,
 * wavefronts and sectors (app/bench/model/MEASUREMENTS.md). */
static const char *const metrics[COLUMNS] = {
    "launch__grid_size",
    "smsp__warps_launched.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    /* Counters of atomic operations: "red" counts those whose result the kernel does not use,
     * "atom" counts the others. */
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
};

typedef struct Launch {
    char range[BENCH_RANGE];
    uint64_t values[COLUMNS];
} Launch;

struct BenchCounters {
    Launch *launches;
    size_t count;
};

/* --- Running ncu ------------------------------------------------------------------------------ */

static ImgStatus fail_to_start(int code, ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE,
                    code == ENOENT ? "ncu is not on the PATH; it comes with the CUDA Toolkit"
                                   : "ncu cannot be started: %s",
                    strerror(code));
}

/* Starts ncu. Both ncu and the program that it runs write their output and error messages to the
 * pipe `to`. */
static ImgStatus start(char *const *arguments, int to, pid_t *child, ImgError *err)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to, 1);
    posix_spawn_file_actions_adddup2(&actions, to, 2);
    int code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0)
        return IMG_OK;
    *child = 0;
    return fail_to_start(code, err);
}

/* Builds the words of the command line "ncu --csv ... THIS-PROGRAM ARGUMENTS". Options stop ncu
 * from flushing caches and fixing clocks, because the counts do not depend on them. */
static void command_line(char *const *own, char *joined, size_t size, char **command)
{
    static char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    joined[0] = '\0';
    for (int i = 0; i < COLUMNS; i++)
        text_append(joined, size, "%s%s", i > 0 ? "," : "", metrics[i]);
    char *const fixed[] = {"ncu",    "--csv",
                           "--page", "raw",
                           "--nvtx", "--print-nvtx-rename",
                           "kernel", "--cache-control",
                           "none",   "--clock-control",
                           "none",   "--metrics",
                           joined,   self};
    size_t count = 0;
    for (; count < sizeof fixed / sizeof fixed[0]; count++)
        command[count] = fixed[count];
    for (size_t i = 0; own[i] != NULL && count < ARGUMENTS_MAX - 1; i++)
        command[count++] = own[i];
    command[count] = NULL;
}

/* --- Reading its output ----------------------------------------------------------------------- */

/* Returns the next field of a CSV line of quoted values; NULL at the end of the line. */
static char *next_field(char **at, char field[FIELD])
{
    char *from = *at;
    size_t used = 0;
    if (*from != '"')
        return NULL;
    for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"')
            from++;
        if (used < FIELD - 1)
            field[used++] = *from;
    }
    field[used] = '\0';
    if (*from == '"')
        from++;
    *at = *from == ',' ? from + 1 : from;
    return field;
}

/* Parses a count as ncu prints it, such as "1,234" or "1234.00". */
static uint64_t parse_count(const char *text)
{
    char digits[64];
    size_t used = 0;
    for (; *text != '\0' && used < sizeof digits - 1; text++)
        if (*text != ',')
            digits[used++] = *text;
    digits[used] = '\0';
    return (uint64_t)(strtod(digits, NULL) + 0.5);
}

typedef struct Header {
    /* index of the column "Kernel Name", which contains the names of the range and of the kernel;
     * -1: no header was read yet */
    int range;
    /* index of the column of each counter; -1: ncu did not print the counter */
    int metric[COLUMNS];
} Header;

static void read_header(char *line, Header *header)
{
    char field[FIELD];
    for (int i = 0; i < COLUMNS; i++)
        header->metric[i] = -1;
    for (int column = 0; next_field(&line, field) != NULL; column++) {
        if (strcmp(field, "Kernel Name") == 0)
            header->range = column;
        for (int i = 0; i < COLUMNS; i++)
            if (strcmp(field, metrics[i]) == 0)
                header->metric[i] = column;
    }
}

static ImgStatus read_launch(char *line, const Header *header, BenchCounters *counters,
                             ImgError *err)
{
    char field[FIELD];
    Launch *launches = list_grow(counters->launches, counters->count, sizeof *launches);
    if (launches == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    counters->launches = launches;
    Launch *launch = &launches[counters->count++];
    *launch = (Launch){.range = ""};
    for (int column = 0; next_field(&line, field) != NULL; column++) {
        if (column == header->range)
            snprintf(launch->range, sizeof launch->range, "%.*s", BENCH_RANGE - 1, field);
        for (int i = 0; i < COLUMNS; i++)
            if (column == header->metric[i])
                launch->values[i] = parse_count(field);
    }
    return IMG_OK;
}

/* Reads the output of ncu. A line that begins with a number describes a launch. The line with the
 * units of the counters does not begin with a number. Other lines are messages. The last error
 * message is copied to `complaint`. */
static ImgStatus read_all(FILE *from, BenchCounters *counters, char *complaint, size_t size,
                          ImgError *err)
{
    char *line = NULL;
    size_t capacity = 0;
    ImgStatus status = IMG_OK;
    Header header = {.range = -1};
    while (status == IMG_OK && getline(&line, &capacity, from) > 0) {
        if (strncmp(line, "\"ID\"", 4) == 0)
            read_header(line, &header);
        else if (header.range >= 0 && line[0] == '"' && line[1] >= '0' && line[1] <= '9')
            status = read_launch(line, &header, counters, err);
        else if (strncmp(line, "==ERROR==", 9) == 0)
            snprintf(complaint, size, "%.*s", (int)strcspn(line + 9, "\n"), line + 9);
    }
    free(line);
    return status;
}

ImgStatus bench_counters_run(char *const *arguments, BenchCounters **counters, ImgError *err)
{
    char joined[2048], complaint[256] = "";
    char *command[ARGUMENTS_MAX];
    int ends[2];
    pid_t child = 0;
    *counters = calloc(1, sizeof **counters);
    if (*counters == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    if (pipe2(ends, O_CLOEXEC) != 0)
        return img_fail(err, IMG_E_UNAVAILABLE, "no pipe to ncu: %s", strerror(errno));
    command_line(arguments, joined, sizeof joined, command);
    ImgStatus status = start(command, ends[1], &child, err);
    close(ends[1]);
    /* If ncu could not be started, `child` is 0, and a signal handler then has no process to
     * end. */
    interrupt_note_child(child);
    FILE *from = status == IMG_OK ? fdopen(ends[0], "r") : NULL;
    if (from == NULL) {
        close(ends[0]);
        if (status == IMG_OK)
            (void)child_wait(child);
        return status != IMG_OK ? status : img_fail(err, IMG_E_MEMORY, "no memory");
    }
    status = read_all(from, *counters, complaint, sizeof complaint, err);
    fclose(from);
    /* The exit code of ncu is ignored, because its output shows whether it has counted. */
    (void)child_wait(child);
    if (status == IMG_OK && (*counters)->count == 0)
        return img_fail(err, IMG_E_UNAVAILABLE, "ncu counted nothing%s%s",
                        complaint[0] != '\0' ? ":" : "", complaint);
    return status;
}

void bench_counters_free(BenchCounters *counters)
{
    if (counters == NULL)
        return;
    free(counters->launches);
    free(counters);
}

/* --- Using the counts ------------------------------------------------------------------------- */

const char *bench_range_name(const char *title, const char *subject, const char *row,
                             char name[BENCH_RANGE])
{
    snprintf(name, BENCH_RANGE, "%s|%s|%s|", title, subject, row);
    return name;
}

/* Returns true if a launch was in the range `name`. ncu prints a launch as "NAME/void kernel(...)":
 * first the ranges from the outer to the inner one, then the kernel. */
static bool is_in_range(const char *launch, const char *name)
{
    return strncmp(launch, name, strlen(name)) == 0;
}

/* Replaces the memory accesses in *counts by those that ncu counted, summed over all kernel
 * launches of the row. Returns false if ncu counted none. */
bool bench_counters_replace(const BenchCounters *counters, const char *title, const char *subject,
                            const char *row, ImgLaunchCounts *counts)
{
    char name[BENCH_RANGE];
    ImgLaunchCounts sum = {.split_warps = counts->split_warps,
                           .split_branches = counts->split_branches};
    if (counters == NULL)
        return false;
    bench_range_name(title, subject, row, name);
    for (size_t i = 0; i < counters->count; i++) {
        const uint64_t *values = counters->launches[i].values;
        if (!is_in_range(counters->launches[i].range, name))
            continue;
        sum.launches++;
        sum.blocks += values[0];
        sum.warps += values[1];
        for (int k = 0; k < IMG_ACCESSES; k++) {
            sum.shared_requests[k] += values[2 + k];
            sum.shared_wavefronts[k] += values[4 + k];
            sum.global_requests[k] += values[6 + k];
            sum.global_sectors[k] += values[8 + k];
            sum.global_requests[IMG_WRITES] += values[10 + k];
            sum.global_sectors[IMG_WRITES] += values[12 + k];
        }
    }
    if (sum.launches > 0)
        *counts = sum;
    return sum.launches > 0;
}

static void subtract(uint64_t *from, uint64_t what)
{
    *from -= what < *from ? what : *from;
}

void bench_counts_subtract(ImgLaunchCounts *counts, const ImgLaunchCounts *less)
{
    subtract(&counts->split_warps, less->split_warps);
    subtract(&counts->split_branches, less->split_branches);
    for (int k = 0; k < IMG_ACCESSES; k++) {
        subtract(&counts->shared_requests[k], less->shared_requests[k]);
        subtract(&counts->shared_wavefronts[k], less->shared_wavefronts[k]);
        subtract(&counts->global_requests[k], less->global_requests[k]);
        subtract(&counts->global_sectors[k], less->global_sectors[k]);
    }
}
