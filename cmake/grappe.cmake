# One static library and one test program per folder of src/.
#
#   grappe_library(sched LINKS grappe_model)
#
# takes every *.cpp below the calling folder (files added later are found without editing
# CMake), leaves out *_test.cpp, *_fuzz.cpp and main*.cpp, and makes from the tests a program
# called <name>_test that ctest discovers. The *_fuzz.cpp are built by tests/fuzz.
#
# The files of a folder are compiled eight at a time, as nine tenths of a file's compile time are its
# headers; names in anonymous namespaces must then differ within the folder. Files that match APART,
# such as tables with their own macros, are compiled alone.

add_library(grappe_flags INTERFACE)
target_compile_options(grappe_flags INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wno-missing-field-initializers)
target_include_directories(grappe_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(GRAPPE_SANITIZE)
  set(sanitizers address,undefined)
  if(GRAPPE_SANITIZE STREQUAL "thread")
    set(sanitizers thread)
  endif()
  target_compile_options(grappe_flags INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(grappe_flags INTERFACE -fsanitize=${sanitizers})
else()
  # The linker may then leave out what nobody calls, and put functions in an order of ours.
  target_compile_options(grappe_flags INTERFACE -ffunction-sections)
  target_link_options(grappe_flags INTERFACE -Wl,--gc-sections)
endif()

# What most of its runs call lies together, so that fewer pages are touched: scripts/functions-order.
function(link_in_order target)
  if(LLD AND NOT GRAPPE_SANITIZE)
    set(order ${CMAKE_CURRENT_SOURCE_DIR}/functions.order)
    target_link_options(${target} PRIVATE -Wl,--symbol-ordering-file=${order},--no-warn-symbol-ordering)
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${order})
  endif()
endfunction()

# For what cannot have the check of virtual tables: it needs type information, and a free descriptor to
# look at an object it has not met. A library, for its options come after those of grappe_flags.
add_library(grappe_unchecked_tables INTERFACE)
if(GRAPPE_SANITIZE)
  target_compile_options(grappe_unchecked_tables INTERFACE -fno-sanitize=vptr)
endif()

# Tests are run once: compiled with less care for their speed. GCC then sees uninitialized values and
# overflows where they are not. A library, for its options come after those of grappe_flags.
add_library(grappe_test_flags INTERFACE)
target_link_libraries(grappe_test_flags INTERFACE grappe_flags GTest::gtest_main)
target_compile_options(grappe_test_flags INTERFACE -O1 -g0 -Wno-maybe-uninitialized
  -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)

# The headers that most files want are read once for all folders, and once more for the tests.
function(add_headers name flags)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${flags})
  target_precompile_headers(${name} PRIVATE <algorithm> <chrono> <filesystem> <functional> <map>
    <memory> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <vector>
    <fmt/core.h> <google/protobuf/extension_set.h> <google/protobuf/generated_message_util.h>
    <google/protobuf/map_field_lite.h> <google/protobuf/repeated_field.h> <tl/expected.hpp> ${ARGN})
endfunction()
add_headers(grappe_headers grappe_flags)
add_headers(grappe_test_headers grappe_test_flags <gtest/gtest.h>)

function(share_headers target headers)
  if(GRAPPE_TOGETHER AND NOT GRAPPE_SANITIZE)  # some folders' flags differ for a sanitizer
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

function(compile_together target size)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${GRAPPE_TOGETHER} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

function(grappe_library name)
  cmake_parse_arguments(ARG "" "APART" "LINKS;TEST_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|/main[a-z_]*)\\.cpp$")

  if(ARG_APART)
    set(apart ${sources} ${tests})
    list(FILTER apart INCLUDE REGEX "${ARG_APART}")
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()

  if(sources)
    add_library(grappe_${name} STATIC ${sources})
    target_link_libraries(grappe_${name} PUBLIC grappe_flags ${ARG_LINKS})
    compile_together(grappe_${name} 8)
    share_headers(grappe_${name} grappe_headers)
  else()
    add_library(grappe_${name} INTERFACE)
    target_link_libraries(grappe_${name} INTERFACE grappe_flags ${ARG_LINKS})
  endif()
  if(tests)
    add_executable(${name}_test ${tests})
    compile_together(${name}_test 4)
    share_headers(${name}_test grappe_test_headers)
    target_link_libraries(${name}_test PRIVATE grappe_${name} ${ARG_TEST_LINKS} grappe_test_flags)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
      PROPERTIES FIXTURES_REQUIRED machine)
  endif()
endfunction()

include(GoogleTest)
