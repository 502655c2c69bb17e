#include "app/serve/queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/core/parallel/clock.h"

void queue_init(ServeQueue *queue, int wake)
{
    *queue = (ServeQueue){.wake = wake, .counts = {.idle_since = img_clock()}};
    pthread_mutex_init(&queue->mutex, NULL);
}

void queue_destroy(ServeQueue *queue)
{
    pthread_mutex_destroy(&queue->mutex);
}

/* Wakes the thread that became idle last, if any thread is idle. Call it with the mutex held. */
static void wake_one(ServeQueue *queue)
{
    RestingThread *thread = queue->resting;
    if (thread == NULL)
        return;
    queue->resting = thread->before;
    thread->called = true;
    pthread_cond_signal(&thread->call);
}

/* Adds this thread to the idle threads, and waits until another thread wakes it. Call it with the
 * mutex held. */
static void sleep_until_woken(ServeQueue *queue)
{
    RestingThread thread = {.called = false, .before = queue->resting};
    pthread_cond_init(&thread.call, NULL);
    queue->resting = &thread;
    while (!thread.called)
        pthread_cond_wait(&thread.call, &queue->mutex);
    pthread_cond_destroy(&thread.call);
}

void queue_put(ServeQueue *queue, ServeRequest *request)
{
    request->next = NULL;
    pthread_mutex_lock(&queue->mutex);
    if (queue->first == NULL)
        queue->first = request;
    else
        queue->last->next = request;
    queue->last = request;
    queue->counts.waiting++;
    wake_one(queue);
    pthread_mutex_unlock(&queue->mutex);
}

ServeRequest *queue_take(ServeQueue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    /* The loop checks again after waking, because another thread may have taken the request. */
    while (queue->first == NULL && !queue->closed)
        sleep_until_woken(queue);
    ServeRequest *request = queue->first;
    if (request != NULL) {
        queue->first = request->next;
        queue->counts.waiting--;
        queue->counts.under_way++;
    }
    pthread_mutex_unlock(&queue->mutex);
    return request;
}

void queue_end(ServeQueue *queue, bool done)
{
    const uint64_t one = 1;
    pthread_mutex_lock(&queue->mutex);
    queue->counts.under_way--;
    queue->counts.done += done ? 1 : 0;
    queue->counts.failed += done ? 0 : 1;
    queue->counts.idle_since = img_clock();
    pthread_mutex_unlock(&queue->mutex);
    (void)!write(queue->wake, &one, sizeof one);
}

ServeRequest *queue_close(ServeQueue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    ServeRequest *left = queue->first;
    queue->first = NULL;
    queue->closed = true;
    queue->counts.waiting = 0;
    while (queue->resting != NULL)
        wake_one(queue);
    pthread_mutex_unlock(&queue->mutex);
    return left;
}

QueueCounts queue_counts(ServeQueue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    QueueCounts counts = queue->counts;
    pthread_mutex_unlock(&queue->mutex);
    return counts;
}

void serve_request_free(ServeRequest *request)
{
    wire_request_free(&request->wire);
    close(request->socket);
    free(request);
}
