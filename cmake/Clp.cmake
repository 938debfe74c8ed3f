# The LP solver. Debian's archives do not list their dependencies, so they are listed here: CoinUtils reads compressed files
# (bz2, z) and factorizes with LAPACK, which is Fortran.
find_path(CLP_INCLUDE coin/ClpSimplex.hpp)
add_library(bayplan_clp INTERFACE)
target_include_directories(bayplan_clp SYSTEM INTERFACE ${CLP_INCLUDE} ${CLP_INCLUDE}/coin)

function(bayplan_link_clp prefix suffix)
  foreach(library Clp CoinUtils lapack blas bz2 z)
    find_library(CLP_${library}_LIBRARY NAMES ${prefix}${library}${suffix})
    if(NOT CLP_${library}_LIBRARY OR NOT CLP_INCLUDE)
      message(FATAL_ERROR "bayplan needs Clp (${prefix}${library}${suffix}): apt-get install coinor-libclp-dev zlib1g-dev")
    endif()
    target_link_libraries(bayplan_clp INTERFACE ${CLP_${library}_LIBRARY})
  endforeach()
endfunction()

# The Fortran run-time is in the folder of the compiler, which find_library does not search.
function(bayplan_link_fortran)
  set(libraries gfortran)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # Others have a long double of 128 bits, and no libquadmath.
    list(APPEND libraries quadmath)
  endif()
  foreach(library ${libraries})
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.a OUTPUT_VARIABLE archive
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${archive}")
      message(FATAL_ERROR "bayplan needs lib${library}.a: apt-get install libgfortran-12-dev")
    endif()
    target_link_libraries(bayplan_clp INTERFACE ${archive})
  endforeach()
  if(BAYPLAN_STATIC)
    # It refers to threads weakly: of a static program, what nothing else needs would be missing, and its exit call it.
    foreach(symbol cond_broadcast cond_destroy cond_init cond_wait create getspecific join key_create key_delete
                   mutex_destroy mutex_init mutex_lock mutex_trylock mutex_unlock self setspecific)
      target_link_options(bayplan_clp INTERFACE -Wl,--undefined=pthread_${symbol})
    endforeach()
  endif()
endfunction()

if(BAYPLAN_SHARED_DEPENDENCIES)
  bayplan_link_clp("" "")
else()
  bayplan_link_clp(lib .a)
  bayplan_link_fortran()
endif()
