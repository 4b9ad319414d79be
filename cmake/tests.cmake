# SPDX-License-Identifier: MIT
# The tests. Each tests/FOLDER/test_NAME.c is one cmocka executable and the CTest test FOLDER/NAME with the label FOLDER;
# tests/cli/test_NAME without an ending is a bash script that gets the command and an empty folder as arguments.
# tests/random/torture runs scenarios at random.
# A line `labels: slow` in a comment of a test's first 20 lines adds labels; a line `links: withy_run` says that a program
# takes these libraries in place of all there are, which keeps the build for the thread sanitizer small.

find_package(PkgConfig)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(WITHY_CMOCKA QUIET IMPORTED_TARGET cmocka)
endif()
if(NOT WITHY_CMOCKA_FOUND)
  message(STATUS "The C tests are not built: they need cmocka (Debian package libcmocka-dev)")
endif()

# Oracles for linear algebra and for expressions, linked where they are found.
find_library(WITHY_LAPACK lapack)
find_library(WITHY_BLAS blas)
find_library(WITHY_MUPARSER muparser)
find_path(WITHY_MUPARSER_INCLUDE muParserDLL.h)
mark_as_advanced(WITHY_LAPACK WITHY_BLAS WITHY_MUPARSER WITHY_MUPARSER_INCLUDE)

set(test_environment PYTHON=/usr/bin/python3 OPENBLAS_NUM_THREADS=1)

function(withy_test_properties name folder source)
  set(labels ${folder})
  file(STRINGS "${source}" lines LIMIT_INPUT 2000 REGEX "labels: ")
  if(lines MATCHES "labels: ([a-z ]*[a-z])")
    string(REPLACE " " ";" more "${CMAKE_MATCH_1}")
    list(APPEND labels ${more})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${labels}" ENVIRONMENT "${test_environment}")
endfunction()

# Code that tests share, if there is any beside headers. Some of it runs experiments, which tests link as well.
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
if(WITHY_CMOCKA_FOUND AND support_sources)
  add_library(test_support STATIC ${support_sources})
  withy_flags(test_support)
  target_include_directories(test_support PRIVATE src tests .)
  target_link_libraries(test_support PUBLIC withy_sundials withy_core PkgConfig::WITHY_CMOCKA)
endif()

# The kernels of batches without contraction; the linker finds them before those of the library.
file(GLOB lanes_sources CONFIGURE_DEPENDS src/batch/lanes/*.c)
add_library(strict_lanes OBJECT EXCLUDE_FROM_ALL ${lanes_sources})
withy_flags(strict_lanes)
set_target_properties(strict_lanes PROPERTIES C_EXTENSIONS OFF)
target_compile_options(strict_lanes PRIVATE -ffp-contract=off)
target_compile_definitions(strict_lanes PRIVATE WY_STATIC)
target_include_directories(strict_lanes PRIVATE include src)

function(withy_c_test folder source)
  get_filename_component(file_name "${source}" NAME_WE)
  string(REGEX REPLACE "^test_" "" name "${file_name}")
  set(target test_${folder}_${name})
  add_executable(${target} "${source}")
  withy_flags(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file_name}
                                             RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${folder}")
  target_include_directories(${target} PRIVATE src tests .)
  target_compile_definitions(${target} PRIVATE WY_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                               WY_SCENARIOS="${PROJECT_SOURCE_DIR}/scenarios")
  set(libraries $<$<TARGET_EXISTS:test_support>:test_support> $<$<TARGET_EXISTS:withy_experiments>:withy_experiments>)
  file(STRINGS "${source}" lines LIMIT_INPUT 2000 REGEX "links: ")
  if(lines MATCHES "links: ([a-z_ ]*[a-z])")
    string(REPLACE " " ";" libraries "${CMAKE_MATCH_1}")
  endif()
  target_link_libraries(${target} PRIVATE ${libraries} withy_core PkgConfig::WITHY_CMOCKA)
  if(WITHY_SUNDIALS_FOUND)
    target_compile_definitions(${target} PRIVATE WY_HAVE_SUNDIALS=1)
  endif()
  if(folder STREQUAL "unit")
    if(WITHY_LAPACK AND WITHY_BLAS)
      target_compile_definitions(${target} PRIVATE WY_HAVE_LAPACK=1)
      target_link_libraries(${target} PRIVATE "${WITHY_LAPACK}" "${WITHY_BLAS}")
    endif()
    if(WITHY_MUPARSER AND WITHY_MUPARSER_INCLUDE)
      target_compile_definitions(${target} PRIVATE WY_HAVE_MUPARSER=1)
      target_include_directories(${target} SYSTEM PRIVATE "${WITHY_MUPARSER_INCLUDE}")
      target_link_libraries(${target} PRIVATE "${WITHY_MUPARSER}")
    endif()
  elseif(folder STREQUAL "cli")
    target_compile_definitions(${target} PRIVATE WY_COMMAND="$<TARGET_FILE:withy_command>")
    add_dependencies(${target} withy_command)
  endif()
  # A test that calls the HDF5 library itself.
  file(STRINGS "${source}" of_hdf5 LIMIT_COUNT 1 REGEX "<hdf5\\.h>")
  if(of_hdf5)
    target_link_libraries(${target} PRIVATE "${withy_hdf5_file}")
  endif()
  # A test that answers for malloc and its relatives itself.
  file(STRINGS "${source}" wrapped LIMIT_COUNT 1 REGEX "__wrap_malloc")
  if(wrapped)
    target_link_options(${target} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
  endif()
  # A test with kernels of batches of its own, in which the compiler contracts nothing.
  file(STRINGS "${source}" strict LIMIT_COUNT 1 REGEX "kernels: strict")
  if(strict)
    target_link_libraries(${target} PRIVATE strict_lanes)
    target_compile_options(${target} PRIVATE -ffp-contract=off)
  endif()
  add_test(NAME ${folder}/${name} COMMAND ${target})
  withy_test_properties(${folder}/${name} ${folder} "${source}")
endfunction()

function(withy_script_test source)
  get_filename_component(file_name "${source}" NAME)
  string(REGEX REPLACE "^test_|\\.sh$" "" name "${file_name}")
  add_test(NAME cli/${name} COMMAND bash -ec "rm -rf \"$3\" && mkdir -p \"$3\" && exec bash \"$1\" \"$2\" \"$3\"" run
                                    "${source}" $<TARGET_FILE:withy_command> "${PROJECT_BINARY_DIR}/tests/cli/${name}.scratch")
  withy_test_properties(cli/${name} cli "${source}")
endfunction()

set(test_folders unit contract rods papers cli)
if(TARGET withy_host_gpu)
  list(APPEND test_folders gpu)
endif()
foreach(folder IN LISTS test_folders)
  file(GLOB sources CONFIGURE_DEPENDS tests/${folder}/test_*)
  foreach(source IN LISTS sources)
    if(folder STREQUAL "cli" AND NOT TARGET withy_command)
      continue()
    elseif(source MATCHES "\\.c$")
      if(WITHY_CMOCKA_FOUND)
        withy_c_test(${folder} "${source}")
      endif()
    elseif(folder STREQUAL "cli")
      withy_script_test("${source}")
    endif()
  endforeach()
endforeach()

# The same on MPI: tests/mpi/test_NAME is a bash script that gets the command, withy-mpi, the program of tests/mpi/tasks.c
# and an empty folder. Each starts several processes.
if(TARGET withy_queue)
  add_executable(test_mpi_tasks tests/mpi/tasks.c)
  withy_flags(test_mpi_tasks)
  target_link_libraries(test_mpi_tasks PRIVATE withy_queue)
  set_target_properties(test_mpi_tasks PROPERTIES OUTPUT_NAME tasks RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/mpi")
  file(GLOB sources CONFIGURE_DEPENDS tests/mpi/test_*)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    string(REGEX REPLACE "^test_" "" name "${name}")
    add_test(NAME mpi/${name} COMMAND bash -ec "rm -rf \"$5\" && mkdir -p \"$5\" && exec bash \"$@\"" run "${source}"
                                      $<TARGET_FILE:withy_command> $<TARGET_FILE:withy_mpi> $<TARGET_FILE:test_mpi_tasks>
                                      "${PROJECT_BINARY_DIR}/tests/mpi/${name}.scratch")
    withy_test_properties(mpi/${name} mpi "${source}")
  endforeach()
elseif(NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  message(STATUS "withy-mpi is not tested: that needs MPI (Debian packages libopenmpi-dev and openmpi-bin)")
endif()

# Rods and obstacles at random, and batches, by the library alone; with sanitizers, which take ten times as long, fewer.
foreach(random contact batch)
  add_executable(test_random_${random} tests/random/${random}.c)
  withy_flags(test_random_${random})
  target_include_directories(test_random_${random} PRIVATE src tests .)
  target_link_libraries(test_random_${random} PRIVATE withy_core)
  set_target_properties(test_random_${random} PROPERTIES OUTPUT_NAME ${random} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/random")
  add_test(NAME random/${random} COMMAND test_random_${random} --seed 1 --runs $<IF:$<BOOL:${WITHY_SANITIZE}>,12,60>)
  set_tests_properties(random/${random} PROPERTIES TIMEOUT 300 LABELS "random")
endforeach()

# Scenarios at random, and relations between runs: a fixed number of cases of one seed, of which the time limit lets go the
# last ones on a slow machine; and all cases that were ever found broken.
if(TARGET withy_command)
  set(torture "${PROJECT_SOURCE_DIR}/tests/random/torture" --withy $<TARGET_FILE:withy_command>)
  add_test(NAME random/torture COMMAND /usr/bin/python3 ${torture} --seed 1 --runs 400 --minutes 2 --jobs 2 --limit 5 --shrink 20
                                       --found "${PROJECT_BINARY_DIR}/tests/random")
  add_test(NAME random/found COMMAND /usr/bin/python3 ${torture} --replay "${PROJECT_SOURCE_DIR}/tests/random/found")
  set_tests_properties(random/torture PROPERTIES TIMEOUT 300 PROCESSORS 2 LABELS "random;slow")
  set_tests_properties(random/found PROPERTIES TIMEOUT 300 LABELS random)
endif()

# Programs that make the tables of tests/data, against the stored tables, where Python has numpy.
execute_process(COMMAND /usr/bin/python3 -c "import numpy" RESULT_VARIABLE no_numpy OUTPUT_QUIET ERROR_QUIET)
if(no_numpy)
  message(STATUS "The tables of tests/data are not computed again: that needs numpy (Debian package python3-numpy)")
else()
  foreach(oracle staggered planar mixed conserving box statics fluid)
    add_test(NAME oracle/${oracle} COMMAND /usr/bin/python3 "${PROJECT_SOURCE_DIR}/tests/oracle/${oracle}.py")
    set_tests_properties(oracle/${oracle} PROPERTIES TIMEOUT 300 LABELS "oracle;slow"
                                                     ENVIRONMENT "OPENBLAS_NUM_THREADS=1;PYTHONDONTWRITEBYTECODE=1")
  endforeach()
endif()

# The 3D page: its parts in Node.js, and pages of real runs in a real browser, whose pictures stay in tests/web.
find_program(WITHY_NODE node)
find_program(WITHY_CHROMIUM NAMES chromium chromium-browser google-chrome)
mark_as_advanced(WITHY_NODE WITHY_CHROMIUM)
if(NOT TARGET withy_command OR WITHY_SANITIZE OR WITHY_FUZZ)
  set(page_tests "")
elseif(WITHY_NODE AND WITHY_CHROMIUM)
  file(GLOB page_tests CONFIGURE_DEPENDS web/test/*.test.mjs)
else()
  message(STATUS "The 3D page is not tested: that needs node, npm and chromium (Debian packages nodejs, npm, chromium)")
endif()
foreach(source IN LISTS page_tests)
  get_filename_component(name "${source}" NAME_WE)
  add_test(NAME web/${name} COMMAND "${WITHY_NODE}" --test "${source}")
  set(page_environment "WITHY=$<TARGET_FILE:withy_command>" "OUT=${PROJECT_BINARY_DIR}/tests/web" "CHROMIUM=${WITHY_CHROMIUM}")
  # Alone: opening a page has a time limit.
  set_tests_properties(web/${name} PROPERTIES TIMEOUT 300 LABELS "web;slow" RUN_SERIAL ON ENVIRONMENT "${page_environment}")
endforeach()

# The programs of the documentation run.
foreach(example hello finger control realtime)
  add_test(NAME project/${example} COMMAND ${example})
  set_tests_properties(project/${example} PROPERTIES TIMEOUT 300 LABELS project)
endforeach()

# Dependencies between the folders point one way.
add_test(NAME project/includes COMMAND bash tests/check_includes WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME project/includes-self-test COMMAND bash tests/check_includes --self-test
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
# And nothing above the library compares names of schemes or integrators.
add_test(NAME project/names COMMAND bash tests/check_names WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME project/names-self-test COMMAND bash tests/check_names --self-test
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(project/includes project/includes-self-test project/names project/names-self-test
                     PROPERTIES TIMEOUT 300 LABELS project)

# Every source file names its licence.
add_test(NAME project/spdx COMMAND /usr/bin/python3 scripts/spdx --check WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(project/spdx PROPERTIES TIMEOUT 300 LABELS project)

# The tarball of the last commit has all that is needed to configure and to build it.
if(EXISTS "${PROJECT_SOURCE_DIR}/.git" AND NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  add_test(NAME project/dist COMMAND bash scripts/dist --look WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(project/dist PROPERTIES TIMEOUT 300 LABELS project)
endif()

# The container file names the packages whose libraries the command needs, where they are packages.
find_program(WITHY_DPKG dpkg-query)
mark_as_advanced(WITHY_DPKG)
if(TARGET withy_command AND WITHY_DPKG AND NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  add_test(NAME project/container COMMAND bash scripts/container --look $<TARGET_FILE:withy_command>
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(project/container PROPERTIES TIMEOUT 300 LABELS project)
endif()

# What is installed can be used from C and C++, by find_package and by pkg-config; also of a withy without HDF5, libfyaml
# and SUNDIALS. Not with sanitizers, which would have to be in the consumer too.
if(NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  add_test(NAME project/consumer COMMAND bash tests/consumer/run "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}"
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  add_test(NAME project/consumer-without COMMAND bash tests/consumer/run "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" without
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(project/consumer project/consumer-without PROPERTIES TIMEOUT 300 LABELS project)
  set_tests_properties(project/consumer-without PROPERTIES PROCESSORS 2)
endif()

# The Python package as it is built, tests/python/test_NAME.py; most compare with the command.
set(python_modules numpy pandas h5py scipy matplotlib mypy pip setuptools wheel)
if(TARGET withy_package AND TARGET withy_command)
  set(missing_modules "from importlib.util import find_spec\nimport sys\nprint(*(m for m in sys.argv[1:] if not find_spec(m)))")
  execute_process(COMMAND "${WITHY_PYTHON_EXECUTABLE}" -c "${missing_modules}" ${python_modules} OUTPUT_VARIABLE no_modules
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(GLOB sources CONFIGURE_DEPENDS tests/python/test_*.py)
  if(no_modules)
    message(STATUS "The Python package is not tested: it lacks ${no_modules} (scripts/setup test)")
    set(sources "")
  endif()
  # What passes for a GPU: its launches run on the CPU.
  set(host_gpu "")
  if(sources AND TARGET withy_host_gpu)
    add_library(withy_loaded_host_gpu MODULE $<TARGET_OBJECTS:withy_host_gpu>)
    set_target_properties(withy_loaded_host_gpu PROPERTIES LINKER_LANGUAGE CXX)
    set(host_gpu "HOST_GPU=$<TARGET_FILE:withy_loaded_host_gpu>")
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    string(REGEX REPLACE "^test_" "python/" name "${name}")
    add_test(NAME ${name} COMMAND "${WITHY_PYTHON_EXECUTABLE}" -W error "${source}")
    withy_test_properties(${name} python "${source}")
    set(python_environment ${test_environment} ${host_gpu} "WITHY=$<TARGET_FILE:withy_command>" "BUILD=${PROJECT_BINARY_DIR}"
        "PYTHONPATH=${PROJECT_BINARY_DIR}/package" PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${python_environment}")
  endforeach()
endif()
