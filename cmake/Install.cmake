# Files that `cmake --install` installs and CPack packs. Two components: `program` (the binary, manual, completions,
# schemas) and `library` (headers, libbayplan.a, bayplanConfig.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(BAYPLAN_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder in which zsh searches for completions")
option(BAYPLAN_COMPRESS_MANUAL "Install the manual pages compressed, as Debian requires" OFF)

# The program itself prints its manual pages and completions.
set(share ${PROJECT_BINARY_DIR}/share)
set(compress "")
if(BAYPLAN_COMPRESS_MANUAL)
  set(compress COMMAND gzip -9nr ${share}/man1)
endif()
add_custom_command(OUTPUT ${share}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${share}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/man1
  COMMAND bayplan man --folder ${share}/man1
  ${compress}
  COMMAND bayplan completion bash --output text=${share}/bayplan
  COMMAND bayplan completion zsh --output text=${share}/_bayplan
  COMMAND bayplan completion fish --output text=${share}/bayplan.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${share}/made
  DEPENDS bayplan
  COMMENT "Manual and completions" VERBATIM)
add_custom_target(bayplan_share ALL DEPENDS ${share}/made)

install(TARGETS bayplan RUNTIME COMPONENT program)
install(DIRECTORY ${share}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES ${share}/bayplan DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${share}/_bayplan DESTINATION ${BAYPLAN_ZSH_FOLDER} COMPONENT program)
install(FILES ${share}/bayplan.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/bayplan COMPONENT program
        FILES_MATCHING PATTERN "*.schema.json")

# One archive with the objects of all layers of the library: separate archives are of no use elsewhere.
set(layers base packing text query model catalog shape importers awscli capacity rules placement scenario lint fleet timeline study replay
           report library)
set(objects "")
foreach(layer ${layers})
  list(APPEND objects $<TARGET_OBJECTS:bayplan_${layer}>)
endforeach()
add_library(bayplan_installed STATIC ${objects})
set_target_properties(bayplan_installed PROPERTIES OUTPUT_NAME bayplan EXPORT_NAME bayplan LINKER_LANGUAGE CXX)
target_include_directories(bayplan_installed INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(bayplan_installed INTERFACE cxx_std_20)
install(TARGETS bayplan_installed EXPORT bayplan ARCHIVE COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/bayplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/bayplan)
install(EXPORT bayplan FILE bayplanTargets.cmake NAMESPACE bayplan:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/bayplanConfig.cmake.in ${PROJECT_BINARY_DIR}/bayplanConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bayplanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bayplanConfig.cmake ${PROJECT_BINARY_DIR}/bayplanConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)

include(Package)
