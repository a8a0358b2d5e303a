# SPDX-License-Identifier: Apache-2.0
# What takes too long for every run: the workflows of the other presets, each in its own build tree.
include_guard(GLOBAL)

# tessera_nightly(<preset> <program it needs> <how to get it>)
function(tessera_nightly preset program hint)
  find_program(TESSERA_HAS_${program} ${program} PATHS /usr/local/cuda/bin)
  mark_as_advanced(TESSERA_HAS_${program})
  if(TESSERA_HAS_${program})
    add_test(NAME nightly.${preset} COMMAND ${CMAKE_COMMAND} --workflow --preset ${preset} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(nightly.${preset} PROPERTIES LABELS nightly RUN_SERIAL ON TIMEOUT 14400)
  else()
    tessera_skipped_test(nightly.${preset} nightly "no ${program} (${hint})")
  endif()
endfunction()

tessera_nightly(gcc g++ "apt install g++")
tessera_nightly(clang-19 clang++-19 "apt install clang-19 libomp-19-dev")
tessera_nightly(asan-ubsan clang++-19 "apt install clang-19 libomp-19-dev libclang-rt-19-dev")
tessera_nightly(tsan clang++-19 "apt install clang-19 libomp-19-dev libclang-rt-19-dev")
tessera_nightly(release g++ "apt install g++")
tessera_nightly(cuda nvcc "the CUDA toolkit, 13 or newer")
