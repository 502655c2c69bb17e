#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes the descriptor and fails if it refers to a FIFO or a device. Accepts regular files, and
 * also directories, because img_input_open rejects these with a clearer message. */
static ImgStatus check_is_file(int *fd, ImgError *err)
{
    struct stat info;
    if (fstat(*fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)))
        return IMG_OK;
    close(*fd);
    *fd = -1;
    return img_fail(
        err, IMG_E_IO,
        "is a pipe or a device, which is not supported here; copy its contents into a file");
}

ImgStatus img_input_open_path(const char *path, bool only_files, const ImgInterrupt *interrupt,
                              int *fd, ImgError *err)
{
    /* The type of the file is checked after opening. If it were checked before, another file could
     * replace the path between the check and the opening. */
    const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (only_files ? O_NONBLOCK : 0);
    ImgStatus status = IMG_OK;
    *fd = -1;
    while (status == IMG_OK && *fd < 0) {
        *fd = open(path, flags);
        const int code = *fd < 0 ? errno : 0;
        if (code == EINTR)
            status = img_interrupt_ask(interrupt, err);
        else if (code != 0)
            status = img_fail(err, img_errno_status(code), "cannot be opened: %s%s", strerror(code),
                              img_errno_remedy(code));
    }
    return status == IMG_OK && only_files ? check_is_file(fd, err) : status;
}

ImgStatus img_input_open(ImgInput *input, const char *path, bool only_files, ImgError *err)
{
    ImgStatus status = IMG_OK;
    input->owns_fd = strcmp(path, "-") != 0;
    input->fd = STDIN_FILENO;
    if (input->owns_fd)
        status = img_input_open_path(path, only_files, &input->interrupt, &input->fd, err);
    if (status != IMG_OK)
        return status;
    struct stat info;
    if (fstat(input->fd, &info) != 0)
        return img_fail(err, IMG_E_IO, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(info.st_mode))
        return img_fail(err, IMG_E_IO, "is a directory, not a file; name a file in it");
    if (isatty(input->fd))
        return img_fail(err, IMG_E_USAGE, "is a terminal; name a file");
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        input->size_hint = (uint64_t)info.st_size;
    input->modified = info.st_mtim;
    return IMG_OK;
}

bool img_input_has_pieces(const ImgInput *input, uint64_t at)
{
    return input->size_hint > 0 && input->fd >= 0 && lseek(input->fd, 0, SEEK_CUR) == (off_t)at;
}

int img_input_piece(const ImgInput *input, uint64_t at, uint8_t *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count = pread(input->fd, data + done, size - done, (off_t)(at + done));
        if (count < 0 && errno != EINTR)
            return errno;
        if (count == 0)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

bool img_input_continue_at(const ImgInput *input, uint64_t at)
{
    return lseek(input->fd, (off_t)at, SEEK_SET) == (off_t)at;
}

bool img_input_has_changed(const ImgInput *input)
{
    struct stat info;
    return fstat(input->fd, &info) != 0 || (uint64_t)info.st_size != input->size_hint ||
           info.st_mtim.tv_sec != input->modified.tv_sec ||
           info.st_mtim.tv_nsec != input->modified.tv_nsec;
}

static ImgStatus read_descriptor(const ImgInput *input, uint8_t *data, size_t size, size_t *got,
                                 ImgError *err)
{
    ImgStatus status = IMG_OK;
    while (status == IMG_OK) {
        const ssize_t n = read(input->fd, data, size);
        *got = n > 0 ? (size_t)n : 0;
        if (n >= 0)
            return IMG_OK;
        const int code = errno == EAGAIN ? img_wait_for(input->fd, POLLIN) : errno;
        if (code == EINTR)
            status = img_interrupt_ask(&input->interrupt, err);
        else if (code != 0)
            status = img_fail(err, img_errno_status(code), "cannot be read: %s", strerror(code));
    }
    return status;
}

static ImgStatus read_function(const ImgInputBytes *bytes, uint8_t *data, size_t size, size_t *got,
                               ImgError *err)
{
    *got = 0;
    ImgStatus status = bytes->read(bytes->context, data, size, got, err);
    if (status == IMG_OK && *got > size)
        return img_fail(err, IMG_E_USAGE, "more bytes were read than there was room for");
    return status;
}

ImgStatus img_input_read(const ImgInput *input, uint8_t *data, size_t size, size_t *got,
                         ImgError *err)
{
    ImgStatus status = IMG_OK;
    size_t n = 1;
    *got = 0;
    while (status == IMG_OK && n > 0 && *got < size) {
        status = input->bytes.read != NULL
                     ? read_function(&input->bytes, data + *got, size - *got, &n, err)
                     : read_descriptor(input, data + *got, size - *got, &n, err);
        if (status == IMG_OK)
            *got += n;
    }
    return status;
}

void img_input_close(ImgInput *input)
{
    if (input->owns_fd && input->fd >= 0)
        close(input->fd); /* Errors of close do not matter, because the descriptor was only read. */
    input->fd = -1;
}
