# Compiler and libraries of this machine. Programs are started on a processor that QEMU emulates without AVX and
# BMI, so that any instruction of these ends the program.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu Nehalem)
