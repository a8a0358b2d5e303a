# SPDX-License-Identifier: Apache-2.0
# include/tessera/gdb.py in a gdb, on a program with debug information; skipped where there is no gdb.
include_guard(GLOBAL)

find_program(TESSERA_GDB gdb)
mark_as_advanced(TESSERA_GDB)
if(NOT TESSERA_GDB OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  tessera_skipped_test(view.gdb_printers view "there is no gdb, or this build is not for it")
else()
  add_executable(gdb_program ${PROJECT_SOURCE_DIR}/tests/view/gdb_program.cpp)
  tessera_use_test_kind(gdb_program run)
  target_compile_options(gdb_program PRIVATE -g -O0)
  set_target_properties(gdb_program PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # theirs is without -g
  add_test(NAME view.gdb_printers
           COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/view/gdb_printers.py $<TARGET_FILE:gdb_program>)
  tessera_run_test(view.gdb_printers view 120)
  set_tests_properties(view.gdb_printers PROPERTIES SKIP_RETURN_CODE 77)
endif()
