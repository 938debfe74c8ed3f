# Third-party libraries of the WebAssembly build: archives that scripts/wasm has made of Debian's sources, and headers. What
# lies in /usr/include beside those is the host's and must not be seen, so they are shown by links of their own.
set(BAYPLAN_WASM_LIBRARIES "" CACHE PATH "Where scripts/wasm keeps sources and libraries")
set(BAYPLAN_WASM_HEADERS ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${BAYPLAN_WASM_HEADERS}/coin)
foreach(name nlohmann CLI fmt)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "bayplan needs /usr/include/${name}: scripts/deps --build")
  endif()
  file(CREATE_LINK /usr/include/${name} ${BAYPLAN_WASM_HEADERS}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${BAYPLAN_WASM_LIBRARIES}/sources/yaml-cpp/include/yaml-cpp ${BAYPLAN_WASM_HEADERS}/yaml-cpp SYMBOLIC)
file(GLOB coin_headers ${BAYPLAN_WASM_LIBRARIES}/sources/clp/Clp/src/*.hpp ${BAYPLAN_WASM_LIBRARIES}/sources/clp/Clp/src/*.h
     ${BAYPLAN_WASM_LIBRARIES}/sources/coinutils/CoinUtils/src/*.hpp ${BAYPLAN_WASM_LIBRARIES}/sources/coinutils/CoinUtils/src/*.h)
foreach(header ${coin_headers} ${PROJECT_SOURCE_DIR}/cmake/wasm/coin/configall_system.h)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${BAYPLAN_WASM_HEADERS}/coin/${name} SYMBOLIC)
endforeach()

add_library(bayplan_wasm_headers INTERFACE)
target_include_directories(bayplan_wasm_headers SYSTEM INTERFACE ${BAYPLAN_WASM_HEADERS})
foreach(target nlohmann_json CLI11 bayplan_fmt bayplan_yaml bayplan_re2 bayplan_clp)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE bayplan_wasm_headers)
endforeach()
add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json)
add_library(CLI11::CLI11 ALIAS CLI11)
set(BAYPLAN_FMT_ARCHIVE fmt_archive.cpp)
target_include_directories(bayplan_re2 SYSTEM INTERFACE ${BAYPLAN_WASM_LIBRARIES}/sources/re2)
target_include_directories(bayplan_clp SYSTEM INTERFACE ${BAYPLAN_WASM_HEADERS}/coin)
set(archives ${BAYPLAN_WASM_LIBRARIES}/libraries/lib)
target_link_libraries(bayplan_yaml INTERFACE ${archives}/libyaml-cpp.a)
target_link_libraries(bayplan_re2 INTERFACE ${archives}/libre2.a)
target_link_libraries(bayplan_clp INTERFACE ${archives}/libClp.a ${archives}/libCoinUtils.a)

# The exceptions of wasm itself: those of JavaScript make the file a fifth larger and every call slower.
add_compile_options(-fwasm-exceptions -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
add_link_options(-fwasm-exceptions)

# bayplan_wasm_program(name SOURCES...): name.wasm and name.js, which makes an instance for a host: createBayplan({host, ...}).
# Without a file system of emscripten's and without anything of Node: the same two files serve browsers.
function(bayplan_wasm_program target)
  add_executable(${target} ${ARGN})
  set(calls ${CMAKE_CURRENT_SOURCE_DIR}/wasm/system_calls.js)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME bayplan SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${calls})
  # -O1: what Binaryen gains on top of the compiler is 7% of size for minutes of time.
  target_link_options(${target} PRIVATE -O1 --no-entry -sMODULARIZE=1 -sEXPORT_NAME=createBayplan -sENVIRONMENT=web,worker -sFILESYSTEM=0
                      -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sINITIAL_MEMORY=32MB -sTOTAL_STACK=4MB -sDYNAMIC_EXECUTION=0
                      -sEXPORTED_FUNCTIONS=_malloc,_free --js-library ${calls})
endfunction()
