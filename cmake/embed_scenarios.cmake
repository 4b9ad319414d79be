# SPDX-License-Identifier: MIT
# Writes OUTPUT, a C file that holds the text of every scenario in FILES (separated by commas) and of the tables that
# they name (*.csv), sorted by name.
# Run with cmake -P. Each text is an array of bytes, which any content and any length can be written as.

string(REPLACE "," ";" files "${FILES}")
set(names "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  string(REGEX REPLACE "\\.yaml$" "" name "${name}")
  list(APPEND names "${name}")
  set("file_of_${name}" "${file}")
endforeach()
list(SORT names)

set(texts "")
set(entries "")
set(tables "")
set(index 0)
set(scenario_count 0)
set(table_count 0)
foreach(name IN LISTS names)
  file(READ "${file_of_${name}}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND texts "static const char text_${index}[] = {${bytes}0};\n")
  if(name MATCHES "\\.csv$")
    string(APPEND tables "  {\"${name}\", text_${index}},\n")
    math(EXPR table_count "${table_count} + 1")
  else()
    string(APPEND entries "  {\"${name}\", text_${index}},\n")
    math(EXPR scenario_count "${scenario_count} + 1")
  endif()
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE "${OUTPUT}" "#include \"scenes/builtin.h\"

#include <stddef.h>

${texts}
const wy_builtin_scenario wy_builtin_scenarios[] = {
${entries}  {NULL, NULL},
};
const int wy_builtin_scenario_count = ${scenario_count};

const wy_scenario_file wy_builtin_files[] = {
${tables}  {NULL, NULL},
};
const int wy_builtin_file_count = ${table_count};
")
