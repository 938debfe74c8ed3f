if(BAYPLAN_SANITIZE)
  add_compile_options(-fsanitize=${BAYPLAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BAYPLAN_SANITIZE})
endif()
