# A mistake in this program ends it, rather than letting it read or write other memory.
#
# Indices, iterators and values of the standard library are checked, also in what we instantiate of other libraries. A build with
# sanitizers has it too: the sanitizers do not see an index within the capacity of a vector.
option(BAYPLAN_HARDENED "Check indices, stack and calls of the C library at run time; OFF only to measure the difference" ON)
if(NOT BAYPLAN_HARDENED)
  return()
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)
if(EMSCRIPTEN OR WIN32 OR BAYPLAN_SANITIZE)
  return()  # WebAssembly has no stack to protect; MinGW's needs another library; sanitizers check these calls, too
endif()
add_compile_options(-fstack-protector-strong -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-fcf-protection)
endif()
# The checks of the C library need optimization. Distributions may define another level already.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
if(NOT BAYPLAN_STATIC)  # cmake/Dependencies.cmake makes that one position-independent
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
add_link_options(-Wl,-z,relro,-z,now)
