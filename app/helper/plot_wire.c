#include "app/helper/plot_child.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/core/parallel/clock.h"

enum { PIECE = 1 << 16, ZEROS = 16 };

/* Header of an answer, before the picture or the message. */
typedef struct Answer {
    uint64_t status; /* an ImgStatus; IMG_OK: a picture follows */
    uint64_t size;
} Answer;

/* --- The caller ------------------------------------------------------------------------------- */

/* Returns the reason why a call failed with the errno `code`: the other program has closed the
 * connection, or the socket failed. */
static PlotWireResult result_of(int code)
{
    return code == EPIPE || code == ECONNRESET || code == ENOTCONN ? PLOT_WIRE_CLOSED
                                                                   : PLOT_WIRE_BROKEN;
}

/* Waits until the socket is ready, or until the time `end`, in seconds. Returns a positive number
 * if the socket is ready, 0 if the time is over, and a negative number after a failure. */
static int wait_for(int socket, short events, double end)
{
    double left = end - img_clock();
    struct pollfd wait = {socket, events, 0};
    return left > 0 ? poll(&wait, 1, (int)(left * 1e3) + 1) : 0;
}

/* Sends the whole request, and then shuts down this direction of the socket, which ends the
 * request. Gives up at the time `end`, in seconds of img_clock. MSG_DONTWAIT keeps send from
 * blocking beyond that time if the other process does not read. */
static PlotWireResult send_all(int socket, double end, const PlotBytes *request)
{
    const uint8_t *data = request->data;
    size_t left = request->size;
    while (left > 0) {
        int ready = wait_for(socket, POLLOUT, end);
        if (ready == 0)
            return PLOT_WIRE_TIMED_OUT;
        ssize_t sent = ready > 0 ? send(socket, data, left, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return result_of(errno);
        data += sent > 0 ? sent : 0;
        left -= sent > 0 ? (size_t)sent : 0;
    }
    return shutdown(socket, SHUT_WR) == 0 ? PLOT_WIRE_ANSWERED : result_of(errno);
}

static PlotWireResult read_all(int socket, double end, void *to, size_t size)
{
    uint8_t *data = to;
    while (size > 0) {
        int ready = wait_for(socket, POLLIN, end);
        if (ready == 0)
            return PLOT_WIRE_TIMED_OUT;
        ssize_t got = ready > 0 ? read(socket, data, size) : -1;
        if (got == 0)
            return PLOT_WIRE_CLOSED;
        if (got < 0 && errno != EINTR)
            return result_of(errno);
        data += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return PLOT_WIRE_ANSWERED;
}

static PlotWireResult read_failure(int socket, double end, const Answer *answer, ImgError *err)
{
    char message[IMG_MESSAGE_SIZE] = "";
    if (answer->size >= sizeof message || answer->status > IMG_E_TEMPORARY)
        return PLOT_WIRE_CLOSED;
    PlotWireResult result = read_all(socket, end, message, (size_t)answer->size);
    if (result == PLOT_WIRE_ANSWERED)
        (void)img_fail(err, (ImgStatus)answer->status, "%s", message);
    return result;
}

PlotWireResult plot_wire_request(int socket, const PlotBytes *request, int seconds,
                                 PlotBytes *picture, ImgError *err)
{
    double end = img_clock() + seconds;
    Answer answer;
    *picture = PLOT_BYTES_NONE;
    PlotWireResult result = send_all(socket, end, request);
    if (result == PLOT_WIRE_ANSWERED)
        result = read_all(socket, end, &answer, sizeof answer);
    if (result != PLOT_WIRE_ANSWERED)
        return result;
    if (answer.status != IMG_OK)
        return read_failure(socket, end, &answer, err);
    picture->data = malloc((size_t)answer.size);
    if (picture->data == NULL)
        return PLOT_WIRE_NO_MEMORY;
    picture->size = (size_t)answer.size;
    return read_all(socket, end, picture->data, picture->size);
}

/* --- imgtool-plot ----------------------------------------------------------------------------- */

ImgStatus plot_wire_receive(int from, PlotBytes *request, ImgError *err)
{
    size_t capacity = 0;
    ssize_t got;
    *request = PLOT_BYTES_NONE;
    do {
        if (capacity - request->size < PIECE + ZEROS) {
            capacity = 2 * capacity + PIECE + ZEROS;
            uint8_t *grown = realloc(request->data, capacity);
            if (grown == NULL)
                return img_fail(err, IMG_E_MEMORY, "no memory for the plot data");
            request->data = grown;
        }
        got = read(from, request->data + request->size, PIECE);
        if (got < 0 && errno != EINTR)
            return img_fail(err, IMG_E_IO, "the plot data cannot be read: %s", strerror(errno));
        request->size += got > 0 ? (size_t)got : 0;
    } while (got != 0);
    memset(request->data + request->size, 0, ZEROS);
    return IMG_OK;
}

static bool send_bytes(int to, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size > 0) {
        ssize_t n = write(to, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

ImgStatus plot_wire_reply(int to, const PlotBytes *picture, const ImgError *err)
{
    bool failed = err->status != IMG_OK;
    Answer answer = {err->status, failed ? strlen(err->message) : picture->size};
    if (send_bytes(to, &answer, sizeof answer) &&
        send_bytes(to, failed ? (const void *)err->message : picture->data, (size_t)answer.size))
        return IMG_OK;
    return IMG_E_IO;
}
