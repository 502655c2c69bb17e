/* Runs `imgtool devices`, which lists the CPU and the CUDA devices. */
#include <stdio.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/engine/share/machine.h"
#include "app/term/messages.h"
#include "app/text/json.h"
#include "app/text/text.h"
#include "io/size_text.h"
#include "kernels/core/exec/exec.h"

enum { DEVICES_MAX = 64 };

typedef struct Found {
    int threads;
    const char *level;
    ImgDeviceInfo devices[DEVICES_MAX];
    int count;
    ImgError why_none; /* why there are no CUDA devices; IMG_OK: CUDA can be used */
} Found;

static void print_version(char text[16], int number)
{
    snprintf(text, 16, "%d.%d", number / 1000, number % 1000 / 10);
}

static void print_text(const Found *found)
{
    printf("cpu       %d thread%s, %s\n", found->threads, found->threads == 1 ? "" : "s",
           found->level);
    for (int i = 0; i < found->count; i++) {
        const ImgDeviceInfo *device = &found->devices[i];
        char memory[IMG_SIZE_TEXT], driver[16], runtime[16];
        print_version(driver, device->driver_version);
        print_version(runtime, device->runtime_version);
        printf("cuda %-4d %s, %s, %d multiprocessors, compute capability %d.%d, driver for CUDA "
               "%s, runtime %s\n",
               device->index, device->name, img_size_text(device->memory_bytes, memory),
               device->multiprocessors, device->compute_major, device->compute_minor, driver,
               runtime);
    }
    if (found->why_none.status != IMG_OK) {
        fputs("cuda      none: ", stdout);
        text_clean(stdout, found->why_none.message);
        putchar('\n');
    } else if (found->count == 0) {
        puts("cuda      none: the driver finds no device");
    }
}

static void add_device(cJSON *devices, const ImgDeviceInfo *device, bool *failed)
{
    char version[16];
    cJSON *entry = json_object(devices, NULL, failed);
    json_number(entry, "index", device->index, failed);
    json_string(entry, "name", device->name, failed);
    json_count(entry, "memory_bytes", device->memory_bytes, failed);
    json_number(entry, "multiprocessors", device->multiprocessors, failed);
    snprintf(version, sizeof version, "%d.%d", device->compute_major, device->compute_minor);
    json_string(entry, "compute_capability", version, failed);
    print_version(version, device->driver_version);
    json_string(entry, "driver", version, failed);
    print_version(version, device->runtime_version);
    json_string(entry, "runtime", version, failed);
}

static int print_json(const Found *found)
{
    ImgError err = {IMG_OK, ""};
    bool failed = false;
    cJSON *root = json_document("devices", "document", &failed);
    cJSON *cpu = json_object(root, "cpu", &failed);
    json_number(cpu, "threads", found->threads, &failed);
    json_string(cpu, "level", found->level, &failed);
    cJSON *cuda = json_object(root, "cuda", &failed);
    json_bool(cuda, "in_build", img_cuda_in_build(), &failed);
    json_string(cuda, "message", found->why_none.status != IMG_OK ? found->why_none.message : NULL,
                &failed);
    cJSON *devices = json_array(cuda, "devices", &failed);
    for (int i = 0; i < found->count; i++)
        add_device(devices, &found->devices[i], &failed);
    return json_print(stdout, root, failed, &err) == IMG_OK ? CLI_OK : report_failure(&err);
}

int cmd_devices(const Args *args)
{
    Found found = {
        .threads = img_machine_threads(),
        .level = img_cpu_level_name(img_cpu_level()),
        .why_none = {IMG_OK, ""},
    };
    if (img_cuda_devices(found.devices, DEVICES_MAX, &found.count, &found.why_none) != IMG_OK)
        found.count = 0;
    if (found.count > DEVICES_MAX)
        found.count = DEVICES_MAX;
    if (args->settings.json)
        return print_json(&found);
    print_text(&found);
    return CLI_OK;
}
