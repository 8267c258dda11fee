# In-tree and installed includes read alike: "relcache/<room>/<file>.h".
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include")
if(NOT EXISTS "${PROJECT_BINARY_DIR}/include/relcache")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/include/relcache" SYMBOLIC)
endif()

# relcache_room(NAME [SOURCES ...] [DEPS target...] [PRIVATE_DEPS target...] [FEATURE name])
# One target per room, relcache::NAME. DEPS are the rooms (and libraries) that its headers need.
function(relcache_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(relcache_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(relcache_${name} PRIVATE $<BUILD_INTERFACE:relcache_flags> ${ARG_PRIVATE_DEPS})
  else()
    add_library(relcache_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(relcache::${name} ALIAS relcache_${name})
  set_target_properties(relcache_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(relcache_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(relcache_${name} ${scope} cxx_std_20)
  target_link_libraries(relcache_${name} ${scope} ${ARG_DEPS})
  # Options that change a public header's layout or inline code travel with the target.
  target_compile_definitions(relcache_${name} ${scope} $<$<BOOL:${RELCACHE_CHECKING}>:RELCACHE_CHECKING=1>
                             $<$<BOOL:${RELCACHE_PARANOID}>:RELCACHE_PARANOID=1>)
  set_property(GLOBAL APPEND PROPERTY RELCACHE_ROOMS ${name})
endfunction()
