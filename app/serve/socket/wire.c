#include "app/serve/socket/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char MAGIC[8] = {'i', 'm', 'g', 's', 'e', 'r', 'v', 'e'};

/* Start of every message. It is the same in all versions of the protocol. */
typedef struct Hello {
    char magic[sizeof MAGIC];
    uint32_t protocol;
    uint32_t kind; /* WireKind of a request, or WireVerdict of an answer */
    Identity identity;
} Hello;

/* Start of a request. The arguments of the command follow it, each with its zero byte. */
typedef struct RequestHead {
    Hello hello;
    int64_t time;
    uint32_t mask;
    uint32_t count;
} RequestHead;

/* Start of an answer. The text of the messages follows it, without a zero byte. */
typedef struct AnswerHead {
    Hello hello;
    int32_t process;
    int32_t code;
} AnswerHead;

_Static_assert(sizeof(RequestHead) + WIRE_ARGUMENT_BYTES_MAX <= WIRE_REQUEST_MAX,
               "a request fits into its buffer");

static Hello hello_make(uint32_t kind, const Identity *identity)
{
    Hello hello = {.protocol = WIRE_PROTOCOL, .kind = kind, .identity = *identity};
    memcpy(hello.magic, MAGIC, sizeof MAGIC);
    return hello;
}

bool peer_is_ours(int socket)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Copies the arguments of the command to `to`, one after the other with their zero bytes. Returns
 * the number of bytes; 0 if there are too many arguments or bytes. */
static size_t pack_arguments(const WireRequest *request, char *to)
{
    size_t used = 0;
    if (request->argc > WIRE_ARGUMENTS_MAX)
        return 0;
    for (int i = 0; i < request->argc; i++) {
        size_t size = strlen(request->argv[i]) + 1;
        if (size > WIRE_ARGUMENT_BYTES_MAX - used)
            return 0;
        memcpy(to + used, request->argv[i], size);
        used += size;
    }
    return used;
}

static void attach_descriptor(struct msghdr *message, int descriptor, char *room)
{
    message->msg_control = room;
    message->msg_controllen = CMSG_SPACE(sizeof descriptor);
    struct cmsghdr *control = CMSG_FIRSTHDR(message);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
}

/* Sends a message. If the other end is closed, MSG_NOSIGNAL makes sendmsg return an error instead
 * of raising SIGPIPE. */
static ImgStatus send_message(int socket, const struct msghdr *message, ImgError *err)
{
    ssize_t sent;
    do
        sent = sendmsg(socket, message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent >= 0
               ? IMG_OK
               : img_fail(err, IMG_E_IO, "the connection cannot be written: %s", strerror(errno));
}

ImgStatus wire_send_request(int socket, const WireRequest *request, ImgError *err)
{
    RequestHead head = {.hello = hello_make(request->kind, &request->identity),
                        .time = request->time,
                        .mask = (uint32_t)request->mask,
                        .count = (uint32_t)request->argc};
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof request->directory)] = {0};
    char *arguments = malloc(WIRE_ARGUMENT_BYTES_MAX);
    if (arguments == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the command line");
    struct iovec parts[] = {{&head, sizeof head}, {arguments, pack_arguments(request, arguments)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ImgStatus status = IMG_OK;
    if (request->argc > 0 && parts[1].iov_len == 0)
        status = img_fail(err, IMG_E_USAGE,
                          "a server takes at most %d arguments with %d bytes together; leave out "
                          "--via serve",
                          (int)WIRE_ARGUMENTS_MAX, (int)WIRE_ARGUMENT_BYTES_MAX);
    if (request->directory >= 0)
        attach_descriptor(&message, request->directory, room);
    if (status == IMG_OK)
        status = send_message(socket, &message, err);
    free(arguments);
    return status;
}

/* Parses `count` arguments, which must fill exactly `size` bytes. Returns false if they do not. */
static bool parse_arguments(const char *data, size_t size, uint32_t count, WireRequest *request)
{
    if (count == 0 || count > WIRE_ARGUMENTS_MAX || size > WIRE_ARGUMENT_BYTES_MAX || size < count)
        return false;
    size_t pointers = (count + 1) * sizeof *request->argv;
    request->argv = malloc(pointers + size);
    if (request->argv == NULL)
        return false;
    char *at = (char *)request->argv + pointers, *end = at + size;
    memcpy(at, data, size);
    uint32_t found = 0;
    while (found < count && at < end) {
        char *zero = memchr(at, '\0', (size_t)(end - at));
        if (zero == NULL)
            break;
        request->argv[found++] = at;
        at = zero + 1;
    }
    request->argv[found] = NULL;
    request->argc = (int)found;
    if (found == count && at == end)
        return true;
    free(request->argv);
    request->argv = NULL;
    return false;
}

bool wire_parse_request(const void *data, size_t size, WireRequest *request)
{
    RequestHead head;
    if (size < sizeof head.hello || memcmp(data, MAGIC, sizeof MAGIC) != 0)
        return false;
    memcpy(&head.hello, data, sizeof head.hello);
    if (head.hello.kind < WIRE_RUN || head.hello.kind > WIRE_STOP)
        return false;
    request->kind = (WireKind)head.hello.kind;
    request->protocol = head.hello.protocol;
    request->identity = head.hello.identity;
    request->time = 0;
    request->mask = 0;
    request->argc = 0;
    request->argv = NULL;
    if (request->kind != WIRE_RUN || request->protocol != WIRE_PROTOCOL)
        return true;
    if (size < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    request->time = head.time;
    request->mask = (mode_t)(head.mask & 0777);
    return parse_arguments((const char *)data + sizeof head, size - sizeof head, head.count,
                           request);
}

/* Returns the first received descriptor that is a directory; -1 if there is none. Closes all other
 * descriptors in the message. */
static int take_descriptors(struct msghdr *message)
{
    int kept = -1, descriptor;
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
            continue;
        size_t bytes = control->cmsg_len - CMSG_LEN(0);
        for (size_t at = 0; at + sizeof descriptor <= bytes; at += sizeof descriptor) {
            struct stat info;
            memcpy(&descriptor, CMSG_DATA(control) + at, sizeof descriptor);
            if (kept < 0 && fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode))
                kept = descriptor;
            else
                close(descriptor);
        }
    }
    return kept;
}

/* Returns true if `directory` is valid for the request. In this protocol, WIRE_RUN must come with a
 * directory, and other requests without one (-1). Requests of other protocols may have a directory
 * or none. */
static bool fits_directory(const WireRequest *request, int directory)
{
    return (request->kind == WIRE_RUN && request->protocol == WIRE_PROTOCOL) == (directory >= 0) ||
           request->protocol != WIRE_PROTOCOL;
}

static WireTaken receive_into(char *data, int socket, WireRequest *request)
{
    /* Maximum number of descriptors that a message can transfer. The kernel closes further ones. */
    enum { DESCRIPTORS = 8 };
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    struct iovec part = {data, WIRE_REQUEST_MAX};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? WIRE_NOT_YET : WIRE_GONE;
    int directory = take_descriptors(&message);
    if (got == 0 && directory < 0)
        return WIRE_GONE;
    if (directory < 0 && (message.msg_flags & MSG_CTRUNC) != 0)
        return WIRE_NO_ROOM;
    bool whole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    if (whole && wire_parse_request(data, (size_t)got, request)) {
        request->directory = directory;
        if (fits_directory(request, directory))
            return WIRE_TAKEN;
        wire_request_free(request);
        return WIRE_BAD;
    }
    if (directory >= 0)
        close(directory);
    return WIRE_BAD;
}

WireTaken wire_receive_request(int socket, WireRequest *request)
{
    char *data = malloc(WIRE_REQUEST_MAX);
    if (data == NULL)
        return WIRE_NO_ROOM;
    WireTaken taken = receive_into(data, socket, request);
    free(data);
    return taken;
}

void wire_request_free(WireRequest *request)
{
    if (request->directory >= 0)
        close(request->directory);
    request->directory = -1;
    free(request->argv);
    request->argv = NULL;
}

/* --- Answers ---------------------------------------------------------------------------------- */

void wire_send_answer(int socket, const WireAnswer *answer)
{
    AnswerHead head = {.hello = hello_make(answer->verdict, &answer->identity),
                       .process = getpid(),
                       .code = answer->code};
    struct iovec parts[] = {{&head, sizeof head}, {(char *)answer->text, strlen(answer->text)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
}

bool wire_receive_answer(int socket, WireAnswer *answer)
{
    AnswerHead head;
    struct iovec parts[] = {{&head, sizeof head}, {answer->text, sizeof answer->text - 1}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < (ssize_t)sizeof head || (message.msg_flags & MSG_TRUNC) != 0 ||
        memcmp(head.hello.magic, MAGIC, sizeof MAGIC) != 0)
        return false;
    answer->text[(size_t)got - sizeof head] = '\0';
    answer->verdict = (WireVerdict)head.hello.kind;
    answer->identity = head.hello.identity;
    answer->identity.version[sizeof answer->identity.version - 1] = '\0';
    answer->process = head.process;
    answer->code = head.code;
    return true;
}
