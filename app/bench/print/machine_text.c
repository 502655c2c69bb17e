/* Writes the description of a benchmark's machine as text. */
#include <string.h>

#include "app/bench/print/text.h"
#include "app/bench/print/units.h"
#include "app/text/text.h"
#include "io/size_text.h"

/* Returns the separator before the next part of the text. */
static const char *comma(const char *text)
{
    return text[0] != '\0' ? ", " : "";
}

static void append_text(char text[BENCH_MACHINE_LINE], const char *before, const char *from)
{
    char clean[BENCH_CLEAN];
    if (from[0] != '\0')
        text_append(text, BENCH_MACHINE_LINE, "%s%s%s", comma(text), before,
                    bench_clean_text(from, clean));
}

static void append_memory(char text[BENCH_MACHINE_LINE], uint64_t bytes)
{
    char size[IMG_SIZE_TEXT];
    if (bytes > 0)
        text_append(text, BENCH_MACHINE_LINE, "%s%s of memory", comma(text),
                    img_size_text(bytes, size));
}

static void append_clock(char text[BENCH_MACHINE_LINE], const char *before, double mhz)
{
    if (mhz > 0)
        text_append(text, BENCH_MACHINE_LINE, "%s%s%.0f MHz", comma(text), before,
                    mhz < 1e9 ? mhz : 1e9);
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
        text_append(text, BENCH_MACHINE_LINE, "%s%d thread%s", comma(text), machine->threads,
                    machine->threads == 1 ? "" : "s");
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
        text_append(text, BENCH_MACHINE_LINE, "%s%d multiprocessors", comma(text),
                    machine->multiprocessors);
    append_clock(text, "", machine->gpu_mhz);
    append_memory(text, machine->gpu_memory);
    append_clock(text, "memory clock ", machine->gpu_memory_mhz);
    append_text(text, "driver ", machine->driver);
    append_text(text, "CUDA runtime ", machine->runtime);
}
