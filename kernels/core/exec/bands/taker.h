/* Private to runs in bands: a pass that processes rows as they arrive (ImgByRows), fed by bands or
 * by a decoder. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_BANDS_TAKER_H
#define IMGTOOL_KERNELS_CORE_EXEC_BANDS_TAKER_H

#include <pthread.h>

#include "kernels/core/exec/exec.h"

typedef struct ImgTaker {
    const ImgByRows *by_rows;
    void *state;
    double seconds; /* time that the pass has taken so far */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int32_t next; /* index of the next row; protected by the lock */
    bool stopped; /* a worker has failed; protected by the lock */
} ImgTaker;

/* Begins the pass that `call` describes. If that fails, img_taker_end must not be called. */
ImgStatus img_taker_begin(ImgTaker *taker, const ImgByRows *by_rows, const ImgCall *call,
                          ImgError *err);
void img_taker_end(ImgTaker *taker);

/* Returns a sink for one thread that delivers the rows in order. */
ImgRowSink img_taker_rows(ImgTaker *taker);

/* Returns a sink for workers that compute bands in any order: workers with later rows wait. */
ImgBandSink img_taker_bands(ImgTaker *taker);

#endif
