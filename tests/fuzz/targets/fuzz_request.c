/* Parses messages to the server (app/serve). Each message must be rejected, or give its command
 * line byte for byte.
 * Input: a byte, then the rest of the message. The byte 'h' puts the head of a command before the
 * rest, up to its umask. The byte 's' puts the head of a status request there. Other bytes put
 * nothing. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/serve/socket/wire.h"
#include "tests/fuzz/fuzz.h"

enum { HEAD_NUMBERS = 8 /* bytes of the umask and the count */ };

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* Writes the head of a message as a client sends it to `to`. Returns the number of bytes before the
 * umask. */
static size_t put_hello(WireKind kind, char *to)
{
    char *argv[] = {"x"};
    int ends[2];
    const WireRequest request = {.kind = kind, .argc = 1, .argv = argv, .directory = -1};
    check(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "no sockets");
    check(wire_send_request(ends[0], &request, NULL) == IMG_OK, "not sent");
    ssize_t got = recv(ends[1], to, WIRE_REQUEST_MAX, 0);
    close(ends[0]);
    close(ends[1]);
    check(got > HEAD_NUMBERS + 2, "the message is too short");
    return (size_t)got - HEAD_NUMBERS - 2;
}

/* Checks that the arguments of the request are exactly the data after the head. */
static void check_arguments(const WireRequest *request, const char *data, size_t size)
{
    size_t used = 0;
    check(request->argc >= 1 && request->argc <= WIRE_ARGUMENTS_MAX,
          "the number of arguments is out of range");
    for (int i = 0; i < request->argc; i++) {
        size_t length = strlen(request->argv[i]) + 1;
        check(length <= size - used, "an argument exceeds the message");
        check(memcmp(request->argv[i], data + used, length) == 0,
              "an argument has different bytes");
        used += length;
    }
    check(used == size, "the arguments do not cover the message");
    check(request->argv[request->argc] == NULL, "the arguments do not end with NULL");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > WIRE_REQUEST_MAX / 2)
        return 0;
    char *hello = malloc(WIRE_REQUEST_MAX);
    check(hello != NULL, "no memory");
    size_t length = put_hello(data[0] == 's' ? WIRE_STATUS : WIRE_RUN, hello);
    size_t before = data[0] == 'h' || data[0] == 's' ? length : 0, whole = before + size - 1;
    char *exact = malloc(whole + 1);
    check(exact != NULL, "no memory");
    memcpy(exact, hello, before);
    memcpy(exact + before, data + 1, size - 1);
    WireRequest request;
    if (wire_parse_request(exact, whole, &request)) {
        if (request.kind == WIRE_RUN && request.protocol == WIRE_PROTOCOL)
            check_arguments(&request, exact + length + HEAD_NUMBERS, whole - length - HEAD_NUMBERS);
        free(request.argv);
    }
    free(exact);
    free(hello);
    return 0;
}
