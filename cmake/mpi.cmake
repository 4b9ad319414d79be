# SPDX-License-Identifier: MIT
# withy-mpi: `withy sweep`, and `withy run` of batches, over the ranks of MPI, a program of its own, so that the command
# needs no MPI. Built where MPI is found; with sanitizers only if asked for, since MPI itself leaves memory behind.

set(wanted_mpi "${WITHY_MPI}")
if(WITHY_MPI STREQUAL "AUTO" AND (WITHY_SANITIZE OR WITHY_FUZZ))
  set(wanted_mpi OFF)
endif()
if(wanted_mpi)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND AND NOT wanted_mpi STREQUAL "AUTO")
    message(FATAL_ERROR "WITHY_MPI is ${WITHY_MPI}, but no MPI was found (Debian packages libopenmpi-dev and openmpi-bin, "
                        "or libmpich-dev and mpich)")
  endif()
endif()

if(wanted_mpi AND MPI_C_FOUND)
  # The work queue is of use to the program, to its test and to its benchmark.
  withy_archive(withy_queue SOURCES mpi/crew.c mpi/queue.c LINK withy_run MPI::MPI_C Threads::Threads)
  add_executable(withy_mpi mpi/main.c mpi/batch.c mpi/ranks.c mpi/share.c mpi/sweep.c)
  withy_flags(withy_mpi)
  target_link_libraries(withy_mpi PRIVATE withy_queue withy_cli)
  set_target_properties(withy_mpi PROPERTIES OUTPUT_NAME withy-mpi RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  add_dependencies(product withy_mpi)
elseif(NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  message(STATUS "withy-mpi is not built: it needs MPI (Debian packages libopenmpi-dev and openmpi-bin)")
endif()
