# Headers, libraries, a CMake package and a pkg-config file, for find_package(relcache).
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY RELCACHE_ROOMS)
list(REMOVE_ITEM rooms simulate)  # measures the library, is no part of it
set(targets relcache_relcache)
foreach(room IN LISTS rooms)
  list(APPEND targets relcache_${room})
  # The public headers: tests/house/rules.sh knows the same folders as internal ones.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/relcache/${room}
          FILES_MATCHING PATTERN "*.h" PATTERN "internal" EXCLUDE PATTERN "date_time" EXCLUDE PATTERN "regex" EXCLUDE
          PATTERN "functions" EXCLUDE PATTERN "gdb" EXCLUDE)
endforeach()
install(TARGETS ${targets} EXPORT relcacheTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET relcache_command)
  install(TARGETS relcache_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Where ICU was found, the library needs it.
set(RELCACHE_PC_PRIVATE_LIBS "")
set(RELCACHE_FIND_ICU "")
if(RELCACHE_HAVE_ICU)
  set(RELCACHE_PC_PRIVATE_LIBS " -licui18n -licuuc")
  set(RELCACHE_FIND_ICU "find_dependency(ICU COMPONENTS uc i18n)")
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/relcache)
install(EXPORT relcacheTargets NAMESPACE relcache:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/relcacheConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/relcacheConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/relcacheConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/relcacheConfig.cmake ${PROJECT_BINARY_DIR}/relcacheConfigVersion.cmake
        DESTINATION ${package})

# Static libraries: who uses a room comes before it.
set(RELCACHE_PC_LIBS "")
foreach(room IN ITEMS copy executor cache catalog nodes types memory base)
  if(TARGET relcache_${room})
    get_target_property(type relcache_${room} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      string(APPEND RELCACHE_PC_LIBS " -lrelcache_${room}")
    endif()
  endif()
endforeach()
# The prefix as seen from the file: `cmake --install --prefix` may choose another than was configured.
file(RELATIVE_PATH RELCACHE_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(${PROJECT_SOURCE_DIR}/cmake/relcache.pc.in ${PROJECT_BINARY_DIR}/relcache.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/relcache.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
