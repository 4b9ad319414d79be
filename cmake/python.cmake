# SPDX-License-Identifier: MIT
# The Python package: an extension module of the static libraries, position independent, which needs of the system what
# they need (HDF5, libfyaml, zlib). One module serves every Python from 3.9 on (the limited API). It is laid out with the
# sources of the package in package/withy, where tests find it; setup.py takes it from the component `python`.

set(WITHY_PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python for which the package is built; it needs cffi")
mark_as_advanced(WITHY_PYTHON_EXECUTABLE)

set(withy_python_include "")
if(WITHY_PYTHON AND EXISTS "${WITHY_PYTHON_EXECUTABLE}")
  execute_process(
    COMMAND "${WITHY_PYTHON_EXECUTABLE}" -c "import cffi, sysconfig; print(sysconfig.get_path('include'))"
    OUTPUT_VARIABLE withy_python_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT EXISTS "${withy_python_include}/Python.h")
  if(WITHY_PYTHON AND NOT WITHY_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "The Python package needs Python's headers and cffi (Debian packages libpython3-dev, python3-cffi)")
  endif()
  if(WITHY_PYTHON)
    message(STATUS "The Python package is not built: that needs Debian packages libpython3-dev, python3-cffi")
  endif()
  return()
endif()

# The highest part that is built has the others in it.
set(python_headers withy/withy.h withy/gpu.h withy/sundials.h withy/scenario.h)
if("draw" IN_LIST withy_parts)
  list(APPEND python_headers withy/run.h withy/sweep.h withy/converge.h withy/folder.h withy/draw.h)
endif()
list(GET withy_parts -1 highest_part)
file(GLOB public_headers CONFIGURE_DEPENDS include/withy/*.h)
set(python_source "${PROJECT_BINARY_DIR}/generated/_withy.c")
add_custom_command(
  OUTPUT "${python_source}"
  COMMAND "${WITHY_PYTHON_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/python/bind.py" "${python_source}"
          "${PROJECT_SOURCE_DIR}/include" "${CMAKE_C_COMPILER}" ${python_headers}
  DEPENDS ${public_headers} python/bind.py python/record.h
  COMMENT "Writing the Python module"
  VERBATIM)

set(python_package "${PROJECT_BINARY_DIR}/package/withy")
add_library(withy_python MODULE "${python_source}" cli/pool.c)
set_target_properties(
  withy_python
  PROPERTIES PREFIX "" OUTPUT_NAME _withy SUFFIX .abi3.so LIBRARY_OUTPUT_DIRECTORY "${python_package}" C_STANDARD 11
             C_VISIBILITY_PRESET hidden)
find_package(Threads REQUIRED) # of one simulation
target_include_directories(withy_python PRIVATE python "${PROJECT_SOURCE_DIR}")
# Assertions of cffi would name the build folder.
target_compile_options(withy_python PRIVATE "-fmacro-prefix-map=${PROJECT_BINARY_DIR}/=")
target_include_directories(withy_python SYSTEM PRIVATE "${withy_python_include}")
target_link_libraries(withy_python PRIVATE withy_${highest_part} withy_gpu Threads::Threads)
if(APPLE)
  target_link_options(withy_python PRIVATE -undefined dynamic_lookup)
else()
  target_link_options(withy_python PRIVATE LINKER:--exclude-libs,ALL)
endif()

# What is Python in the package lies beside the module; the built-in scenarios are part of it.
file(GLOB python_files CONFIGURE_DEPENDS python/withy/*.py python/withy/*.pyi python/withy/py.typed)
add_custom_command(
  OUTPUT "${PROJECT_BINARY_DIR}/package/copied"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${python_package}/scenarios"
  COMMAND "${CMAKE_COMMAND}" -E copy ${python_files} "${python_package}"
  COMMAND "${CMAKE_COMMAND}" -E copy ${scenario_files} "${python_package}/scenarios"
  COMMAND "${CMAKE_COMMAND}" -E touch "${PROJECT_BINARY_DIR}/package/copied"
  DEPENDS ${python_files} ${scenario_files}
  COMMENT "Copying the Python package"
  VERBATIM)
add_custom_target(withy_package ALL DEPENDS "${PROJECT_BINARY_DIR}/package/copied" withy_python)

install(TARGETS withy_python LIBRARY DESTINATION withy COMPONENT python EXCLUDE_FROM_ALL)
# Batches on GPUs: where it is built it lies beside the module, which looks for it there.
if(TARGET withy_cuda)
  add_dependencies(withy_python withy_cuda)
  add_custom_command(TARGET withy_python POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy_if_different
                                                            "${cuda_library}" "${python_package}")
  install(FILES "${cuda_library}" DESTINATION withy COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(FILES ${scenario_files} DESTINATION withy/scenarios COMPONENT python EXCLUDE_FROM_ALL)

# The loops of bench/python in C, to compare with; a test runs them.
if(WITHY_TESTS)
  add_library(bench_python_loops MODULE bench/python/loops.c)
else()
  add_library(bench_python_loops MODULE EXCLUDE_FROM_ALL bench/python/loops.c)
endif()
withy_flags(bench_python_loops)
target_link_libraries(bench_python_loops PRIVATE withy_scenario)
set_target_properties(bench_python_loops PROPERTIES PREFIX "" OUTPUT_NAME loops LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
