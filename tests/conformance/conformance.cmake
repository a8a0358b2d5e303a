# SPDX-License-Identifier: Apache-2.0
# The public cases, each file a test: what JAX answered, against our answers through the typed door.
include_guard(GLOBAL)

set(families propagate modes grad forward gspmd layout messages messages_indices messages_random shard_map_types variants)
if(TESSERA_NIGHTLY)
  list(APPEND families shard_map_values forward_values)  # programs that run: a quarter of an hour each
endif()
# Values are asked of several processes, too.
set(several "")
if(TARGET ranks_comm_suite)
  set(several --processes 2 4)
endif()
# By day some of the longest: of each operation, verdict and feature one case in eight, and at least one.
foreach(family IN ITEMS propagate forward variants shard_map_types messages modes grad messages_indices messages_random)
  set(part_${family} --every 8)
  if(TESSERA_NIGHTLY)
    set(part_${family} "")
  endif()
endforeach()
foreach(family IN LISTS families)
  add_test(NAME conformance.${family}
    COMMAND ${Python3_EXECUTABLE} ${tests}/conformance/run.py --cases ${tests}/conformance/${family}.jsonl --build ${PROJECT_BINARY_DIR} ${several} ${part_${family}})
  tessera_run_test(conformance.${family} conformance 2400)
  set_tests_properties(conformance.${family} PROPERTIES PROCESSORS 2)
endforeach()
set_tests_properties(conformance.propagate PROPERTIES COST 400)
