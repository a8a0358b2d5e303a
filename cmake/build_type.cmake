# SPDX-License-Identifier: Apache-2.0
# Says so where a project would compile Tessera without optimization and has not asked for that.
include_guard(GLOBAL)

get_property(tessera_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT tessera_multi_config AND NOT CMAKE_CXX_FLAGS MATCHES "-O")
  message(WARNING "tessera: CMAKE_BUILD_TYPE is empty, so everything is compiled without optimization, and programs run many "
                  "times slower. Fix: cmake -D CMAKE_BUILD_TYPE=Release; or -D CMAKE_CXX_FLAGS=-O0 if that is meant.")
endif()
unset(tessera_multi_config)
