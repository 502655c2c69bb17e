# This machine's own compiler and libraries; what is built is started on a processor that QEMU emulates and that has
# neither AVX nor BMI, so that one instruction of these, anywhere, ends the program.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu Nehalem)
