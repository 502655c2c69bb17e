/* Tests of the messages over the socket of a server. They arrive complete and correct, or are
 * rejected. No descriptor that a client sends may stay open. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/serve/socket/wire.h"

TestSuite(serve_wire, .timeout = 60);

typedef struct Ends {
    int client, server;
} Ends;

static Ends ends_make(void)
{
    int both[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both), 0);
    return (Ends){both[0], both[1]};
}

static void ends_close(const Ends *ends)
{
    close(ends->client);
    close(ends->server);
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    cr_assert_not_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static WireRequest command(int argc, char **argv)
{
    return (WireRequest){.kind = WIRE_RUN,
                         .protocol = WIRE_PROTOCOL,
                         .identity = identity_of_process(),
                         .time = 1234567890123,
                         .mask = 027,
                         .argc = argc,
                         .argv = argv,
                         .directory = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
}

/* Writes the message that a client would send for `request` to `bytes`. Returns the size of the
 * message. */
static size_t record(const WireRequest *request, char *bytes, size_t size)
{
    Ends ends = ends_make();
    cr_assert_eq(wire_send_request(ends.client, request, NULL), IMG_OK);
    ssize_t got = recv(ends.server, bytes, size, 0);
    cr_assert_gt(got, 0);
    ends_close(&ends);
    return (size_t)got;
}

static void send_with(int socket, const void *bytes, size_t size, const int *descriptors,
                      size_t count)
{
    enum { MOST = 16 };
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(MOST * sizeof(int))] = {0};
    struct iovec part = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = room;
        message.msg_controllen = CMSG_SPACE(count * sizeof *descriptors);
        struct cmsghdr *control = CMSG_FIRSTHDR(&message);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(count * sizeof *descriptors);
        memcpy(CMSG_DATA(control), descriptors, count * sizeof *descriptors);
    }
    cr_assert_eq(sendmsg(socket, &message, MSG_NOSIGNAL), (ssize_t)size);
}

Test(serve_wire, a_command_arrives_as_it_was_sent)
{
    char *argv[] = {"imgtool", "--via", "serve", "rotate", "", "a b.png", "\xff\n.png"};
    Ends ends = ends_make();
    WireRequest sent = command(7, argv), got = {.directory = -1};
    cr_expect_eq(wire_receive_request(ends.server, &got), WIRE_NOT_YET);
    cr_assert_eq(wire_send_request(ends.client, &sent, NULL), IMG_OK);
    cr_assert_eq(wire_receive_request(ends.server, &got), WIRE_TAKEN);
    cr_expect_eq(got.kind, WIRE_RUN);
    cr_expect_eq(got.mask, 027);
    cr_expect_eq(got.time, 1234567890123);
    cr_assert_eq(got.argc, 7);
    for (int i = 0; i < 7; i++)
        cr_expect_str_eq(got.argv[i], argv[i]);
    cr_expect_null(got.argv[7]);
    struct stat here, there;
    cr_expect_eq(fstat(got.directory, &there), 0);
    cr_expect_eq(stat("/", &here), 0);
    cr_expect_eq(here.st_ino, there.st_ino);
    cr_expect_eq(fcntl(got.directory, F_GETFD), FD_CLOEXEC);
    cr_expect(identity_is_same_build(&sent.identity, &got.identity));
    cr_expect(identity_sees_the_same(&sent.identity, &got.identity));
    wire_request_free(&got);
    close(sent.directory);
    close(ends.client);
    cr_expect_eq(wire_receive_request(ends.server, &got), WIRE_GONE);
    close(ends.server);
}

Test(serve_wire, a_command_line_over_the_limits_is_not_sent)
{
    static char *many[WIRE_ARGUMENTS_MAX + 1];
    static char large[WIRE_ARGUMENT_BYTES_MAX + 1];
    char *one[] = {large};
    Ends ends = ends_make();
    for (int i = 0; i <= WIRE_ARGUMENTS_MAX; i++)
        many[i] = "x";
    memset(large, 'x', sizeof large - 1);
    ImgError err = {IMG_OK, ""};
    WireRequest request = command(WIRE_ARGUMENTS_MAX + 1, many);
    cr_expect_eq(wire_send_request(ends.client, &request, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "leave out --via"));
    request.argc = 1;
    request.argv = one;
    cr_expect_eq(wire_send_request(ends.client, &request, NULL), IMG_E_USAGE);
    /* The argument is now one byte shorter: with its NUL it has the largest size that a message
     * allows. */
    large[sizeof large - 2] = '\0';
    cr_expect_eq(wire_send_request(ends.client, &request, NULL), IMG_OK);
    WireRequest got = {.directory = -1};
    cr_assert_eq(wire_receive_request(ends.server, &got), WIRE_TAKEN);
    cr_expect_str_eq(got.argv[0], large);
    wire_request_free(&got);
    request.argc = WIRE_ARGUMENTS_MAX;
    request.argv = many;
    cr_expect_eq(wire_send_request(ends.client, &request, NULL), IMG_OK);
    cr_assert_eq(wire_receive_request(ends.server, &got), WIRE_TAKEN);
    cr_expect_eq(got.argc, WIRE_ARGUMENTS_MAX);
    wire_request_free(&got);
    close(request.directory);
    ends_close(&ends);
}

Test(serve_wire, shorter_and_longer_messages_are_rejected)
{
    char *argv[] = {"imgtool", "flip", "in.png", "out.png"};
    static char bytes[WIRE_REQUEST_MAX + 1];
    WireRequest request = command(4, argv), got;
    size_t size = record(&request, bytes, sizeof bytes);
    for (size_t length = 0; length < size; length++) {
        char *exact = malloc(length + 1);
        memcpy(exact, bytes, length);
        cr_expect_not(wire_parse_request(exact, length, &got), "%zu of %zu bytes", length, size);
        free(exact);
    }
    cr_expect(wire_parse_request(bytes, size, &got));
    free(got.argv);
    /* The message now has one argument more than it announces. */
    bytes[size] = '\0';
    cr_expect_not(wire_parse_request(bytes, size + 1, &got));
    /* The last argument now has no NUL. */
    bytes[size - 1] = 'x';
    cr_expect_not(wire_parse_request(bytes, size, &got));
    close(request.directory);
}

Test(serve_wire, any_byte_may_be_wrong)
{
    char *argv[] = {"imgtool", "flip", "in.png", "out.png"};
    static char bytes[WIRE_REQUEST_MAX];
    WireRequest request = command(4, argv), got;
    size_t size = record(&request, bytes, sizeof bytes);
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            if (wire_parse_request(bytes, size, &got))
                free(got.argv);
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    }
    close(request.directory);
}

Test(serve_wire, any_program_can_stop_a_server)
{
    static char bytes[WIRE_REQUEST_MAX];
    WireRequest stop = {.kind = WIRE_STOP, .identity = identity_of_process(), .directory = -1}, got;
    size_t size = record(&stop, bytes, sizeof bytes);
    uint32_t protocol = WIRE_PROTOCOL + 1;
    memcpy(bytes + 8, &protocol, sizeof protocol);
    cr_assert(wire_parse_request(bytes, size, &got));
    cr_expect_eq(got.kind, WIRE_STOP);
    cr_expect_eq(got.protocol, WIRE_PROTOCOL + 1);
    cr_expect_null(got.argv);
}

Test(serve_wire, unexpected_descriptors_are_closed)
{
    char *argv[] = {"imgtool", "flip", "in.png", "out.png"};
    static char bytes[WIRE_REQUEST_MAX];
    WireRequest request = command(4, argv), got;
    size_t size = record(&request, bytes, sizeof bytes);
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC), directory = request.directory;
    Ends ends = ends_make();
    int before = count_descriptors();
    const struct {
        int descriptors[16];
        size_t count, size;
        WireTaken taken;
    } cases[] = {
        {{0}, 0, size, WIRE_BAD},    /* without a descriptor */
        {{file}, 1, size, WIRE_BAD}, /* with a regular file instead of a directory */
        {{directory, file, directory, file}, 4, size, WIRE_TAKEN},
        {{file, file, file, file, file, file, file, file, file, file}, 10, size, WIRE_NO_ROOM},
        {{directory, file}, 2, 5, WIRE_BAD}, /* truncated to 5 bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        send_with(ends.client, bytes, cases[i].size, cases[i].descriptors, cases[i].count);
        got.directory = -1;
        cr_expect_eq(wire_receive_request(ends.server, &got), cases[i].taken, "case %zu", i);
        if (cases[i].taken == WIRE_TAKEN)
            wire_request_free(&got);
        cr_expect_eq(count_descriptors(), before, "case %zu", i);
    }
    close(file);
    close(directory);
    ends_close(&ends);
}

Test(serve_wire, a_request_that_is_too_large_is_rejected)
{
    static char bytes[WIRE_REQUEST_MAX + 1000];
    char *argv[] = {"imgtool"};
    WireRequest request = command(1, argv), got = {.directory = -1};
    (void)record(&request, bytes, sizeof bytes);
    Ends ends = ends_make();
    send_with(ends.client, bytes, sizeof bytes, &request.directory, 1);
    cr_expect_eq(wire_receive_request(ends.server, &got), WIRE_BAD);
    close(request.directory);
    ends_close(&ends);
}

Test(serve_wire, an_answer_arrives_as_it_was_sent)
{
    static WireAnswer sent, got;
    Ends ends = ends_make();
    sent = (WireAnswer){.verdict = WIRE_DONE, .identity = identity_of_process(), .code = 3};
    memset(sent.text, 'x', sizeof sent.text - 1);
    wire_send_answer(ends.server, &sent);
    cr_assert(wire_receive_answer(ends.client, &got));
    cr_expect_eq(got.verdict, WIRE_DONE);
    cr_expect_eq(got.code, 3);
    cr_expect_eq(got.process, getpid());
    cr_expect_str_eq(got.text, sent.text);
    cr_expect_eq(send(ends.server, "imgserve", 8, 0), 8);
    cr_expect_not(wire_receive_answer(ends.client, &got), "too short");
    memset(&sent, 'x', sizeof sent);
    cr_expect_eq(send(ends.server, &sent, 1000, 0), 1000);
    cr_expect_not(wire_receive_answer(ends.client, &got), "nonsense");
    close(ends.server);
    cr_expect_not(wire_receive_answer(ends.client, &got), "no server");
    close(ends.client);
}

Test(serve_wire, another_build_or_another_view_of_files_is_noticed)
{
    const Identity ours = identity_of_process();
    cr_expect(identity_is_same_build(&ours, &ours));
    cr_expect(identity_sees_the_same(&ours, &ours));
    for (int i = 0; i < 4; i++) {
        Identity other = ours;
        other.program[i]++;
        cr_expect_not(identity_is_same_build(&ours, &other));
        cr_expect(identity_sees_the_same(&ours, &other));
    }
    Identity other = ours;
    other.version[0]++;
    cr_expect_not(identity_is_same_build(&ours, &other));
    other = ours;
    other.group++;
    cr_expect_not(identity_sees_the_same(&ours, &other));
    for (int i = 0; i < 3; i++) {
        other = ours;
        other.mounts[i]++;
        cr_expect_not(identity_sees_the_same(&ours, &other));
    }
}

Test(serve_wire, a_server_without_free_descriptors_says_so)
{
    char *argv[] = {"imgtool", "flip", "in.png", "out.png"};
    static char bytes[WIRE_REQUEST_MAX];
    WireRequest request = command(4, argv), got;
    const size_t size = record(&request, bytes, sizeof bytes);
    const Ends ends = ends_make();
    const int first_free = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct rlimit before;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = {(rlim_t)first_free, before.rlim_max};
    close(first_free);
    send_with(ends.client, bytes, size, &request.directory, 1);
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) {
        cr_skip_test("the limit of descriptors cannot be lowered here (Valgrind keeps its own)");
    }
    cr_expect_eq(wire_receive_request(ends.server, &got), WIRE_NO_ROOM);
    cr_expect_eq(setrlimit(RLIMIT_NOFILE, &before), 0, "LeakSanitizer opens files at the end");
}
