# Runs one golden case: cmake -DPROGRAM=... -DCASE=folder [-DACCEPT=1] -P run.cmake
#
# The folder holds `command`: the arguments of bayplan as a shell would split them, run inside the folder; `#` begins a
# comment line. `expected` holds what the program printed and its exit code: standard output, then standard error after a
# line `--- stderr` (left out when empty), then `--- exit N`. A file `stdin` is fed when there is one.
# ACCEPT=1 (or BAYPLAN_ACCEPT=1 in the environment) writes `expected` anew: read the difference before you commit it.
file(STRINGS ${CASE}/command lines)
set(arguments "")
foreach(line ${lines})
  if(NOT line MATCHES "^#")
    separate_arguments(words UNIX_COMMAND "${line}")
    list(APPEND arguments ${words})
  endif()
endforeach()

set(input "")
if(EXISTS ${CASE}/stdin)
  set(input INPUT_FILE ${CASE}/stdin)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR --unset=FORCE_COLOR --unset=COLUMNS LC_ALL=C.UTF-8 ${PROGRAM} ${arguments}
                WORKING_DIRECTORY ${CASE} ${input}
                OUTPUT_VARIABLE seen ERROR_VARIABLE errors RESULT_VARIABLE code)
# A release changes the version in every JSON report, and nothing else.
string(REGEX REPLACE "(\"schema\": \"bayplan/[a-z-]+/1\",\n? *\"version\": \")[0-9.]+" "\\1VERSION" seen "${seen}")
if(NOT errors STREQUAL "")
  string(APPEND seen "--- stderr\n${errors}")
endif()
string(APPEND seen "--- exit ${code}\n")

if(ACCEPT OR DEFINED ENV{BAYPLAN_ACCEPT})
  file(WRITE ${CASE}/expected "${seen}")
  return()
endif()
file(READ ${CASE}/expected expected)
if(NOT seen STREQUAL expected)
  file(WRITE ${CASE}/seen.out "${seen}")
  execute_process(COMMAND diff -u ${CASE}/expected ${CASE}/seen.out OUTPUT_VARIABLE difference)
  file(REMOVE ${CASE}/seen.out)
  message(FATAL_ERROR "bayplan ${arguments}\nprints something else than ${CASE}/expected:\n${difference}")
endif()
