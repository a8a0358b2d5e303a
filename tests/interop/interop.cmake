# SPDX-License-Identifier: Apache-2.0
# Arrays and Python's: a library that a Python with NumPy loads, TESSERA_NUMPY_PYTHON; skipped where there is none.
include_guard(GLOBAL)

set(TESSERA_NUMPY_PYTHON ${Python3_EXECUTABLE} CACHE FILEPATH "A Python with NumPy, and PyTorch and JAX if they are there, for tests of DLPack")
mark_as_advanced(TESSERA_NUMPY_PYTHON)
execute_process(COMMAND ${TESSERA_NUMPY_PYTHON} -c "import numpy" RESULT_VARIABLE without_numpy OUTPUT_QUIET ERROR_QUIET)
if(without_numpy OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  foreach(peer numpy torch jax)
    tessera_skipped_test(interop.dlpack_${peer} interop "TESSERA_NUMPY_PYTHON has no numpy or this build is not for it")
  endforeach()
else()
  # Headers alone: tessera::engine is not compiled for shared libraries. What Python has it finds when Python loads it.
  add_library(test_dlpack_python MODULE ${PROJECT_SOURCE_DIR}/tests/interop/dlpack_program.cpp)
  target_link_libraries(test_dlpack_python PRIVATE tessera::tessera tessera_warnings)
  set_target_properties(test_dlpack_python PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(test_dlpack_python PRIVATE -O0)
  foreach(peer numpy torch jax)
    add_test(NAME interop.dlpack_${peer}
             COMMAND ${TESSERA_NUMPY_PYTHON} ${PROJECT_SOURCE_DIR}/tests/interop/dlpack_python.py $<TARGET_FILE:test_dlpack_python> ${peer})
    tessera_run_test(interop.dlpack_${peer} interop 120)
    set_tests_properties(interop.dlpack_${peer} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
