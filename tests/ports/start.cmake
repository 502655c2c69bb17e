# Tests and scripts start programs by their names, which is impossible for another processor. This makes scripts
# that start them in the emulator. Included by tests/CMakeLists.txt.
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
foreach(program IN LISTS programs ITEMS checkkernels)
  set(run_${program} ${PROJECT_BINARY_DIR}/run/${program})
  file(GENERATE OUTPUT ${run_${program}}
       CONTENT "#!/bin/sh\nexec ${emulator} $<TARGET_FILE:${program}> \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
