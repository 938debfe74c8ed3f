if(BAYPLAN_SANITIZE)
  # A null pointer ends the program anyway, and no cast here gives a pointer of another alignment or class: checks before each access to a
  # member cost a tenth of the compile time.
  add_compile_options(-fsanitize=${BAYPLAN_SANITIZE} -fno-sanitize=null,alignment,vptr,object-size -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BAYPLAN_SANITIZE})
endif()
