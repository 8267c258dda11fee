# Language level, build type and the switches that the presets turn.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# -O2 is what PostgreSQL is built with, and what every figure of this project was measured with.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
# What the sanitizers and the paranoid build are compiled with: they are run once, so compiling counts too.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")

option(RELCACHE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(RELCACHE_WERROR "Warnings are errors (set by the presets)" OFF)
option(RELCACHE_CHECKING "Contexts clobber what is freed and detect writes past a chunk's end" OFF)
option(RELCACHE_PARANOID "Cached trees lie on pages that the process cannot write" OFF)
option(RELCACHE_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
set(RELCACHE_SANITIZE "" CACHE STRING "address (with undefined), thread, or empty")

add_library(relcache_flags INTERFACE)
target_compile_options(relcache_flags INTERFACE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
                       $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
                       $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wthread-safety -Wold-style-cast>)
# fmt's headers; base/internal/format.cc holds its code.
find_package(fmt REQUIRED)
target_include_directories(relcache_flags SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
if(RELCACHE_WERROR)
  target_compile_options(relcache_flags INTERFACE -Werror)
endif()
if(RELCACHE_SANITIZE)
  # g++ takes what the sanitizers add for reads of unset values, in the standard library's <regex> above all, and its manual says so.
  target_compile_options(relcache_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(RELCACHE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(RELCACHE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(RELCACHE_SANITIZE)
  message(FATAL_ERROR "RELCACHE_SANITIZE: address, thread or empty, not ${RELCACHE_SANITIZE}")
endif()
# Sources of the present folder that RapidJSON is compiled into. It adds to null pointers (internal/stack.h), which clang reports and
# nothing suffers from.
function(relcache_rapidjson_sources)
  if(RELCACHE_SANITIZE STREQUAL "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-sanitize=pointer-overflow)
  endif()
endfunction()
if(RELCACHE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage of the library itself is what guides the fuzzers
endif()
find_package(Threads REQUIRED)
