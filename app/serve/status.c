/* Writes the status of a server as one line of text. */
#include <stdio.h>
#include <unistd.h>

#include "app/serve/serve_priv.h"
#include "io/size_text.h"
#include "kernels/core/parallel/clock.h"

/* Returns the resident memory of this process in bytes; 0 if the system does not provide it. */
static uint64_t resident_bytes(void)
{
    unsigned long long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu %llu", &all, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

const char *serve_where(const Server *server, char text[SERVE_WHERE_SIZE])
{
    if (server->has_gpu)
        snprintf(text, SERVE_WHERE_SIZE, "%sGPU %d, %d CPU threads",
                 server->settings.engine.backend == IMG_BACKEND_CUDA ? "only " : "",
                 server->settings.engine.device, server->jobs);
    else
        snprintf(text, SERVE_WHERE_SIZE, "%d CPU thread%s", server->jobs,
                 server->jobs == 1 ? "" : "s");
    return text;
}

void serve_status(Server *server, char *text, size_t size)
{
    char where[SERVE_WHERE_SIZE], used[IMG_SIZE_TEXT], most[IMG_SIZE_TEXT];
    QueueCounts counts = queue_counts(&server->queue);
    snprintf(text, size,
             "process %d, up %.0f s, %zu done, %zu failed, %zu under way, %zu waiting, %s, memory "
             "%s, for jobs up to %s\n",
             (int)getpid(), img_clock() - server->start, counts.done, counts.failed,
             counts.under_way, counts.waiting, serve_where(server, where),
             img_size_text(resident_bytes(), used), img_size_text(server->memory, most));
}
