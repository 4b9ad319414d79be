# SPDX-License-Identifier: MIT
# Writes OUTPUT, a C file that holds the bytes of FILE as the wy_embedded_file NAME (draw/embedded.h). Run with cmake -P.
# The bytes stand in string literals, which compile much faster than lists of numbers, and which C limits in length.

set(piece 2048)
file(SIZE "${FILE}" size)
set(pieces "")
set(at 0)
while(at LESS size)
  file(READ "${FILE}" bytes OFFSET ${at} LIMIT ${piece} HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(APPEND pieces "  \"${bytes}\",\n")
  math(EXPR at "${at} + ${piece}")
endwhile()

file(WRITE "${OUTPUT}" "#include \"draw/embedded.h\"

static const char *const pieces[] = {
${pieces}};
const wy_embedded_file ${NAME} = {pieces, ${piece}, ${size}};
")
