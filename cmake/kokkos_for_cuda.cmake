# SPDX-License-Identifier: Apache-2.0
# Included where a fetched Kokkos is to have CUDA: changes `source` to a copy that CUDA 13 compiles, adds to `options`.
# Kokkos 4.7.00 calls two functions whose signatures CUDA 13 changed, and its nvcc_wrapper defaults to an architecture
# that CUDA 13 refuses.
find_package(CUDAToolkit REQUIRED)
string(REGEX MATCH "[0-9]+$" capability ${TESSERA_CUDA_ARCHITECTURE})

# tessera_patch(<file> <old> <new>): the file must hold the old text.
function(tessera_patch file old new)
  file(READ ${file} text)
  string(FIND "${text}" "${old}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${file}: not the Kokkos that our patch is for; no '${old}' in it")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  file(WRITE ${file} "${text}")
endfunction()

set(patched ${TESSERA_DEPENDENCY_CACHE}/source/kokkos-cuda-${CUDAToolkit_VERSION}-${TESSERA_CUDA_ARCHITECTURE})
if(NOT EXISTS ${patched})
  file(REMOVE_RECURSE ${patched}.partial)
  file(COPY ${source}/ DESTINATION ${patched}.partial)
  set(instance ${patched}.partial/core/src/Cuda/Kokkos_Cuda_Instance.hpp)
  tessera_patch(${instance} "    return cudaGraphAddDependencies(graph, from, to, numDependencies);\n"
"#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies);
#else
    return cudaGraphAddDependencies(graph, from, to, numDependencies);
#endif
")
  tessera_patch(${instance} "    return cudaMemPrefetchAsync(devPtr, count, dstDevice, m_stream);\n"
"#if CUDART_VERSION >= 13000
    cudaMemLocation location{};
    location.type = dstDevice == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = dstDevice == cudaCpuDeviceId ? 0 : dstDevice;
    return cudaMemPrefetchAsync(devPtr, count, location, 0, m_stream);
#else
    return cudaMemPrefetchAsync(devPtr, count, dstDevice, m_stream);
#endif
")
  tessera_patch(${patched}.partial/bin/nvcc_wrapper "default_arch=\"sm_70\"" "default_arch=\"sm_${capability}\"")
  tessera_patch(${patched}.partial/bin/nvcc_wrapper "nvcc_compiler=nvcc\n" "nvcc_compiler=${CUDAToolkit_NVCC_EXECUTABLE}\n")
  file(RENAME ${patched}.partial ${patched})
endif()
set(source ${patched})
list(APPEND options -DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_CUDA_CONSTEXPR=ON -DKokkos_ARCH_${TESSERA_CUDA_ARCHITECTURE}=ON
     -DCUDAToolkit_ROOT=${CUDAToolkit_LIBRARY_ROOT})
