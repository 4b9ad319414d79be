# SPDX-License-Identifier: MIT
# Manual pages and scripts for shells: the command writes them itself, from the table that makes its help. A command that
# was built for another machine cannot; what is installed then lacks them.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()
set(manual_folder "${PROJECT_BINARY_DIR}/man")
set(completion_folder "${PROJECT_BINARY_DIR}/completion")
set(completions "${completion_folder}/withy" "${completion_folder}/_withy" "${completion_folder}/withy.fish")
add_custom_command(
  OUTPUT "${manual_folder}/withy.1" ${completions}
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${manual_folder}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${completion_folder}"
  COMMAND withy_command man --output "${manual_folder}"
  COMMAND withy_command completion bash > "${completion_folder}/withy"
  COMMAND withy_command completion zsh > "${completion_folder}/_withy"
  COMMAND withy_command completion fish > "${completion_folder}/withy.fish"
  DEPENDS withy_command
  COMMENT "Writing manual pages and completion"
  VERBATIM)
add_custom_target(withy_manual ALL DEPENDS "${manual_folder}/withy.1")
add_dependencies(product withy_manual)

set(WITHY_ZSH_FOLDER "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" CACHE STRING "Where zsh looks for scripts of completion")
mark_as_advanced(WITHY_ZSH_FOLDER)
install(DIRECTORY "${manual_folder}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1")
if(TARGET withy_mpi)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/withy-mpi.1"
       ".TH WITHY-MPI 1 \"\" \"withy ${PROJECT_VERSION}\" \"withy\"\n"
       ".SH NAME\nwithy-mpi \\- sweeps and batches of withy over the ranks of MPI\n"
       ".SH SYNOPSIS\n.B mpirun \\-n\n.I RANKS\n.B withy-mpi sweep\n.I PLAN\n[\n.I OPTION\n]...\n.br\n"
       ".B mpirun \\-n\n.I RANKS\n.B withy-mpi batch\n.I SCENARIO\n[\n.I OPTION\n]...\n"
       ".SH DESCRIPTION\n"
       ".B sweep\ncomputes the points of a plan, with the options, files and results of\n.BR withy-sweep (1).\n.PP\n"
       ".B batch\ndivides the rods of the batches of a scenario over the ranks, with the options, files and results of\n"
       ".BR withy-run (1).\n.PP\n"
       "Of both only\n.B \\-j\nis another: the threads of each rank (default: 1).\n"
       ".SH SEE ALSO\n.BR withy (1),\n.BR withy-sweep (1),\n.BR withy-run (1)\n")
  install(FILES "${PROJECT_BINARY_DIR}/generated/withy-mpi.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(FILES "${completion_folder}/withy" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completion_folder}/_withy" DESTINATION "${WITHY_ZSH_FOLDER}")
install(FILES "${completion_folder}/withy.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
