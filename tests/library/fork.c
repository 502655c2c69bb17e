/* fork PNG: tests a context in a forked child, where its threads do not exist. Calls of the child
 * with that context must fail. The child must be able to destroy the context without waiting, and
 * to work with a context of its own. The parent continues. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "imgtool.h"

enum { SIDE = 700, THREADS = 4, SECONDS_MOST = 60 };

static bool works(imgtool_context *context, imgtool_error *error)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    picture.width = picture.height = SIDE;
    picture.format = (imgtool_format){IMGTOOL_RGB, 8};
    bool good = imgtool_picture_allocate(context, &picture, error) == IMGTOOL_OK;
    if (good)
        memset(picture.pixels, 9, SIDE * picture.stride);
    good =
        good && imgtool_run_text(context, "blur sigma=2 | rotate", &picture, error) == IMGTOOL_OK;
    imgtool_picture_free(context, &picture);
    return good;
}

static bool is_refused(const imgtool_error *error)
{
    return error->status == IMGTOOL_E_USAGE && strstr(error->message, "fork") != NULL;
}

/* Runs in the child. Returns its exit code: 0, or the number of the first check below that failed.
 * */
static int be_child(imgtool_context *context, imgtool_reader *reader)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_info info = IMGTOOL_INFO_INIT;
    imgtool_context *own = NULL;
    alarm(SECONDS_MOST); /* ends a child that waits for threads of its parent */
    if (works(context, &error) || !is_refused(&error))
        return 1;
    if (imgtool_reader_info(reader, &info, &error) == IMGTOOL_OK || !is_refused(&error))
        return 2;
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    if (imgtool_context_create(NULL, &own, &error) != IMGTOOL_OK || !works(own, &error))
        return 3;
    imgtool_context_destroy(own);
    return 0;
}

static int check(imgtool_context *context, imgtool_reader *reader)
{
    int result = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(be_child(context, reader));
    if (child < 0 || waitpid(child, &result, 0) != child)
        return 1;
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) {
        printf("the child ended with status %x\n", (unsigned)result);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_context *context = NULL;
    imgtool_reader *reader = NULL;
    config.threads = THREADS;
    config.backend = IMGTOOL_BACKEND_CPU;
    if (argc != 2) {
        fprintf(stderr, "usage: fork PNG\n");
        return 2;
    }
    bool good = imgtool_context_create(&config, &context, &error) == IMGTOOL_OK &&
                imgtool_open_file(context, argv[1], &reader, &error) == IMGTOOL_OK &&
                works(context, &error); /* the context has threads from here on */
    good = good && check(context, reader) == 0 && works(context, &error) &&
           imgtool_reader_load(reader, &error) == IMGTOOL_OK;
    imgtool_reader_destroy(reader);
    imgtool_context_destroy(context);
    if (!good)
        printf("failed: %s\n", error.message);
    return good ? 0 : 1;
}
