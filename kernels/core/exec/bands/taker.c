#include "kernels/core/exec/bands/taker.h"

#include "kernels/core/parallel/clock.h"

ImgStatus img_taker_begin(ImgTaker *taker, const ImgByRows *by_rows, const ImgCall *call,
                          ImgError *err)
{
    *taker = (ImgTaker){.by_rows = by_rows};
    const ImgStatus status = by_rows->begin(call, &taker->state, err);
    if (status != IMG_OK)
        return status;
    pthread_mutex_init(&taker->lock, NULL);
    pthread_cond_init(&taker->changed, NULL);
    return IMG_OK;
}

void img_taker_end(ImgTaker *taker)
{
    pthread_cond_destroy(&taker->changed);
    pthread_mutex_destroy(&taker->lock);
    taker->by_rows->end(taker->state);
}

static void take(void *context, const ImgView *rows, int32_t first)
{
    ImgTaker *taker = context;
    const double start = img_clock();
    taker->by_rows->take(taker->state, rows, first);
    taker->seconds += img_clock() - start;
}

ImgRowSink img_taker_rows(ImgTaker *taker)
{
    return (ImgRowSink){take, taker, NULL};
}

static ImgStatus take_band(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    ImgTaker *taker = context;
    (void)worker, (void)err;
    pthread_mutex_lock(&taker->lock);
    while (taker->next != first && !taker->stopped)
        pthread_cond_wait(&taker->changed, &taker->lock);
    if (!taker->stopped)
        take(taker, rows, first);
    taker->next = first + rows->height;
    pthread_cond_broadcast(&taker->changed);
    pthread_mutex_unlock(&taker->lock);
    return IMG_OK;
}

static void stop(void *context)
{
    ImgTaker *taker = context;
    pthread_mutex_lock(&taker->lock);
    taker->stopped = true;
    pthread_cond_broadcast(&taker->changed);
    pthread_mutex_unlock(&taker->lock);
}

ImgBandSink img_taker_bands(ImgTaker *taker)
{
    return (ImgBandSink){take_band, stop, taker};
}
