# Sourced by the tests on MPI: `ranks N PROGRAM...` starts N processes, on few cores and as root, too.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launcher=(mpirun)
if mpirun --version 2>&1 | grep -q "Open MPI"; then
  launcher=(mpirun --quiet --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
fi

ranks() {
  local count=$1
  shift
  "${launcher[@]}" -n "$count" "$@"
}

fail() {
  echo "$*" >&2
  exit 1
}
