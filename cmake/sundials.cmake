# SPDX-License-Identifier: MIT
# libwithy_sundials: ida, cvode and bs23 where SUNDIALS is found, else a stand-in that knows their names and says what to
# install. Uses the insides of the library, so it goes with the static one.

set(WITHY_SUNDIALS_FOUND OFF)
if(WITHY_SUNDIALS)
  find_package(SUNDIALS 6.4 QUIET COMPONENTS ida cvode arkode)
  if(SUNDIALS_FOUND AND TARGET SUNDIALS::ida AND TARGET SUNDIALS::cvode AND TARGET SUNDIALS::arkode)
    set(WITHY_SUNDIALS_FOUND ON)
  elseif(NOT WITHY_SUNDIALS STREQUAL "AUTO")
    message(FATAL_ERROR "WITHY_SUNDIALS is ${WITHY_SUNDIALS}, but SUNDIALS 6.4 or later 6 was not found (Debian package "
                        "libsundials-dev)")
  endif()
endif()

if(WITHY_SUNDIALS_FOUND)
  file(GLOB sundials_sources CONFIGURE_DEPENDS sundials/*.c)
  list(FILTER sundials_sources EXCLUDE REGEX "/absent\\.c$")
else()
  set(sundials_sources sundials/absent.c sundials/rows.c)
  message(STATUS "The integrators ida, cvode and bs23 are not built: they need SUNDIALS (Debian package libsundials-dev)")
endif()
add_library(withy_sundials STATIC ${sundials_sources})
withy_flags(withy_sundials)
set_target_properties(withy_sundials PROPERTIES EXPORT_NAME sundials POSITION_INDEPENDENT_CODE ON)
target_include_directories(withy_sundials PRIVATE src "${PROJECT_SOURCE_DIR}")
target_link_libraries(withy_sundials PUBLIC withy_core)
# Its static libraries where they are: loading the shared ones would be a third of the time that the command needs to
# start, and most runs need none of them.
if(WITHY_SUNDIALS_FOUND)
  foreach(module ida cvode arkode)
    if(TARGET SUNDIALS::${module}_static)
      target_link_libraries(withy_sundials PUBLIC SUNDIALS::${module}_static)
    else()
      target_link_libraries(withy_sundials PUBLIC SUNDIALS::${module})
    endif()
  endforeach()
endif()
