/* The device pools of a server. One pool is for the backend with which the server was started. The
 * others are for commands that require another backend. */
#include <stdio.h>

#include "app/serve/serve_priv.h"
#include "app/term/messages.h"

/* Sets --device to the first GPU if the user named none. A server uses only one GPU, so several
 * GPUs need one server each. */
static void choose_one_gpu(Settings *settings)
{
    if (!option_given(settings, "device"))
        (void)option_set(option_find("device", FOR_SERVE), settings, "0", NULL);
}

static ImgStatus open_main(Server *server, ImgError *err)
{
    int count = 0;
    ImgStatus status = img_device_pool_create(&server->settings.engine, server->jobs,
                                              &server->devices[IMG_BACKEND_AUTO], err);
    if (status == IMG_OK)
        status = img_device_pool_open(server->devices[IMG_BACKEND_AUTO], &count, err);
    server->has_gpu = count > 0;
    return status;
}

ImgStatus serve_open_devices(Server *server, ImgError *err)
{
    bool named = option_given(&server->settings, "device");
    choose_one_gpu(&server->settings);
    ImgStatus status = open_main(server, err);
    if (status == IMG_OK && named && !server->has_gpu)
        img_engine_note(&server->settings.engine, "GPU %d cannot be used; jobs run on the CPU",
                        server->settings.engine.device);
    for (int i = IMG_BACKEND_CPU; status == IMG_OK && i <= IMG_BACKEND_CUDA; i++) {
        server->held_to[i] = server->settings;
        server->held_to[i].engine.backend = i;
        if (i == server->settings.engine.backend)
            server->devices[i] = server->devices[IMG_BACKEND_AUTO];
        else
            status = img_device_pool_create(&server->held_to[i].engine, server->jobs,
                                            &server->devices[i], err);
    }
    return status;
}

void serve_report_lost(Server *server)
{
    for (int i = IMG_BACKEND_AUTO; i <= IMG_BACKEND_CUDA; i++)
        img_device_pool_report_lost(server->devices[i]);
}

void serve_close_devices(Server *server)
{
    for (int i = IMG_BACKEND_CPU; i <= IMG_BACKEND_CUDA; i++)
        if (server->devices[i] != server->devices[IMG_BACKEND_AUTO])
            img_device_pool_free(server->devices[i]);
    img_device_pool_free(server->devices[IMG_BACKEND_AUTO]);
}
