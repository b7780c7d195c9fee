# Warnings, sanitizers, ccache: what every target of the tree is built with.
find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE)
  # pch_defines and time_macros let precompiled headers be cached.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ORRERY_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${ORRERY_CCACHE})
endif()

add_library(orrery_flags INTERFACE)
target_compile_options(orrery_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -fpch-preprocess>)
if(ORRERY_WERROR)
  target_compile_options(orrery_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What GCC 12's optimiser says of inlined std::string and std::variant is often wrong, and where it says it changes
    # with what it inlines: shown, but no error.
    foreach(warning maybe-uninitialized stringop-overflow stringop-overread array-bounds restrict)
      target_compile_options(orrery_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-error=${warning}>)
    endforeach()
  endif()
endif()
if(ORRERY_SANITIZE)
  string(REPLACE ";" "," flags "${ORRERY_SANITIZE}")
  add_compile_options(-fsanitize=${flags} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${flags})
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
