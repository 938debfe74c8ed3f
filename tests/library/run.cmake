# Runs an example of the library and compares what it prints, its exit code behind it, with the file of expected output.
#   cmake -DPROGRAM=... -DEXPECTED=... -P run.cmake         BAYPLAN_ACCEPT=1 writes the file instead: read it
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code)
set(text "${out}${err}--- exit ${code}\n")
if("$ENV{BAYPLAN_ACCEPT}" STREQUAL "1")
  file(WRITE ${EXPECTED} "${text}")
  return()
endif()
file(READ ${EXPECTED} expected)
if(NOT text STREQUAL expected)
  message(FATAL_ERROR "${EXPECTED} is not what the example prints:\n${text}")
endif()
