# SPDX-License-Identifier: MIT
# What `cmake --install` lays down: headers, libraries, find_package and pkg-config files, the command with its manual, the
# scenarios, licence and documentation.

include(CMakePackageConfigHelpers)
set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/withy")
set(generated "${PROJECT_BINARY_DIR}/generated")

set(no_headers "")
if(NOT "run" IN_LIST withy_parts)
  set(no_headers REGEX "/(run|sweep|converge|folder|draw)\\.h$" EXCLUDE)
endif()
install(DIRECTORY include/withy DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" ${no_headers})
install(
  TARGETS ${installed_libraries}
  EXPORT withy-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}") # DLLs of Windows
install(EXPORT withy-targets NAMESPACE withy:: DESTINATION "${config_folder}")
if(TARGET withy_cuda)
  install(FILES "${PROJECT_BINARY_DIR}/libwithy_cuda.so" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
# Apart from the others: only users of this part need to find SUNDIALS.
install(TARGETS withy_sundials EXPORT withy-sundials-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT withy-sundials-targets NAMESPACE withy:: DESTINATION "${config_folder}")

# The parts likewise, each of which needs those before it.
foreach(part IN LISTS withy_parts)
  install(
    TARGETS ${withy_${part}_installed}
    EXPORT withy-${part}-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(EXPORT withy-${part}-targets NAMESPACE withy:: DESTINATION "${config_folder}")
endforeach()

configure_package_config_file(cmake/withy-config.cmake.in "${generated}/withy-config.cmake"
                              INSTALL_DESTINATION "${config_folder}")
write_basic_package_version_file("${generated}/withy-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/withy-config.cmake" "${generated}/withy-config-version.cmake"
        DESTINATION "${config_folder}")

# The prefix is found from the place of withy.pc, so that an installed tree can be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
set(pc_libraries "")
if(NOT BUILD_SHARED_LIBS)
  set(pc_libraries " -lm")
endif()
configure_file(cmake/withy.pc.in "${generated}/withy.pc" @ONLY)
set(pc_sundials_libraries "")
if(WITHY_SUNDIALS_FOUND)
  set(pc_sundials_libraries " -lsundials_ida -lsundials_cvode -lsundials_arkode")
endif()
configure_file(cmake/withy-sundials.pc.in "${generated}/withy-sundials.pc" @ONLY)
configure_file(cmake/withy-gpu.pc.in "${generated}/withy-gpu.pc" @ONLY)
install(FILES "${generated}/withy.pc" "${generated}/withy-gpu.pc" "${generated}/withy-sundials.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Shared libraries know what they need themselves; static ones leave it to the program.
set(scenario_text "Scenarios for withy")
set(run_text "Runs of scenarios, and their results, for withy")
set(draw_text "Pictures of runs for withy")
set(pc_modules_scenario "")
if(WITHY_FYAML_FOUND)
  set(pc_modules_scenario "libfyaml")
endif()
set(pc_modules_run "hdf5-serial")
set(pc_modules_draw "hdf5-serial zlib")
set(pc_below withy)
if(NOT BUILD_SHARED_LIBS)
  set(pc_below withy-sundials)
endif()
foreach(part IN LISTS withy_parts)
  set(pc_part ${part})
  set(pc_text "${${part}_text}")
  set(pc_requires ${pc_below})
  if(NOT BUILD_SHARED_LIBS)
    string(APPEND pc_requires " ${pc_modules_${part}}")
  endif()
  configure_file(cmake/withy-part.pc.in "${generated}/withy-${part}.pc" @ONLY)
  install(FILES "${generated}/withy-${part}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  set(pc_below withy-${part})
endforeach()

if(TARGET withy_command)
  install(TARGETS withy_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  include(cmake/manual.cmake)
endif()
if(TARGET withy_mpi)
  install(TARGETS withy_mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(scenario_files)
  install(FILES ${scenario_files} DESTINATION "${CMAKE_INSTALL_DATADIR}/withy/scenarios")
endif()

# The pages keep their places among each other, so that their links work.
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN docs/site EXCLUDE
                                                                     PATTERN __pycache__ EXCLUDE PATTERN "*.out" EXCLUDE)
