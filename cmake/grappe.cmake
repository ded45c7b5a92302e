# One static library and one test program per folder of src/.
#
#   grappe_library(sched LINKS grappe_model)
#
# takes every *.cpp below the calling folder (files added later are found without editing
# CMake), leaves out *_test.cpp, *_fuzz.cpp and main*.cpp, and makes from the tests a program
# called <name>_test that ctest discovers. With GRAPPE_FUZZ each *_fuzz.cpp is a program, and
# `ninja fuzzers` builds them all.

add_library(grappe_flags INTERFACE)
target_compile_options(grappe_flags INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wno-missing-field-initializers)
target_include_directories(grappe_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(GRAPPE_SANITIZE)
  target_compile_options(grappe_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(grappe_flags INTERFACE -fsanitize=address,undefined)
endif()
# The library is instrumented too, or the fuzzer would see only its own entry point.
if(GRAPPE_FUZZ)
  target_compile_options(grappe_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(grappe_flags INTERFACE -fsanitize=address,undefined)
  add_custom_target(fuzzers)
endif()

function(grappe_library name)
  cmake_parse_arguments(ARG "" "" "LINKS;TEST_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main[a-z_]*)\\.cpp$")

  if(sources)
    add_library(grappe_${name} STATIC ${sources})
    target_link_libraries(grappe_${name} PUBLIC grappe_flags ${ARG_LINKS})
  else()
    add_library(grappe_${name} INTERFACE)
    target_link_libraries(grappe_${name} INTERFACE grappe_flags ${ARG_LINKS})
  endif()
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE grappe_${name} ${ARG_TEST_LINKS} GTest::gtest_main)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
  if(GRAPPE_FUZZ)
    foreach(fuzzer ${fuzzers})
      get_filename_component(target ${fuzzer} NAME_WE)
      add_executable(${target} ${fuzzer})
      target_link_libraries(${target} PRIVATE grappe_${name})
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
      add_dependencies(fuzzers ${target})
    endforeach()
  endif()
endfunction()

include(GoogleTest)
