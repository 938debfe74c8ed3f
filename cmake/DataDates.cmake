# The dates that `--version` and BAY015 print, read from the data when the build is configured: parsing it at start-up would take
# longer than the rest of the command.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS data/instance-types.json data/rules.json)

file(READ ${PROJECT_SOURCE_DIR}/data/rules.json rules)
string(JSON BAYPLAN_ECS_MODEL GET "${rules}" model)
# The last date in it is that of the newest part.
string(REGEX MATCHALL "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]" model_dates "${BAYPLAN_ECS_MODEL}")
list(POP_BACK model_dates BAYPLAN_ECS_MODEL_DATE)

file(STRINGS ${PROJECT_SOURCE_DIR}/data/instance-types.json price_sources REGEX "^ *\"price-[a-z0-9-]+\": {\"text\"")
set(BAYPLAN_PRICES_DATE "")
foreach(source ${price_sources})
  if(source MATCHES "\"date\": \"([0-9-]+)\"" AND CMAKE_MATCH_1 STRGREATER BAYPLAN_PRICES_DATE)
    set(BAYPLAN_PRICES_DATE ${CMAKE_MATCH_1})
  endif()
endforeach()
if(NOT BAYPLAN_PRICES_DATE OR NOT BAYPLAN_ECS_MODEL OR NOT BAYPLAN_ECS_MODEL_DATE)
  message(FATAL_ERROR "data/instance-types.json or data/rules.json has no date")
endif()
