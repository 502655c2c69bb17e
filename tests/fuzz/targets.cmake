# Functions that create programs and tests for the fuzz targets in targets.txt.
set(fuzz_directory ${CMAKE_CURRENT_LIST_DIR})
set(fuzz_list ${fuzz_directory}/targets.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fuzz_list})
set(fuzz_programs_directory ${PROJECT_BINARY_DIR}/tests/fuzz)
set(fuzz_corpora_directory ${fuzz_programs_directory}/corpus)
set(IMGTOOL_FUZZ_ENGINE "-fsanitize=fuzzer" CACHE STRING
    "library or flag to link fuzz targets with; another engine needs its own compiler flags")
option(IMGTOOL_FUZZ_KERNELS "With IMGTOOL_FUZZ, add coverage counters to the kernels" OFF)
set(fuzz_watched_kernels -fsanitize-coverage=inline-8bit-counters,pc-table)
set(IMGTOOL_FUZZ_SECONDS 1 CACHE STRING "Seconds that ctest runs each fuzzer")

# Reads targets.txt. Sets fuzz_names to the names of the targets. For each NAME sets fuzz_corpus_NAME,
# fuzz_longest_NAME, fuzz_dictionary_NAME and the list fuzz_libraries_NAME.
macro(fuzz_read_list)
  set(fuzz_names)
  file(STRINGS ${fuzz_list} fuzz_lines REGEX "^[a-z]")
  foreach(fuzz_line IN LISTS fuzz_lines)
    string(REGEX REPLACE " +" ";" fuzz_line "${fuzz_line}")
    list(LENGTH fuzz_line fuzz_columns)
    if(NOT fuzz_columns EQUAL 5)
      message(FATAL_ERROR "imgtool: ${fuzz_list}: a line has not five columns: ${fuzz_line}")
    endif()
    list(GET fuzz_line 0 fuzz_name)
    list(APPEND fuzz_names ${fuzz_name})
    set(fuzz_column 0)
    foreach(fuzz_key corpus longest dictionary libraries)
      math(EXPR fuzz_column "${fuzz_column} + 1")
      list(GET fuzz_line ${fuzz_column} fuzz_${fuzz_key}_${fuzz_name})
    endforeach()
    string(REPLACE "," ";" fuzz_libraries_${fuzz_name} "${fuzz_libraries_${fuzz_name}}")
  endforeach()
endmacro()

# Creates the target fuzz_corpora, which unpacks the corpora of all targets into the build directory. Must be called
# after fuzz_read_list.
function(fuzz_unpack_corpora)
  set(corpora)
  foreach(name IN LISTS fuzz_names)
    list(APPEND corpora ${fuzz_corpus_${name}})
  endforeach()
  list(REMOVE_DUPLICATES corpora)
  list(TRANSFORM corpora REPLACE "(.+)" "${fuzz_directory}/corpus/\\1.tar.xz" OUTPUT_VARIABLE archives)
  set(stamp ${fuzz_corpora_directory}/unpacked)
  add_custom_command(OUTPUT ${stamp}
                     COMMAND bash ${fuzz_directory}/corpus.sh unpack ${fuzz_corpora_directory} ${corpora}
                     COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
                     DEPENDS ${archives} ${fuzz_directory}/corpus.sh VERBATIM)
  add_custom_target(fuzz_corpora ALL DEPENDS ${stamp})
endfunction()

# fuzz_add_target(NAME SOURCE...): creates replay_NAME and, with IMGTOOL_FUZZ, fuzz_NAME. Also creates their tests, and
# sets fuzz_programs to the programs. The test fuzz_NAME replays the corpus. The test fuzzing_NAME fuzzes for some
# seconds, and leaves its finds in the build directory.
function(fuzz_add_target name)
  set(programs replay_${name})
  set(corpus ${fuzz_corpora_directory}/${fuzz_corpus_${name}})
  add_executable(replay_${name} ${ARGN} ${fuzz_directory}/replay.c)
  if(name STREQUAL "emulated") # the whole corpus takes a minute, so only the full run replays it
    add_test(NAME fuzz_${name} COMMAND replay_${name} --every 5 ${corpus})
    add_test(NAME fuzz_${name}_all COMMAND replay_${name} ${corpus})
    set_tests_properties(fuzz_${name}_all PROPERTIES LABELS "slow;long")
  else()
    add_test(NAME fuzz_${name} COMMAND replay_${name} ${corpus})
  endif()
  # The emulator itself uses clang's coverage and sanitizer callbacks, so an emulated target needs libFuzzer.
  if(IMGTOOL_FUZZ AND NOT (fuzz_libraries_${name} MATCHES "^emulated" AND
                           NOT IMGTOOL_FUZZ_ENGINE STREQUAL "-fsanitize=fuzzer"))
    list(APPEND programs fuzz_${name})
    add_executable(fuzz_${name} ${ARGN})
    target_link_libraries(fuzz_${name} PRIVATE ${IMGTOOL_FUZZ_ENGINE})
    if(CMAKE_CXX_COMPILER) # most fuzzing engines are written in C++
      set_target_properties(fuzz_${name} PROPERTIES LINKER_LANGUAGE CXX)
    endif()
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set(dictionary)
    if(NOT fuzz_dictionary_${name} STREQUAL "-")
      set(dictionary ${fuzz_programs_directory}/dictionaries/${fuzz_dictionary_${name}}.dict)
      add_dependencies(fuzz_${name} fuzz_dictionaries)
    endif()
    add_test(NAME fuzzing_${name}
             COMMAND bash ${fuzz_directory}/fuzz_for.sh $<TARGET_FILE:fuzz_${name}> ${IMGTOOL_FUZZ_SECONDS} ${corpus}
                     ${fuzz_programs_directory}/${name} ${fuzz_longest_${name}} ${dictionary})
  endif()
  foreach(program IN LISTS programs)
    add_dependencies(${program} fuzz_corpora)
  endforeach()
  set_target_properties(${programs} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${fuzz_programs_directory})
  set(fuzz_programs ${programs} PARENT_SCOPE)
endfunction()
