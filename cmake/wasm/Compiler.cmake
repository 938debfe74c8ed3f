# For each source em++ starts Python, a quarter of a second, and at -Os it has the compiler inline nothing: most functions of a program
# are the wrappers of the standard library then. So the compiler is called as em++ calls it, but for that.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -fwasm-exceptions --cflags OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE llvm OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_program(BAYPLAN_CCACHE ccache)
set(CMAKE_CXX_COMPILE_OBJECT "${llvm}/clang++ ${flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
if(BAYPLAN_CCACHE)
  string(PREPEND CMAKE_CXX_COMPILE_OBJECT "${BAYPLAN_CCACHE} ")
endif()
