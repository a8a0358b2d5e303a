# SPDX-License-Identifier: Apache-2.0
# Tests that mpiexec starts: tests/<stage>/<stem>_ranks.cpp, each a program, run as 1, 2 and 4 processes; more at night.
include_guard(GLOBAL)

if(TARGET tessera::mpi AND TARGET tessera::nccl)
  add_executable(gpu_program ${tests}/comm/gpu_program.cpp)
  target_link_libraries(gpu_program PRIVATE tessera::engine tessera::mpi tessera::nccl)
  file(GLOB gpus /dev/nvidia[0-9]*)
  list(LENGTH gpus count)
  add_test(NAME comm.nccl COMMAND ${TESSERA_MPIEXEC} -n ${count} $<TARGET_FILE:gpu_program>)
  tessera_run_test(comm.nccl comm 300)
endif()
if(NOT TARGET tessera::mpi OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  message(STATUS "No tests of several processes here")
  return()
endif()

# Open MPI must be told that more processes than cores, and the superuser, are meant.
set(TESSERA_RANKS_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TESSERA_DEADLINE=60)
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${TESSERA_RANKS_ENVIRONMENT} ${TESSERA_MPIEXEC} --version
                OUTPUT_VARIABLE version ERROR_VARIABLE version)
set(TESSERA_MPIEXEC_FLAGS "")
if(version MATCHES "Open MPI|OpenRTE|PRRTE|prte")
  set(TESSERA_MPIEXEC_FLAGS --oversubscribe)
endif()
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")  # MPI's own
  list(APPEND TESSERA_RANKS_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()

# tessera_ranks_test(<name> <label> <seconds> <ranks> <program> <argument>...)
function(tessera_ranks_test name label timeout ranks program)
  add_test(NAME ${name}.${ranks}
           COMMAND ${TESSERA_MPIEXEC} ${TESSERA_MPIEXEC_FLAGS} -n ${ranks} $<TARGET_FILE:${program}> ${ARGN})
  tessera_run_test(${name}.${ranks} ${label} ${timeout})
  set_property(TEST ${name}.${ranks} APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT})
  set_tests_properties(${name}.${ranks} PROPERTIES PROCESSORS 2)
endfunction()

set(counts 1 2 4)
if(TESSERA_NIGHTLY)
  list(APPEND counts 3 8 9)  # nine ask MPI for what eight do themselves
endif()
foreach(source IN LISTS ranks_sources)
  string(REGEX MATCH "/([^/]+)/([^/]+)_ranks\\.cpp$" name ${source})
  set(stage ${CMAKE_MATCH_1})
  set(stem ${CMAKE_MATCH_2})
  set(program ranks_${stage}_${stem})
  add_executable(${program} ${source} ${tests}/support/main.cpp)
  tessera_use_test_kind(${program} run)
  target_link_libraries(${program} PRIVATE tessera::mpi)
  set_target_properties(${program} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # theirs is without TESSERA_MPI
  foreach(count IN LISTS counts)
    tessera_ranks_test(${stage}.${stem}_ranks ${stage} 300 ${count} ${program})
  endforeach()
endforeach()

add_executable(failing_program ${tests}/comm/failing_program.cpp)
target_link_libraries(failing_program PRIVATE tessera::engine tessera::mpi tessera_warnings)
add_test(NAME comm.mpi_failures
  COMMAND ${Python3_EXECUTABLE} ${tests}/comm/mpi_failures.py $<TARGET_FILE:failing_program> ${TESSERA_MPIEXEC} ${TESSERA_MPIEXEC_FLAGS})
tessera_run_test(comm.mpi_failures comm 300)
set_property(TEST comm.mpi_failures APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT})
set_tests_properties(comm.mpi_failures PROPERTIES PROCESSORS 2)
if(TESSERA_NIGHTLY)
  set_tests_properties(comm.mpi_failures PROPERTIES TIMEOUT 3600)
endif()

# Loaded before MPI's library, it makes a call of MPI fail or its rank stop: tests/comm/mpi_joins.py.
add_library(mpi_faults MODULE ${tests}/comm/mpi_faults_program.cpp)
target_link_libraries(mpi_faults PRIVATE tessera_mpi_library tessera_warnings)
add_executable(joining_program ${tests}/comm/joining_program.cpp)
target_link_libraries(joining_program PRIVATE tessera::engine tessera::mpi tessera_warnings)
add_test(NAME comm.mpi_joins
  COMMAND ${Python3_EXECUTABLE} ${tests}/comm/mpi_joins.py $<TARGET_FILE:joining_program> $<TARGET_FILE:mpi_faults>
          ${TESSERA_MPIEXEC} ${TESSERA_MPIEXEC_FLAGS})
tessera_run_test(comm.mpi_joins comm 300)
set_property(TEST comm.mpi_joins APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT})
set_tests_properties(comm.mpi_joins PROPERTIES PROCESSORS 2)
if(TESSERA_NIGHTLY)
  set_tests_properties(comm.mpi_joins PROPERTIES TIMEOUT 7200)
endif()

add_executable(different_program ${tests}/api/different_program.cpp)
target_link_libraries(different_program PRIVATE tessera::engine tessera::mpi tessera_warnings)
add_test(NAME api.different_programs
  COMMAND ${Python3_EXECUTABLE} ${tests}/api/different_programs.py $<TARGET_FILE:different_program> ${TESSERA_MPIEXEC} ${TESSERA_MPIEXEC_FLAGS})
tessera_run_test(api.different_programs api 900)
set_property(TEST api.different_programs APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT} OMP_NUM_THREADS=1)
set_tests_properties(api.different_programs PROPERTIES PROCESSORS 2)

foreach(program IN ITEMS one_source other_source)
  add_executable(${program} ${tests}/api/two_sources_program.cpp)
  target_link_libraries(${program} PRIVATE tessera::engine tessera::mpi tessera_warnings)
endforeach()
target_compile_definitions(other_source PRIVATE OTHER)
add_test(NAME api.two_sources
  COMMAND ${Python3_EXECUTABLE} ${tests}/api/two_sources.py $<TARGET_FILE:one_source> $<TARGET_FILE:other_source> ${TESSERA_MPIEXEC}
          ${TESSERA_MPIEXEC_FLAGS})
tessera_run_test(api.two_sources api 300)
set_property(TEST api.two_sources APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT} OMP_NUM_THREADS=1)
set_tests_properties(api.two_sources PROPERTIES PROCESSORS 2)

add_executable(communicator_program ${tests}/api/communicator_program.cpp)
target_link_libraries(communicator_program PRIVATE tessera::engine tessera::mpi tessera_warnings)
foreach(count IN ITEMS 1 2 4)
  tessera_ranks_test(api.communicator api 120 ${count} communicator_program)
endforeach()
add_executable(saving_program ${tests}/checkpoint/saving_program.cpp)
target_link_libraries(saving_program PRIVATE tessera::engine tessera::mpi tessera_warnings)
add_test(NAME checkpoint.killed_ranks
  COMMAND ${Python3_EXECUTABLE} ${tests}/checkpoint/killed_ranks.py $<TARGET_FILE:saving_program> ${TESSERA_MPIEXEC} ${TESSERA_MPIEXEC_FLAGS})
tessera_run_test(checkpoint.killed_ranks checkpoint 300)
set_property(TEST checkpoint.killed_ranks APPEND PROPERTY ENVIRONMENT ${TESSERA_RANKS_ENVIRONMENT} OMP_NUM_THREADS=1)
set_tests_properties(checkpoint.killed_ranks PROPERTIES PROCESSORS 2)
if(TESSERA_NIGHTLY)
  set_tests_properties(checkpoint.killed_ranks PROPERTIES TIMEOUT 3600)
endif()

# Whole stages again, their devices in several processes: tests compare whole arrays, so to_host gathers. Left out: what
# needs a mesh of fewer devices than processes, and what counts the copies, messages or printed lines of one process.
set(left_out groups.on_lines_of_devices groups.count_copies shard_map_on_a_mesh.the_current_one_by_its_type
    ragged_all_to_all.of_one_device ragged_all_to_all.between_two ragged_all_to_all.between_three ragged_all_to_all.of_a_few_numbers
    ragged_all_to_all.over_axes_of_several ragged_all_to_all.along_one_axis_of_a_square placement.*
    jvp.prints_once)
list(JOIN left_out ":" left_out)
math(EXPR seconds "2 * ${TESSERA_TEST_SECONDS}")
set(programs manual_run control_run transform_run)
if(TESSERA_NIGHTLY)
  list(APPEND programs testing_run)  # minutes
endif()
foreach(program IN LISTS programs)
  foreach(count IN ITEMS 2 4)
    tessera_ranks_test(processes.${program} processes ${seconds} ${count} test_${program} --gtest_filter=-${left_out} --gtest_brief=1)
    set_property(TEST processes.${program}.${count} APPEND PROPERTY ENVIRONMENT TESSERA_GATHER_TO_HOST=1 OMP_NUM_THREADS=1)
  endforeach()
endforeach()
