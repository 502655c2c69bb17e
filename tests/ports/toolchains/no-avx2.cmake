# Uses the compiler and the libraries of this machine. QEMU starts programs on an emulated processor without AVX and
# BMI, so that any instruction of these extensions ends the program.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu Nehalem)
