# SPDX-License-Identifier: MIT
# Batches on GPUs (gpu/). libwithy_gpu loads libwithy_cuda.so at run time where there is one, and says why where there is
# none; it needs nothing but the C library. libwithy_cuda.so is built where nvcc is found. Its absence never matters to a
# build or to a test: a compiler of C++ takes the same source, and the tests run its launches on the CPU.

add_library(withy_gpu STATIC gpu/load.c)
withy_flags(withy_gpu)
set_target_properties(withy_gpu PROPERTIES EXPORT_NAME gpu POSITION_INDEPENDENT_CODE ON)
file(RELATIVE_PATH gpu_folder "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
target_compile_definitions(withy_gpu PRIVATE WY_STATIC "WY_GPU_FOLDER=\"${gpu_folder}\"")
target_include_directories(withy_gpu PRIVATE src PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(withy_gpu PUBLIC ${CMAKE_DL_LIBS})

file(GLOB gpu_headers CONFIGURE_DEPENDS gpu/*.h src/batch/*.h include/withy/*.h)

# ---- CUDA ----

set(WITHY_CUDA_ARCHITECTURES "75-virtual;90-real" CACHE STRING
    "What libwithy_cuda.so has code for: numbers of architectures with -real (machine code) or -virtual (the driver compiles it)")
set(found_cuda OFF)
if(WITHY_CUDA AND NOT WITHY_SANITIZE AND NOT WITHY_FUZZ AND NOT WIN32)
  find_program(WITHY_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
  mark_as_advanced(WITHY_NVCC)
  set(codes "")
  foreach(architecture IN LISTS WITHY_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" number "${architecture}")
    if(architecture MATCHES "-virtual$")
      list(APPEND codes -gencode "arch=compute_${number},code=compute_${number}")
    else()
      list(APPEND codes -gencode "arch=compute_${number},code=sm_${number}")
    endif()
  endforeach()
  # Does it work, with the C++ compiler that is here?
  if(WITHY_NVCC AND NOT WITHY_NVCC_WORKS STREQUAL "${WITHY_NVCC};${codes}")
    file(WRITE "${PROJECT_BINARY_DIR}/generated/try.cu" "__global__ void nothing() {}\nint main() { return 0; }\n")
    execute_process(COMMAND "${WITHY_NVCC}" ${codes} -c "${PROJECT_BINARY_DIR}/generated/try.cu" -o
                            "${PROJECT_BINARY_DIR}/generated/try.o" RESULT_VARIABLE cuda_fails OUTPUT_VARIABLE cuda_output
                    ERROR_VARIABLE cuda_output)
    if(NOT cuda_fails)
      set(WITHY_NVCC_WORKS "${WITHY_NVCC};${codes}" CACHE INTERNAL "nvcc with these architectures compiles")
    endif()
  endif()
  if(WITHY_NVCC AND WITHY_NVCC_WORKS STREQUAL "${WITHY_NVCC};${codes}")
    set(found_cuda ON)
  elseif(NOT WITHY_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "WITHY_CUDA is ${WITHY_CUDA}, but no nvcc that works was found.\n${cuda_output}")
  endif()
endif()

if(found_cuda)
  # What has few bits is divided fast; with strict arithmetic a rod has the same bits as on one lane of a CPU.
  set(cuda_flags -std=c++14 -O3 -DWY_STATIC "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/src"
      "-I${PROJECT_SOURCE_DIR}" -Xcompiler
      -fPIC,-fvisibility=hidden,-Wall,-Wno-unknown-pragmas)
  if(WITHY_STRICT_FP)
    list(APPEND cuda_flags -DWY_STRICT_FP=1 -fmad=false -Xcompiler -ffp-contract=off)
  else()
    list(APPEND cuda_flags -prec-div=false -prec-sqrt=false)
  endif()
  if(WITHY_WERROR)
    list(APPEND cuda_flags -Werror all-warnings)
  endif()
  set(cuda_object "${PROJECT_BINARY_DIR}/generated/cuda.o")
  set(cuda_library "${PROJECT_BINARY_DIR}/libwithy_cuda.so")
  add_custom_command(
    OUTPUT "${cuda_object}"
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${WITHY_NVCC}" ${cuda_flags} ${codes} -c "${PROJECT_SOURCE_DIR}/gpu/cuda.cu" -o
            "${cuda_object}"
    DEPENDS gpu/cuda.cu ${gpu_headers}
    COMMENT "Compiling the kernels of batches for CUDA"
    VERBATIM)
  add_custom_command(
    OUTPUT "${cuda_library}"
    COMMAND "${WITHY_NVCC}" -shared -cudart static "${cuda_object}" -o "${cuda_library}"
    DEPENDS "${cuda_object}"
    COMMENT "Linking libwithy_cuda.so"
    VERBATIM)
  add_custom_target(withy_cuda ALL DEPENDS "${cuda_library}")
else()
  message(STATUS "Batches run on the CPU only: libwithy_cuda.so is not built, it needs nvcc (CUDA)")
endif()

# ---- The same source for the CPU ----

# With a compiler of C++ of the same family, since sanitizers of two families do not mix.
set(found_cxx OFF)
if(WITHY_TESTS AND NOT WIN32 AND NOT WITHY_FUZZ)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    if(CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
      set(found_cxx ON)
    endif()
  endif()
endif()
if(found_cxx)
  set_source_files_properties(gpu/cuda.cu PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++" OBJECT_DEPENDS "${gpu_headers}")
  function(withy_host_gpu name)
    add_library(${name} STATIC gpu/cuda.cu)
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow ${withy_arithmetic} ${ARGN}
                                           $<$<BOOL:${WITHY_WERROR}>:-Werror>)
    set_target_properties(${name} PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS ON
                                             POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${name} PRIVATE WY_STATIC)
    target_include_directories(${name} PRIVATE include src "${PROJECT_SOURCE_DIR}")
  endfunction()
  withy_host_gpu(withy_host_gpu)
  # Without contraction, beside one lane of the CPU that is compiled likewise: same bits.
  withy_host_gpu(withy_host_gpu_strict -ffp-contract=off -DWY_STRICT_FP=1)
else()
  message(STATUS "The launches of GPUs are not tested: that needs a compiler of C++ (Debian package g++)")
endif()

# ---- What a machine with a GPU computes, and how fast ----

# scripts/device_gpu compiles it there; here it is compiled so that it fits the library.
if(WITHY_TESTS AND NOT WIN32 AND NOT WITHY_FUZZ)
  add_library(withy_gpu_measure OBJECT gpu/measure.c)
  withy_flags(withy_gpu_measure)
  target_compile_definitions(withy_gpu_measure PRIVATE WY_STATIC)
  target_include_directories(withy_gpu_measure PRIVATE include src "${PROJECT_SOURCE_DIR}")
endif()
