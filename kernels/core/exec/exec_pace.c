/* Admission of pictures to a shared device, which processes a few at once. Workers that find no
 * place use the CPU meanwhile. The times of pictures on device and CPU are measured during the
 * batch. */
#include "kernels/core/exec/exec_pace.h"

#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/lock.h"

/* Weight of the newest picture in the moving averages of the speeds. */
static const double NEWEST = 0.2;

void img_pace_init(ImgPace *pace)
{
    *pace = (ImgPace){.cpu = 1, .cuda = 1, .unmeasured = IMG_PACE_PLACES};
    img_lock_init(&pace->mutex);
    img_condition_init(&pace->left_one);
}

void img_pace_destroy(ImgPace *pace)
{
    pthread_cond_destroy(&pace->left_one);
    pthread_mutex_destroy(&pace->mutex);
}

ImgCost img_pace_scaled(ImgPace *pace, const ImgCost *expected)
{
    ImgCost cost = *expected;
    pthread_mutex_lock(&pace->mutex);
    cost.cpu *= pace->cpu;
    cost.cuda *= pace->cuda;
    pthread_mutex_unlock(&pace->mutex);
    return cost;
}

/* Returns the average seconds per picture of a device that has finished at least one picture. The
 * caller must hold the mutex. */
static double seconds_each(const ImgPace *pace)
{
    double now = pace->under_way > 0 ? img_clock() - pace->since : 0;
    return (pace->busy + now) / (double)pace->done;
}

/* Returns true if a new picture should wait for the device, behind the pictures on it and those
 * that wait already. The caller must hold the mutex. While a thread processes a picture on the CPU,
 * it cannot prepare pictures for the device. So the CPU is chosen only if it needs less than half
 * the time. Without this rule, pictures of a quarter of a megapixel were divided between CPU and
 * device, at half the throughput of either alone. */
static bool is_sooner_on_device(const ImgPace *pace, const ImgCost *cost)
{
    enum {
        /* ABREAST: cautious estimate of the speed-up when the device processes several pictures at
         * once. CLEARLY: the CPU is chosen only if it is more than this many times as fast. */
        ABREAST = 2,
        CLEARLY = 2
    };
    double each = pace->done > 0 ? seconds_each(pace) : cost->cuda / ABREAST;
    return (pace->under_way + pace->waiting + 1) * each < CLEARLY * cost->cpu;
}

static bool is_full(const ImgPace *pace)
{
    return pace->under_way == IMG_PACE_PLACES;
}

bool img_pace_enter(ImgPace *pace, const ImgCost *cost)
{
    pthread_mutex_lock(&pace->mutex);
    bool waits = is_full(pace) && is_sooner_on_device(pace, cost);
    pace->waiting += waits;
    while (waits && is_full(pace))
        pthread_cond_wait(&pace->left_one, &pace->mutex);
    pace->waiting -= waits;
    bool entered = !is_full(pace);
    if (entered && pace->under_way++ == 0)
        pace->since = img_clock();
    pthread_mutex_unlock(&pace->mutex);
    return entered;
}

static void learn(double *ratio, double expected, double seconds)
{
    if (expected > 0 && seconds > 0)
        *ratio += NEWEST * (seconds / expected - *ratio);
}

/* Counts a picture that the device has finished. The first pictures take longer, because they
 * allocate memory and load kernels one after the other. So the measurement of speed begins after
 * them. The caller must hold the mutex. */
static void count(ImgPace *pace, double expected, double seconds)
{
    if (pace->unmeasured == 0) {
        pace->done++;
        learn(&pace->cuda, expected, seconds);
    } else if (--pace->unmeasured == 0) {
        pace->busy = 0;
        pace->since = img_clock();
    }
}

void img_pace_leave(ImgPace *pace, double expected, double seconds)
{
    pthread_mutex_lock(&pace->mutex);
    if (--pace->under_way == 0)
        pace->busy += img_clock() - pace->since;
    if (seconds > 0)
        count(pace, expected, seconds);
    pthread_cond_signal(&pace->left_one);
    pthread_mutex_unlock(&pace->mutex);
}

void img_pace_note_cpu(ImgPace *pace, double expected, double seconds)
{
    pthread_mutex_lock(&pace->mutex);
    learn(&pace->cpu, expected, seconds);
    pthread_mutex_unlock(&pace->mutex);
}
