# The toolchain files of other processors include this file. It sets Debian's cross compiler, the packages that
# sysroot.sh has unpacked, and QEMU to start programs. Needs port_processor.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${port_processor})
set(port_triple ${port_processor}-linux-gnu)
set(CMAKE_C_COMPILER ${port_triple}-gcc)
set(CMAKE_CXX_COMPILER "") # otherwise CMake would use the C++ compiler of this machine

if(DEFINED ENV{IMGTOOL_SYSROOTS})
  set(CMAKE_SYSROOT $ENV{IMGTOOL_SYSROOTS}/${port_processor})
else()
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH port_directory)
  cmake_path(SET CMAKE_SYSROOT NORMALIZE ${port_directory}/../../build-tests/ports/sysroots/${port_processor})
endif()
if(NOT EXISTS ${CMAKE_SYSROOT}/packages)
  message(FATAL_ERROR "imgtool: ${CMAKE_SYSROOT} holds no packages for ${port_processor}; "
                      "run tests/ports/sysroot.sh ${port_processor}")
endif()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${port_triple}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${port_processor} -L ${CMAKE_SYSROOT})
