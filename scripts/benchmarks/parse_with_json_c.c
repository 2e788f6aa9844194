// Parses each file named on the command line into a tree with json-c, one after the other, and frees
// the tree: the peer that a merge of three files is measured against.
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, long *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)*size + 1);
  if (bytes && fread(bytes, 1, (size_t)*size, file) != (size_t)*size) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

int main(int count, char **paths) {
  for (int i = 1; i < count; i++) {
    long size = 0;
    char *bytes = read_file(paths[i], &size);
    if (!bytes) return 74;
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *tree = json_tokener_parse_ex(tokener, bytes, (int)size);
    if (!tree) return 65;
    json_object_put(tree);
    json_tokener_free(tokener);
    free(bytes);
  }
  return 0;
}
