# SPDX-License-Identifier: Apache-2.0
# Random programs as users would write them, made by generate.py: 32, at night 320. Their seeds are their names.
include_guard(GLOBAL)

set(last 0)
if(TESSERA_NIGHTLY)
  set(last 9)
endif()
set(parts "")
foreach(part RANGE ${last})
  math(EXPR seed "32 * ${part}")
  set(source ${PROJECT_BINARY_DIR}/typed_programs/from_${seed}.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${Python3_EXECUTABLE} ${tests}/typed_programs/generate.py ${seed} 32 ${source}
    DEPENDS ${tests}/typed_programs/generate.py)
  list(APPEND parts ${source})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/typed_programs)
add_executable(test_typed_programs_run ${parts})
tessera_use_test_kind(test_typed_programs_run run)
list(APPEND test_programs typed_programs_run)
