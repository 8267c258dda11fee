# What a type forbids, shown by the compiler. Compiles SOURCE twice, without and with RELCACHE_BAD defined: the good form must
# compile, the bad one must not, and for the reason that the file's line "// ERROR: regular expression" names.
#   cmake -DCOMPILER=... -DSOURCE=... -DFLAGS=... -P compile_fail.cmake
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(command "${COMPILER}" -std=c++20 -fsyntax-only -Wall -Wextra ${flags})

execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE result ERROR_VARIABLE messages)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the good form does not compile:\n${messages}")
endif()

file(STRINGS "${SOURCE}" expected REGEX "^// ERROR: ")
string(REGEX REPLACE "^// ERROR: " "" expected "${expected}")
if(NOT expected)
  message(FATAL_ERROR "${SOURCE} does not say which error it expects (// ERROR: regular expression)")
endif()
execute_process(COMMAND ${command} -DRELCACHE_BAD "${SOURCE}" RESULT_VARIABLE result ERROR_VARIABLE messages)
if(result EQUAL 0)
  message(FATAL_ERROR "the bad form compiles")
endif()
if(NOT messages MATCHES "error:[^\n]*(${expected})")
  message(FATAL_ERROR "the bad form fails for another reason than \"${expected}\":\n${messages}")
endif()
