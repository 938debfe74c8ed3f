if(BAYPLAN_SANITIZE)
  add_compile_options(-fsanitize=${BAYPLAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(NOT BAYPLAN_FUZZ)
    # Checks of the pointer before each access to a member cost a tenth of the compile time; an access through a null pointer ends the program
    # without them, too. The fuzzers have them.
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
  # Without -no-pie, the loader relocates 660,000 addresses at each start of a program, which takes a quarter of the time of a short test.
  add_link_options(-fsanitize=${BAYPLAN_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
