/* peers imagemagick|graphicsmagick IMGTOOL: compares imgtool with another program, the peer, for
 * every kind of PNG and every operation. The peer decodes its own result and imgtool's file to RGBA
 * of 16 bits, and the two must be equal. Autorotate is compared with -auto-orient. Exit code 0: all
 * are equal; 1: there is a difference; 77: the peer is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "samples/pictures.h"
#include "tests/roundtrip/matrix.h"
#include "tests/roundtrip/spawn.h"
#include "tests/tools/png_read.h"

enum { EXIT_SKIPPED = 77 };

typedef struct Peer {
    const char *name;
    const char *programs[5];   /* possible names of the program, the preferred one first */
    const char *subcommand[2]; /* arguments before all others; may be empty */
    /* start of the program's version text, which distinguishes it from other programs of the same
     * name */
    const char *answer;
} Peer;

static const Peer peers[] = {
    {"imagemagick",
     {"magick", "convert-im6.q16", "convert-im6", "convert"},
     {NULL},
     "Version: ImageMagick"},
    {"graphicsmagick", {"gm"}, {"convert"}, "GraphicsMagick"},
};

static const char *imgtool;
static const Peer *peer;
static const char *program; /* name of the peer's program that was found */
static int checks, failures;

static bool is_peer(const char *candidate)
{
    Command command = {{candidate, "-version"}, 2};
    if (command_run(&command, "/dev/null", "version") != 0) {
        return false;
    }
    Bytes text = bytes_read("version");
    size_t length = strlen(peer->answer);
    bool yes = text.size >= length && memcmp(text.data, peer->answer, length) == 0;
    free(text.data);
    return yes;
}

static bool find_peer(const char *name)
{
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        if (strcmp(peers[i].name, name) == 0) {
            peer = &peers[i];
        }
    }
    for (int i = 0; peer != NULL && peer->programs[i] != NULL; i++) {
        if (is_peer(peer->programs[i])) {
            program = peer->programs[i];
            return true;
        }
    }
    return false;
}

static bool peer_convert(const char *input, const char *const *arguments, const char *output)
{
    static const char *const depth[] = {"-depth", "16", NULL};
    Command command = {{program}, 1};
    command_add_all(&command, peer->subcommand);
    command_add(&command, input);
    command_add_all(&command, arguments);
    command_add_all(&command, depth);
    command_add(&command, output);
    return command_run(&command, "/dev/null", NULL) == 0;
}

/* Returns true if both files have the same bytes. Missing and empty files count as different. */
static bool same_files(const char *path_a, const char *path_b)
{
    Bytes a = bytes_read(path_a);
    Bytes b = bytes_read(path_b);
    bool equal = a.size > 0 && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    free(a.data);
    free(b.data);
    return equal;
}

/* Compares the results of imgtool and of the peer for in.png. `name` and `what` stand in
 * messages. */
static void check(const char *name, const char *what, const char *const *arguments,
                  const char *const *peer_arguments)
{
    static const char *const nothing[] = {NULL};
    Command command = {{imgtool}, 1};
    command_add_all(&command, arguments);
    command_add(&command, "in.png");
    command_add(&command, "out.png");
    checks++;
    /* Removes the results of the previous check, so that they cannot pass for results of this
     * one. */
    (void)remove("out.png");
    (void)remove("wanted");
    (void)remove("got");
    if (command_run(&command, "/dev/null", NULL) != 0) {
        printf("%s %s: imgtool failed\n", what, name);
        failures++;
    } else if (!peer_convert("in.png", peer_arguments, "rgba:wanted") ||
               !peer_convert("out.png", nothing, "rgba:got")) {
        printf("%s %s: %s failed\n", what, name, peer->name);
        failures++;
    } else if (!same_files("wanted", "got")) {
        printf("%s %s: not what %s makes of it\n", what, name, peer->name);
        failures++;
    }
}

static void check_operations(void)
{
    static Input inputs[INPUTS_MAX];
    size_t count = matrix_inputs(37, 23, inputs);
    for (size_t i = 0; i < count; i++) {
        Picture source = matrix_draw(&inputs[i]);
        png_file_write("in.png", &source, NULL, 0);
        free(source.samples);
        for (size_t k = 0; k < operation_count; k++) {
            check(inputs[i].name, operations[k].name, operations[k].arguments, operations[k].peer);
        }
    }
}

/* Checks all orientations. The peers are old versions that do not read eXIf, so they get the
 * orientation as an option. imgtool reads it from the file. */
static void check_orientations(void)
{
    static const char *const names[] = {"TopLeft", "TopRight", "BottomRight", "BottomLeft",
                                        "LeftTop", "RightTop", "RightBottom", "LeftBottom"};
    static const char *const arguments[] = {"autorotate", NULL};
    Picture source = test_card(37, 23, PNG_RGB, 8);
    for (int i = 0; i < 8; i++) {
        uint8_t exif[EXIF_SIZE];
        exif_make(exif, i + 1, i % 2 == 0);
        PngExtra extra = {"eXIf", PLACE_BEFORE_IDAT, exif, sizeof exif};
        png_file_write("in.png", &source, &extra, 1);
        const char *const oriented[] = {"-orient", names[i], "-auto-orient", NULL};
        check(names[i], "autorotate", arguments, oriented);
    }
    free(source.samples);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: peers imagemagick|graphicsmagick IMGTOOL\n");
        return 2;
    }
    imgtool = argv[2];
    if (chdir(directory_make()) != 0) {
        perror("chdir");
        return 1;
    }
    int result = EXIT_SKIPPED;
    if (find_peer(argv[1])) {
        check_operations();
        check_orientations();
        printf("%d of %d equal to %s\n", checks - failures, checks, program);
        result = failures == 0 && checks > 0 ? 0 : 1;
    } else {
        printf("skipped: %s is not installed\n", argv[1]);
    }
    directory_remove();
    return result;
}
