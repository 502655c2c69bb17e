#include "app/bench/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "app/bench/timing/device.h"
#include "app/engine/share/machine.h"
#include "app/library/imgtool.h"
#include "app/text/text.h"
#include "kernels/core/exec/exec.h"

enum { DEVICES_MAX = 64 };

/* Reads from /proc/cpuinfo the value of the first line "NAME : VALUE". Such a line appears once per
 * processor. */
static void read_cpuinfo(const char *name, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    value[0] = '\0';
    if (file == NULL)
        return;
    while (value[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, name, strlen(name)) != 0)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        colon += 1 + strspn(colon + 1, " ");
        snprintf(value, size, "%s", colon);
    }
    fclose(file);
}

static void find_cpu(BenchMachine *machine)
{
    char mhz[64];
    struct utsname name;
    read_cpuinfo("model name", machine->cpu, sizeof machine->cpu);
    read_cpuinfo("cpu MHz", mhz, sizeof mhz);
    machine->cpu_mhz = strtod(mhz, NULL);
    if (uname(&name) != 0)
        return;
    snprintf(machine->system, sizeof machine->system, "%.30s %.60s %.30s", name.sysname,
             name.release, name.machine);
    if (machine->cpu[0] == '\0') /* On some architectures /proc/cpuinfo has no model name. */
        snprintf(machine->cpu, sizeof machine->cpu, "%s", name.machine);
}

/* Finds the version of the GPU driver as users know it, such as "580.159.04". CUDA reports only the
 * CUDA version that the driver supports. If the driver's version is unknown, the text contains that
 * CUDA version, such as "for CUDA 13.0". */
static void find_driver(int cuda_version, BenchMachine *machine)
{
    FILE *file = fopen("/sys/module/nvidia/version", "re");
    if (file != NULL) {
        if (fgets(machine->driver, sizeof machine->driver, file) != NULL)
            machine->driver[strcspn(machine->driver, "\n")] = '\0';
        fclose(file);
    }
    if (machine->driver[0] == '\0')
        snprintf(machine->driver, sizeof machine->driver, "for CUDA %d.%d", cuda_version / 1000,
                 cuda_version % 1000 / 10);
}

static void find_gpu(int index, BenchMachine *machine)
{
    int count = 0;
    double hertz = 0;
    ImgDeviceInfo *devices = calloc(DEVICES_MAX, sizeof *devices);
    if (devices == NULL || img_cuda_devices(devices, DEVICES_MAX, &count, NULL) != IMG_OK ||
        index >= count || index >= DEVICES_MAX) {
        free(devices);
        return;
    }
    const ImgDeviceInfo *info = &devices[index];
    snprintf(machine->gpu, sizeof machine->gpu, "%.127s", info->name);
    snprintf(machine->runtime, sizeof machine->runtime, "%d.%d", info->runtime_version / 1000,
             info->runtime_version % 1000 / 10);
    snprintf(machine->compute, sizeof machine->compute, "%d.%d", info->compute_major,
             info->compute_minor);
    machine->multiprocessors = info->multiprocessors;
    machine->gpu_memory = info->memory_bytes;
    machine->gpu_memory_mhz = info->memory_khz * 1e-3;
    find_driver(info->driver_version, machine);
    if (img_device_clock(&hertz, NULL) == IMG_OK)
        machine->gpu_mhz = hertz * 1e-6;
    free(devices);
}

static void record_command(int argc, const char *const *arguments, BenchMachine *machine)
{
    char command[4 * sizeof machine->command];
    command[0] = '\0';
    for (int i = 0; i < argc; i++) {
        bool plain =
            arguments[i][0] != '\0' && arguments[i][strcspn(arguments[i], " |'\"*")] == '\0';
        const char *quote = plain ? "" : "'";
        text_append(command, sizeof command, "%s%s%s%s", i > 0 ? " " : "", quote, arguments[i],
                    quote);
    }
    bench_copy_text(machine->command, sizeof machine->command, command);
}

void bench_machine_find(int device, int threads, int argc, const char *const *arguments,
                        BenchMachine *machine)
{
    *machine = (BenchMachine){.threads = threads, .memory = img_machine_memory()};
    time_t now = time(NULL);
    struct tm utc;
    snprintf(machine->version, sizeof machine->version, "%s", imgtool_version());
    if (gmtime_r(&now, &utc) != NULL)
        strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    record_command(argc, arguments, machine);
    find_cpu(machine);
    if (device >= 0)
        find_gpu(device, machine);
}
