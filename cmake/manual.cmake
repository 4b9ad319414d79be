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
  # It has the options of `withy sweep`, whose page speaks of it.
  file(WRITE "${PROJECT_BINARY_DIR}/generated/withy-mpi.1" ".so man1/withy-sweep.1\n")
  install(FILES "${PROJECT_BINARY_DIR}/generated/withy-mpi.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(FILES "${completion_folder}/withy" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completion_folder}/_withy" DESTINATION "${WITHY_ZSH_FOLDER}")
install(FILES "${completion_folder}/withy.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
