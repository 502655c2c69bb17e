# shellcheck shell=bash disable=SC2034
# Installs Debian and Ubuntu packages that are still missing. A second run therefore needs neither network nor root.
# samples/quickstart.sh and tests/run.sh source this file, so that the packages for building and testing are listed in
# one place.

# Each line: a package, then a command that succeeds if the package need not be installed.
build_packages="
build-essential  command -v cc && command -v make
cmake            command -v cmake
pkg-config       command -v pkg-config
libpng-dev       pkg-config --exists libpng
zlib1g-dev       pkg-config --exists zlib
libdeflate-dev   pkg-config --exists libdeflate
libstb-dev       pkg-config --exists stb
libcjson-dev     pkg-config --exists libcjson
"
# For imgtool-plot (IMGTOOL_PLOT).
plot_packages="
libcairo2-dev    pkg-config --exists cairo
"
test_packages="
ninja-build      command -v ninja
ccache           command -v ccache
xz-utils         command -v xz
libcriterion-dev pkg-config --exists criterion
libspng-dev      pkg-config --exists spng
imagemagick      command -v convert-im6.q16 || command -v convert-im6 || command -v magick
graphicsmagick   command -v gm
jq               command -v jq
file             command -v file
fontconfig       command -v fc-match
python3-dev      ls /usr/include/python3*/Python.h
python3-numpy    /usr/bin/python3 -c 'import numpy'
python3-jsonschema /usr/bin/python3 -c 'import jsonschema'
strace           command -v strace
ntfs-3g          command -v lowntfs-3g
qemu-user        command -v qemu-x86_64
optipng          command -v optipng
pngcheck         command -v pngcheck
zopfli           command -v zopflipng
shellcheck       command -v shellcheck
clang            command -v clang
libclang-rt-dev  echo 'int main(void){return 0;}' | clang -fsanitize=address -x c -o /dev/null -
lld              command -v ld.lld
clang-format     command -v clang-format
clang-tidy       command -v clang-tidy
"

# PNG codecs of other projects, for tests/peers.
peer_packages="
imagemagick      command -v convert
graphicsmagick   command -v gm
libvips-tools    command -v vips
python3-opencv   /usr/bin/python3 -c 'import cv2'
python3-pil      /usr/bin/python3 -c 'import PIL'
fonts-dejavu-core fc-list | grep DejaVuSansMono
fontconfig       command -v fc-list
libspng-dev      pkg-config --exists spng
liblodepng-dev   test -e /usr/include/lodepng.h
"

# Programs that start processes on many machines, for tests/cluster.
cluster_packages="
slurm-wlm        command -v slurmctld && command -v slurmd && command -v srun
munge            command -v munged
openmpi-bin      command -v mpirun
"

# Compilers and emulators for other processors, for tests/ports. Also the packages of these processors, which are
# unpacked but not installed (tests/ports/sysroot.sh).
ports_packages="
ninja-build      command -v ninja
gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
gcc-s390x-linux-gnu command -v s390x-linux-gnu-gcc
qemu-user        command -v qemu-aarch64 && command -v qemu-s390x && command -v qemu-x86_64
libspng-dev      pkg-config --exists spng
"
port_packages="libc6-dev libgcc-12-dev libpng-dev zlib1g-dev libdeflate-dev libstb-dev libcjson-dev libcairo2-dev
libspng-dev"

# A checker of memory accesses for programs that are built without sanitizers, for tests/nightly.sh.
valgrind_packages="
valgrind         command -v valgrind
"
msan_packages="
clang-19         command -v clang-19
libclang-rt-19-dev echo 'int main(void){return 0;}' | clang-19 -fsanitize=memory -x c -o /dev/null -
"

# missing_packages LIST: prints the packages of a list that are still missing.
missing_packages() {
    local package check
    while read -r package check; do
        if [ -n "$package" ] && ! bash -c "$check" >/dev/null 2>&1; then
            printf '%s\n' "$package"
        fi
    done <<<"$1"
}

# install_packages LIST...: installs the missing packages of the lists. If that is impossible, prints the reason.
install_packages() {
    local list missing=() sudo=()
    for list in "$@"; do
        mapfile -t -O "${#missing[@]}" missing < <(missing_packages "$list")
    done
    if [ "${#missing[@]}" -eq 0 ]; then
        echo "Everything needed is installed."
        return 0
    fi
    echo "Missing packages: ${missing[*]}"
    if ! command -v apt-get >/dev/null; then
        echo "This system has no apt-get: please install what these Debian packages contain." >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Installing them takes root, and there is no sudo. As root, run:" >&2
            echo "    apt-get update && apt-get install ${missing[*]}" >&2
            return 1
        fi
        sudo=(sudo)
    fi
    echo "Installing them with apt-get ..."
    "${sudo[@]}" apt-get update -q
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
}
