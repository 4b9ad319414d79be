# Writes OUTPUT, a C file that holds the text of every scenario in FILES (separated by commas), sorted by name.
# Run with cmake -P. Each text is an array of bytes, which any content and any length can be written as.

string(REPLACE "," ";" files "${FILES}")
set(names "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WLE)
  list(APPEND names "${name}")
  set("file_of_${name}" "${file}")
endforeach()
list(SORT names)

set(texts "")
set(entries "")
set(index 0)
foreach(name IN LISTS names)
  file(READ "${file_of_${name}}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND texts "static const char text_${index}[] = {${bytes}0};\n")
  string(APPEND entries "  {\"${name}\", text_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE "${OUTPUT}" "#include \"scenes/builtin.h\"

#include <stddef.h>

${texts}
const wy_builtin_scenario wy_builtin_scenarios[] = {
${entries}  {NULL, NULL},
};
const int wy_builtin_scenario_count = ${index};
")
