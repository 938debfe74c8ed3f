# Options of a release build, with their costs and benefits.
#
# -O3 compiles a seventh longer. Of six rows of bench/builds it makes one faster: lint of JSON, by 6%.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# The tests before a commit run on the quick build, so that it checks assertions as the builds `dev` and `sanitized` do.
if(BAYPLAN_QUICK)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

# By default, g++ collects garbage so often that compiling a joined source takes a tenth longer.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-expand=100" "SHELL:--param ggc-min-heapsize=600000")
endif()
