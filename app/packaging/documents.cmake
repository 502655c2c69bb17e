# Copies documents for an installation, which has only a small part of the source tree. A link to a file that is not
# installed becomes plain text. A link to LICENSE becomes a link to `copyright`, the name of that file in Debian
# packages.
#
#   cmake -D SOURCE=DIRECTORY -D TO=DIRECTORY -P documents.cmake -- FILE...
#
# FILE: all installed documents, relative to SOURCE. Links between these documents stay.
cmake_minimum_required(VERSION 3.24...3.25)
set(files)
set(begun OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(number RANGE ${last})
  if(begun)
    list(APPEND files ${CMAKE_ARGV${number}})
  elseif(CMAKE_ARGV${number} STREQUAL "--")
    set(begun ON)
  endif()
endforeach()

# Returns the targets of all links in `text`. Brackets and semicolons are removed first, because CMake lists treat them
# as syntax.
function(find_targets text result)
  string(REPLACE "](" "\n@link(" text "${text}")
  string(REPLACE ";" "" text "${text}")
  string(REGEX REPLACE "[][]" "" text "${text}")
  string(REGEX MATCHALL "@link\\([^)\n]*\\)" targets "${text}")
  list(TRANSFORM targets REPLACE "^@link\\((.*)\\)$" "\\1")
  list(REMOVE_DUPLICATES targets)
  list(FILTER targets EXCLUDE REGEX "^([a-z]+:|#)")
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

foreach(file IN LISTS files)
  if(NOT file MATCHES "\\.md$")
    configure_file(${SOURCE}/${file} ${TO}/${file} COPYONLY)
    continue()
  endif()
  file(READ ${SOURCE}/${file} text)
  string(REPLACE "](LICENSE)" "](copyright)" text "${text}")
  find_targets("${text}" targets)
  foreach(target IN LISTS targets)
    string(REGEX REPLACE "#.*$" "" path "${target}")
    get_filename_component(path ${SOURCE}/${file}/../${path} ABSOLUTE)
    file(RELATIVE_PATH path ${SOURCE} ${path})
    if(NOT path IN_LIST files AND NOT target STREQUAL copyright)
      string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" pattern "${target}")
      string(REGEX REPLACE "!?\\[([^]]*)\\]\\(${pattern}\\)" "\\1" text "${text}")
    endif()
  endforeach()
  file(WRITE ${TO}/${file} "${text}")
endforeach()
