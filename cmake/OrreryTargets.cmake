# One function a kind of target, so that a folder's CMakeLists.txt is a few lines.

# orrery_library(NAME SOURCES a.cpp ... [LIBS x ...]): a static library of the tree.
function(orrery_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_LIBS} PRIVATE orrery_flags)
endfunction()

# orrery_add_method(SLUG SCHEMA schema.cpp SOURCES ... [LIBS ...]): schema library (no LibTorch) and method library.
function(orrery_add_method slug)
  cmake_parse_arguments(arg "" "" "SCHEMA;SOURCES;LIBS" ${ARGN})
  orrery_library(orrery_schema_${slug} SOURCES ${arg_SCHEMA} LIBS orrery_base)
  orrery_library(orrery_method_${slug} SOURCES ${arg_SOURCES} LIBS orrery_schema_${slug} orrery_compute orrery_io ${arg_LIBS})
  target_precompile_headers(orrery_method_${slug} REUSE_FROM orrery_compute)
endfunction()

# orrery_add_panel(SLUG SOURCES ... [LIBS ...] [RESOURCES help.md ...]): the room of one method.
function(orrery_add_panel slug)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;RESOURCES" ${ARGN})
  orrery_library(orrery_panel_${slug} SOURCES ${arg_SOURCES} LIBS orrery_panel_common orrery_schema_${slug} ${arg_LIBS})
  set_target_properties(orrery_panel_${slug} PROPERTIES AUTOMOC ON)
  if(arg_RESOURCES)
    qt_add_resources(orrery_panel_${slug} panel_${slug} PREFIX /panels/${slug} FILES ${arg_RESOURCES})
  endif()
endfunction()

# orrery_add_test(NAME SOURCES ... [LIBS ...] [TIMEOUT seconds]): one Catch2 program, one ctest entry. Catch2's header is
# compiled once, with orrery_test_main; like that library, every test is compiled with -fPIC, which gcc asks for then.
function(orrery_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE orrery_test_main ${arg_LIBS} orrery_flags)
  target_compile_options(test_${name} PRIVATE -fPIC)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_precompile_headers(test_${name} REUSE_FROM orrery_test_main)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1500)
  endif()
  set(sanitizer_environment "")
  if(ORRERY_SANITIZE)  # five to twenty times slower; what fontconfig keeps until the end is not ours
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 4")
    set(sanitizer_environment ";LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks-of-libraries.txt:print_suppressions=0")
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "ORRERY_CLI=$<TARGET_FILE:orrery-cli>;ORRERY_SOURCE=${CMAKE_SOURCE_DIR}${sanitizer_environment}")
endfunction()

# The folders of ROOT that hold a CMakeLists.txt, in OUT: a method is added by adding its folders and nothing else.
function(orrery_method_folders root out)
  file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*/CMakeLists.txt)
  set(slugs "")
  foreach(list ${lists})
    get_filename_component(slug ${list} DIRECTORY)
    list(APPEND slugs ${slug})
  endforeach()
  set(${out} ${slugs} PARENT_SCOPE)
endfunction()
