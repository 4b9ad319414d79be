# withy-mpi: `withy sweep` over the ranks of MPI, a program of its own, so that the command needs no MPI. Built where MPI
# is found; with sanitizers only if asked for, since MPI itself leaves memory behind.

set(wanted_mpi "${WITHY_MPI}")
if(WITHY_MPI STREQUAL "AUTO" AND (WITHY_SANITIZE OR WITHY_FUZZ))
  set(wanted_mpi OFF)
endif()
if(wanted_mpi)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS C)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  if(NOT MPI_C_FOUND AND NOT wanted_mpi STREQUAL "AUTO")
    message(FATAL_ERROR "WITHY_MPI is ${WITHY_MPI}, but no MPI was found (Debian packages libopenmpi-dev and openmpi-bin, "
                        "or libmpich-dev and mpich)")
  endif()
endif()

if(wanted_mpi AND MPI_C_FOUND)
  # The work queue is of use to the program, to its test and to its benchmark.
  withy_archive(withy_queue SOURCES mpi/crew.c mpi/queue.c LINK withy_run MPI::MPI_C Threads::Threads)
elseif(NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  message(STATUS "withy-mpi is not built: it needs MPI (Debian packages libopenmpi-dev and openmpi-bin)")
endif()
