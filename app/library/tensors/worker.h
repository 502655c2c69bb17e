/* Private to the library: the state of a thread that reads pictures of a batch on the CPU. */
#ifndef IMGTOOL_APP_LIBRARY_TENSORS_WORKER_H
#define IMGTOOL_APP_LIBRARY_TENSORS_WORKER_H

#include "app/library/context.h"

/* Memory that is kept from one picture to the next. */
typedef struct ImgLibBuffer {
    void *memory; /* owned */
    size_t bytes;
} ImgLibBuffer;

/* One thread at a time may use a worker. */
typedef struct ImgLibWorker {
    /* Context of the worker, with one thread and without a GPU, and with the limits of the caller's
     * context; owned. */
    imgtool_context *context;
    ImgLibBuffer file, pixels;
    ImgImage result; /* of the steps; owned */
    /* Called now and then while the worker reads a picture. If it returns false, the picture fails
     * with IMGTOOL_E_CANCELLED. NULL: the worker goes on. */
    bool (*goes_on)(void *user);
    void *user;
} ImgLibWorker;

/* Sets *workers to the workers of the context, one for each of its threads (config.threads). The
 * first call creates them; imgtool_context_destroy frees them. Errors: MEMORY. */
imgtool_status img_lib_workers(imgtool_context *context, ImgLibWorker **workers,
                               imgtool_error *error);

/* Makes the buffer at least `bytes` large; its content is lost. Returns false when memory is
 * short. */
bool img_lib_buffer_reserve(ImgLibBuffer *buffer, size_t bytes);

/* Frees what the worker should not keep: the result of the steps, and large buffers. */
void img_lib_worker_trim(ImgLibWorker *worker);

#endif
