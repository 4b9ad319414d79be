/* A user of the installed library, in C and C++: prints the version and fails if header and library differ. */
#include <stdio.h>
#include <string.h>
#include <withy/withy.h>

int main(void) {
  printf("withy %s\n", wy_version());
  return strcmp(wy_version(), WY_VERSION) != 0;
}
