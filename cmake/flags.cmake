# SPDX-License-Identifier: MIT
# Compiler flags. withy_flags(target) gives a target of this project its language level, warnings and numerical flags.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# -O2 is about half as fast as -O3 on the block kernels, and assertions stay on while debug information is kept.
string(REPLACE "-O2 -g -DNDEBUG" "-O3 -g" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(WITHY_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "The fuzzers need clang: configure with -DCMAKE_C_COMPILER=clang (Debian packages clang and "
                        "libclang-rt-14-dev).")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(WITHY_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(WITHY_SANITIZE OR WITHY_FUZZ)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

set(withy_warnings -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND withy_warnings -Wdouble-promotion) # clang would warn of INFINITY
elseif(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  # clang says so where it cannot vectorise a loop that asks for it, as with sanitizers; that is no fault of the loop.
  list(APPEND withy_warnings -Wno-pass-failed)
endif()
if(MINGW)
  # Formats as C has them; gcc takes those of our functions for Microsoft's, and the native build checks them.
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
  list(APPEND withy_warnings -Wno-format -Wno-format-extra-args)
endif()
if(WITHY_WERROR)
  list(APPEND withy_warnings -Werror)
endif()

# Contraction lets the kernels use fused multiply-add. Results are then repeatable for one binary on one machine;
# WITHY_STRICT_FP makes compilers agree at the price of speed.
set(withy_arithmetic -fno-math-errno -fno-trapping-math -fopenmp-simd)
if(WITHY_STRICT_FP)
  list(APPEND withy_arithmetic -ffp-contract=off -DWY_STRICT_FP=1)
else()
  list(APPEND withy_arithmetic -ffp-contract=fast)
endif()

# Functions that a run calls stand side by side in the command (scripts/order), where the linker can do that.
set(WITHY_ORDER "${PROJECT_SOURCE_DIR}/cmake/order.ld")
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT WITHY_SANITIZE AND NOT WITHY_FUZZ)
  include(CheckLinkerFlag)
  check_linker_flag(C "LINKER:-T,${WITHY_ORDER}" WITHY_HAVE_ORDER)
endif()

function(withy_flags target)
  target_compile_options(${target} PRIVATE ${withy_warnings} ${withy_arithmetic})
  if(WITHY_HAVE_ORDER)
    target_compile_options(${target} PRIVATE -ffunction-sections)
  endif()
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_VISIBILITY_PRESET hidden)
  # Function clones per instruction set are chosen by a resolver that runs before a sanitizer is ready.
  if(WITHY_SANITIZE OR WITHY_FUZZ OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_definitions(${target} PRIVATE WY_NO_CLONES=1)
  endif()
endfunction()
