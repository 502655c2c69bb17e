# Makes scripts that start programs for another processor in its emulator, because tests and scripts start programs by
# their names. tests/CMakeLists.txt includes this file.
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
foreach(program IN LISTS programs ITEMS checkkernels)
  set(run_${program} ${PROJECT_BINARY_DIR}/run/${program})
  file(GENERATE OUTPUT ${run_${program}}
       CONTENT "#!/bin/sh\nexec ${emulator} $<TARGET_FILE:${program}> \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
