# SPDX-License-Identifier: MIT
# The parts above the library, each of which sees those before it: scenarios (withy_scenario), results (withy_run),
# pictures (withy_draw). A part is compiled once. The command and the tests take the static libraries; the shared ones
# beside them are for programs of others and go with libwithy.so, so that no process has the library twice.

find_package(PkgConfig QUIET)

# Finds a module of pkg-config for what a part needs. `wanted` is ON, OFF or AUTO: with ON it must be there.
function(withy_find prefix module package wanted option)
  if(wanted AND PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
  if(wanted AND NOT ${prefix}_FOUND AND NOT wanted STREQUAL "AUTO")
    message(FATAL_ERROR "${option} needs ${module} (Debian packages pkg-config and ${package}). Install it, run "
                        "scripts/setup, or configure with -D${option}=OFF.")
  endif()
  set(${prefix}_FOUND "${${prefix}_FOUND}" PARENT_SCOPE)
endfunction()

# The command has all parts.
if(WITHY_COMMAND)
  foreach(need "WITHY_FYAML;libfyaml;libfyaml-dev" "WITHY_HDF5;hdf5-serial;libhdf5-dev" "WITHY_ZLIB;zlib;zlib1g-dev")
    list(GET need 0 prefix)
    list(GET need 1 module)
    list(GET need 2 package)
    withy_find(${prefix} ${module} ${package} ON WITHY_COMMAND)
  endforeach()
else()
  withy_find(WITHY_FYAML libfyaml libfyaml-dev "${WITHY_YAML}" WITHY_YAML)
  withy_find(WITHY_HDF5 hdf5-serial libhdf5-dev "${WITHY_RUN}" WITHY_RUN)
  withy_find(WITHY_ZLIB zlib zlib1g-dev "${WITHY_RUN}" WITHY_RUN)
endif()

# The HDF5 library is loaded when it is first used (run/results/hdf5.h), by the name that programs linked with it would
# ask for. Where that is not known, they are linked with it.
if(WITHY_HDF5_FOUND)
  get_target_property(withy_hdf5_file PkgConfig::WITHY_HDF5 INTERFACE_LINK_LIBRARIES)
  list(GET withy_hdf5_file 0 withy_hdf5_file)
endif()
if(WITHY_HDF5_FOUND AND UNIX AND NOT APPLE AND CMAKE_OBJDUMP)
  execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${withy_hdf5_file}" OUTPUT_VARIABLE withy_hdf5_head ERROR_QUIET)
  if(withy_hdf5_head MATCHES "SONAME +([^ \n]+)")
    set_target_properties(
      PkgConfig::WITHY_HDF5 PROPERTIES INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}"
                                       INTERFACE_COMPILE_DEFINITIONS "WY_HDF5_LIBRARY=\"${CMAKE_MATCH_1}\"")
  endif()
endif()

set(withy_parts "") # those that are built, in order
set(withy_modules "") # what they need from elsewhere
# withy_part(NAME SOURCES ... [MODULES ...]): libwithy_NAME. MODULES are prefixes of withy_find.
function(withy_part name)
  cmake_parse_arguments(part "" "" "SOURCES;MODULES" ${ARGN})
  set(below "")
  if(withy_parts)
    list(GET withy_parts -1 below)
  endif()
  list(TRANSFORM part_MODULES PREPEND "PkgConfig::" OUTPUT_VARIABLE modules)

  add_library(withy_${name}_objects OBJECT ${part_SOURCES})
  withy_flags(withy_${name}_objects)
  set_target_properties(withy_${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(withy_${name}_objects PRIVATE $<IF:$<BOOL:${BUILD_SHARED_LIBS}>,WY_BUILDING,WY_STATIC>)
  target_include_directories(withy_${name}_objects PRIVATE include "${PROJECT_SOURCE_DIR}")
  target_link_libraries(withy_${name}_objects PRIVATE ${modules})

  add_library(withy_${name} STATIC $<TARGET_OBJECTS:withy_${name}_objects>)
  target_include_directories(withy_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  if(below)
    target_link_libraries(withy_${name} PUBLIC withy_${below})
  else()
    target_link_libraries(withy_${name} PUBLIC withy_sundials withy_core)
  endif()
  target_link_libraries(withy_${name} PUBLIC ${modules})
  set_target_properties(withy_${name} PROPERTIES EXPORT_NAME ${name}_static LINKER_LANGUAGE C)
  add_library(withy::${name}_static ALIAS withy_${name})
  set(installed withy_${name})

  if(BUILD_SHARED_LIBS)
    add_library(withy_${name}_shared SHARED $<TARGET_OBJECTS:withy_${name}_objects>)
    set_target_properties(
      withy_${name}_shared
      PROPERTIES OUTPUT_NAME withy_${name} EXPORT_NAME ${name} LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
                 SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
    if(below)
      # Public functions come from the shared libraries of the parts below, which stand first; what those hide is taken
      # from the static ones. In one piece, since CMake would change the order.
      set(shared "")
      set(static "")
      foreach(part IN LISTS withy_parts)
        string(PREPEND shared ",$<TARGET_LINKER_FILE:withy_${part}_shared>")
        string(PREPEND static ",$<TARGET_FILE:withy_${part}>")
        add_dependencies(withy_${name}_shared withy_${part})
      endforeach()
      target_link_libraries(withy_${name}_shared PRIVATE "-Wl${shared},$<TARGET_LINKER_FILE:withy>${static}"
                                                 PUBLIC withy_${below}_shared)
      if(NOT APPLE)
        target_link_options(withy_${name}_shared PRIVATE LINKER:--exclude-libs,ALL)
      endif()
    endif()
    target_link_libraries(withy_${name}_shared PUBLIC withy PRIVATE ${modules} ${withy_modules})
    if(NOT WITHY_SANITIZE AND NOT WITHY_FUZZ AND NOT APPLE)
      target_link_options(withy_${name}_shared PRIVATE LINKER:--no-undefined)
    endif()
    add_library(withy::${name} ALIAS withy_${name}_shared)
    list(APPEND installed withy_${name}_shared)
  else()
    add_library(withy::${name} ALIAS withy_${name})
  endif()
  add_dependencies(product ${installed})
  set(withy_${name}_installed ${installed} PARENT_SCOPE)
  set(withy_parts ${withy_parts} ${name} PARENT_SCOPE)
  set(withy_modules ${withy_modules} ${modules} PARENT_SCOPE)
endfunction()

# The integrators from SUNDIALS use the insides of the static library: shared parts that read scenarios know them by
# name only.
function(withy_name_sundials part)
  if(BUILD_SHARED_LIBS)
    target_sources(withy_${part}_shared PRIVATE sundials/absent.c sundials/rows.c)
    withy_flags(withy_${part}_shared)
    target_compile_definitions(withy_${part}_shared PRIVATE WY_STATIC WY_SHARED_PART)
    target_include_directories(withy_${part}_shared PRIVATE src "${PROJECT_SOURCE_DIR}")
  endif()
endfunction()

# Without libfyaml scenarios are read as JSON.
if(WITHY_FYAML_FOUND)
  list(FILTER scenario_sources EXCLUDE REGEX "/yaml_absent\\.c$")
  set(yaml_module WITHY_FYAML)
else()
  list(FILTER scenario_sources EXCLUDE REGEX "/yaml\\.c$")
  set(yaml_module "")
  message(STATUS "Scenarios are read as JSON only: YAML needs libfyaml (Debian package libfyaml-dev)")
endif()
withy_part(scenario SOURCES ${scenario_sources} MODULES ${yaml_module})
withy_name_sundials(scenario)
if(WITHY_HDF5_FOUND AND WITHY_ZLIB_FOUND)
  # The points of a sweep are the same on every machine.
  set_source_files_properties(run/tree/numbers.c run/sweep/points.c PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  withy_part(run SOURCES ${run_sources} MODULES WITHY_HDF5 ${yaml_module})
  withy_name_sundials(run) # for the scenarios of sweeps
  # The 3D page without a run is part of the library.
  set(view_source "${PROJECT_BINARY_DIR}/generated/view_page.c")
  add_custom_command(
    OUTPUT "${view_source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${PROJECT_SOURCE_DIR}/web/dist/view.html" -DNAME=wy_view_page
            "-DOUTPUT=${view_source}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake"
    DEPENDS web/dist/view.html cmake/embed_file.cmake
    COMMENT "Embedding the 3D page"
    VERBATIM)
  withy_part(draw SOURCES ${draw_sources} "${view_source}" MODULES WITHY_HDF5 WITHY_ZLIB)
else()
  message(STATUS "Results are not written: that needs HDF5 and zlib (Debian packages libhdf5-dev, zlib1g-dev)")
endif()
