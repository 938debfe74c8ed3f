# Linked privately by our code; third-party headers are SYSTEM and not affected.
add_library(bayplan_warnings INTERFACE)
target_compile_features(bayplan_warnings INTERFACE cxx_std_20)
target_compile_options(bayplan_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wcast-align -Wextra-semi -Wnon-virtual-dtor -Woverloaded-virtual -Wunused
  -Wno-missing-field-initializers
  $<$<BOOL:${BAYPLAN_DEV}>:-Werror>)
