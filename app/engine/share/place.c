#include "app/engine/share/place.h"

#include "app/engine/share/resources.h"

void img_place_hold(Place *place, uint64_t bytes)
{
    place->threads = img_pool_admit(place->pool, place->worker, img_pool_at_once(bytes));
}

bool img_place_grow(const Place *place, uint64_t bytes)
{
    return img_pool_grow(place->pool, place->worker, place->held + bytes);
}

/* Enlarges the reservation of a place that already holds memory. */
static void grow(const Place *place, uint64_t bytes, Share *share)
{
    share->lacks = !img_place_grow(place, bytes);
    share->threads = place->threads;
}

ImgStatus img_place_admit(const Place *place, ImgShape shape, PoolNeed need, Share *share,
                          ImgError *err)
{
    ImgEndsCost ends = img_resources_codec_cost(shape, shape, true, place->writes, 1);
    const DeviceWork picture = {place->steps, place->count, shape, place->pictures,
                                place->writes ? &ends : NULL};
    ImgStatus status =
        img_device_pool_get(place->devices, place->worker, &picture, &share->exec, err);
    share->team = place->team;
    if (status == IMG_OK && place->threads > 0)
        grow(place, need.most, share);
    else if (status == IMG_OK)
        share->threads = img_pool_admit(place->pool, place->worker, need);
    return status;
}

void img_place_settle(const Place *place, PoolNeed need, Share *share)
{
    if (place->threads > 0) {
        grow(place, need.most, share);
        need.now = need.most;
    }
    need = (PoolNeed){place->held + need.now, place->held + need.most};
    if (!share->lacks)
        share->threads = img_pool_settle(place->pool, place->worker, need);
}

void img_place_raise(const Place *place, uint64_t bytes)
{
    img_pool_raise(place->pool, place->worker, place->held + bytes);
}

ImgStatus img_place_attempts(const Place *place, PlaceAttempt *attempt, void *context,
                             ImgError *err)
{
    uint64_t least = 0, lacking = 0;
    ImgStatus status = attempt(context, least, &lacking, err);
    while (place != NULL && lacking > least) {
        least = lacking;
        img_pool_give_back(place->pool, place->worker);
        img_error_clear(err);
        status = attempt(context, least, &lacking, err);
    }
    return status;
}
