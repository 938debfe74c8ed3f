# The Debian package, by `cpack -G DEB`; scripts/release builds it with its options.
set(CPACK_PACKAGE_NAME bayplan)
set(CPACK_PACKAGE_VENDOR bayplan)
set(CPACK_PACKAGE_CONTACT "bayplan maintainers <maintainers@bayplan.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "lint, fit, place and plan Amazon ECS tasks, offline")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"bayplan lints task definitions before they are registered, finds the EC2
instance types that fit them, simulates where ECS would place the tasks on a
cluster, and plans the cheapest fleet with a proven bound. It needs no
network and no AWS credentials.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME bayplan)
set(CPACK_DEBIAN_PROGRAM_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)  # not that of this machine
endif()
if(NOT BAYPLAN_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # a static program has no dependencies
endif()

# Files that Debian requires in a package: a copyright, a changelog, and reasons for lintian overrides.
set(debian ${PROJECT_BINARY_DIR}/debian)
if(BAYPLAN_NOTICE)
  install(FILES ${BAYPLAN_NOTICE} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
  install(FILES ${debian}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
          RENAME bayplan COMPONENT program)
endif()
include(CPack)
