# Linked privately by our code; third-party headers are SYSTEM and not affected.
add_library(bayplan_warnings INTERFACE)
# Those of the compiler that continuous integration has: others warn of other things.
set(warnings_are_errors OFF)
if(BAYPLAN_DEV AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(warnings_are_errors ON)
endif()
target_compile_features(bayplan_warnings INTERFACE cxx_std_20)
target_compile_options(bayplan_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wcast-align -Wextra-semi -Wnon-virtual-dtor -Woverloaded-virtual -Wunused
  -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>  # means headers, and takes a joined source for one
  $<$<BOOL:${warnings_are_errors}>:-Werror>)
