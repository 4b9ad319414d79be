# SPDX-License-Identifier: MIT
# Each tests/fuzz/fuzz_NAME.c becomes a libFuzzer executable fuzz_NAME; the target `fuzzers` builds all of them.

# Readers call base, math, model and record of the library, and next to nothing of the other folders, whose kernels never run: optimised
# code with sanitizers would cost them most of the build, a minute and a half for the band kernels alone.
foreach(folder batch contact linalg scheme network integrate equilibrium judge sim)
  file(GLOB_RECURSE idle CONFIGURE_DEPENDS src/${folder}/*.c)
  set_source_files_properties(${idle} PROPERTIES COMPILE_OPTIONS "-O0;-fno-sanitize=all;-fno-sanitize-coverage=edge")
endforeach()

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
add_custom_target(fuzzers)
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  withy_flags(${name})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer -Wno-missing-prototypes)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_include_directories(${name} PRIVATE src tests .)
  target_link_libraries(${name} PRIVATE $<IF:$<TARGET_EXISTS:withy_run>,withy_run,withy_core>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  add_dependencies(fuzzers ${name})
endforeach()
