# SPDX-License-Identifier: Apache-2.0
# Random programs as users would write them: 16 by generate.py, and 6 over Auto axes by generate_planned.py; at night 320 and
# 300. Their seeds are their names.
include_guard(GLOBAL)

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/typed_programs)
# tessera_random_programs(<generator> <files> <programs in each> <their name>): appends them to `parts`.
function(tessera_random_programs generator files each name)
  math(EXPR last "${files} - 1")
  foreach(part RANGE ${last})
    math(EXPR seed "${each} * ${part}")
    set(source ${PROJECT_BINARY_DIR}/typed_programs/${name}_${seed}.cpp)
    add_custom_command(OUTPUT ${source}
      COMMAND ${Python3_EXECUTABLE} ${tests}/typed_programs/${generator}.py ${seed} ${each} ${source}
      DEPENDS ${tests}/typed_programs/${generator}.py)
    list(APPEND parts ${source})
  endforeach()
  set(parts ${parts} PARENT_SCOPE)
endfunction()

set(parts "")
if(TESSERA_NIGHTLY)
  tessera_random_programs(generate 10 32 from)
  tessera_random_programs(generate_planned 10 30 planned_from)
else()
  tessera_random_programs(generate 1 16 from)
  tessera_random_programs(generate_planned 1 6 planned_from)
endif()
add_executable(test_typed_programs_run ${parts})
tessera_use_test_kind(test_typed_programs_run run)
list(APPEND test_programs typed_programs_run)
