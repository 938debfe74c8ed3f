# Third-party libraries, each with the Debian package that holds it.
macro(bayplan_require name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "bayplan needs ${name}: apt-get install ${package}")
  endif()
endmacro()

bayplan_require(nlohmann_json nlohmann-json3-dev 3.11)
bayplan_require(CLI11 libcli11-dev 2.1)
bayplan_require(fmt libfmt-dev 9)
bayplan_require(yaml-cpp libyaml-cpp-dev 0.7)

# Shared libraries cost 1 to 8 ms of start-up each, so all but the distribution preset link the archives.
# Debian ships no libfmt.a: the header-only target takes its place.
function(bayplan_archive target archive header package)
  find_library(${target}_ARCHIVE NAMES ${archive})
  find_path(${target}_INCLUDE ${header})
  if(NOT ${target}_ARCHIVE OR NOT ${target}_INCLUDE)
    message(FATAL_ERROR "bayplan needs ${archive} and ${header}: apt-get install ${package}")
  endif()
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${target}_ARCHIVE}
                        INTERFACE_INCLUDE_DIRECTORIES ${${target}_INCLUDE})
endfunction()

find_package(Threads REQUIRED)
if(BAYPLAN_SHARED_DEPENDENCIES)
  add_library(bayplan_fmt ALIAS fmt::fmt)
  add_library(bayplan_yaml ALIAS yaml-cpp)
  find_library(RE2_LIBRARY re2)
  find_path(RE2_INCLUDE re2/re2.h)
  if(NOT RE2_LIBRARY OR NOT RE2_INCLUDE)
    message(FATAL_ERROR "bayplan needs RE2: apt-get install libre2-dev")
  endif()
  add_library(bayplan_re2 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(bayplan_re2 PROPERTIES IMPORTED_LOCATION ${RE2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE})
else()
  add_library(bayplan_fmt ALIAS fmt::fmt-header-only)
  bayplan_archive(bayplan_yaml libyaml-cpp.a yaml-cpp/yaml.h libyaml-cpp-dev)
  bayplan_archive(bayplan_re2 libre2.a re2/re2.h libre2-dev)
endif()
target_link_libraries(bayplan_re2 INTERFACE Threads::Threads)

include(Clp)

if(BAYPLAN_STATIC)
  add_link_options(-static)
  # What is handed to others does not say where it was built; of two maps that fit the last one holds.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
elseif(NOT BAYPLAN_SHARED_DEPENDENCIES AND NOT BAYPLAN_SANITIZE)
  add_link_options(-static-libstdc++ -static-libgcc)
endif()
