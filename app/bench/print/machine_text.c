/* Writes the description of a benchmark's machine as text. */
#include <stdarg.h>
#include <string.h>

#include "app/bench/print/text.h"
#include "app/bench/print/units.h"
#include "io/size_text.h"

static void append(char text[BENCH_MACHINE_LINE], const char *format, ...) IMG_PRINTF(2, 3);

/* Appends formatted text to `text`, after a comma unless `text` is empty. */
static void append(char text[BENCH_MACHINE_LINE], const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    if (length > 0)
        snprintf(text + length, BENCH_MACHINE_LINE - length, ", ");
    length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, BENCH_MACHINE_LINE - length, format, arguments);
    va_end(arguments);
}

static void append_text(char text[BENCH_MACHINE_LINE], const char *before, const char *from)
{
    char clean[BENCH_CLEAN];
    if (from[0] != '\0')
        append(text, "%s%s", before, bench_clean_text(from, clean));
}

static void append_memory(char text[BENCH_MACHINE_LINE], uint64_t bytes)
{
    char size[IMG_SIZE_TEXT];
    if (bytes > 0)
        append(text, "%s of memory", img_size_text(bytes, size));
}

static void append_clock(char text[BENCH_MACHINE_LINE], const char *before, double mhz)
{
    if (mhz > 0)
        append(text, "%s%.0f MHz", before, mhz < 1e9 ? mhz : 1e9);
}

void bench_machine_run(const BenchMachine *machine, char text[BENCH_MACHINE_LINE])
{
    text[0] = '\0';
    append_text(text, "imgtool ", machine->version);
    append_text(text, "", machine->date);
    append_text(text, "imgtool ", machine->command);
}

void bench_machine_cpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE])
{
    text[0] = '\0';
    append_text(text, "", machine->cpu);
    if (machine->threads > 0)
        append(text, "%d thread%s", machine->threads, machine->threads == 1 ? "" : "s");
    append_clock(text, "", machine->cpu_mhz);
    append_memory(text, machine->memory);
    append_text(text, "", machine->system);
}

void bench_machine_gpu(const BenchMachine *machine, char text[BENCH_MACHINE_LINE])
{
    text[0] = '\0';
    if (machine->gpu[0] == '\0')
        return;
    append_text(text, "", machine->gpu);
    append_text(text, "compute capability ", machine->compute);
    if (machine->multiprocessors > 0)
        append(text, "%d multiprocessors", machine->multiprocessors);
    append_clock(text, "", machine->gpu_mhz);
    append_memory(text, machine->gpu_memory);
    append_clock(text, "memory clock ", machine->gpu_memory_mhz);
    append_text(text, "driver ", machine->driver);
    append_text(text, "CUDA runtime ", machine->runtime);
}
