set(port_processor aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
