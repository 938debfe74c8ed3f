# The WebAssembly build: scripts/wasm.
set(BAYPLAN_WASM_LIBRARIES "" CACHE PATH "Folder of scripts/wasm for sources and libraries")
set(BAYPLAN_VENDORED ${BAYPLAN_WASM_LIBRARIES})
include(Vendored)

# The exceptions of wasm itself: those of JavaScript make the file a fifth larger and every call slower.
include(wasm/Compiler)
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
add_link_options(-fwasm-exceptions)

# bayplan_wasm_program(name SOURCES...): name.wasm and name.js, which creates an instance for a host: createBayplan({host, ...}).
# Without a file system of emscripten's and without anything of Node: the same two files serve browsers.
function(bayplan_wasm_program target)
  add_executable(${target} ${ARGN})
  set(calls ${CMAKE_CURRENT_SOURCE_DIR}/wasm/system_calls.js)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME bayplan SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${calls})
  # -O1: higher levels of Binaryen reduce the size by 7% and take minutes.
  target_link_options(${target} PRIVATE -O1 --no-entry -sMODULARIZE=1 -sEXPORT_NAME=createBayplan -sENVIRONMENT=web,worker -sFILESYSTEM=0
                      -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sINITIAL_MEMORY=32MB -sTOTAL_STACK=4MB -sDYNAMIC_EXECUTION=0
                      -sEXPORTED_FUNCTIONS=_malloc,_free --js-library ${calls})
endfunction()
