// Parses a file of lines with json-c alone, and takes the fields of each object out: what an import is
// measured against.
#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// A number that changes with any of the fields, so that none is left unread.
static uint64_t sum_of(struct json_object *object) {
  uint64_t sum = 0;
  json_object_object_foreach(object, key, value) {
    (void)key;
    switch (json_object_get_type(value)) {
      case json_type_boolean: sum += (uint64_t)json_object_get_boolean(value); break;
      case json_type_int: sum += (uint64_t)json_object_get_int64(value); break;
      case json_type_double: sum += (uint64_t)(json_object_get_double(value) * 1e6); break;
      case json_type_string: sum += (uint64_t)json_object_get_string_len(value); break;
      case json_type_object: sum += sum_of(value); break;
      default: break;
    }
  }
  return sum;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return 74;
  double start = seconds();
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  long objects = 0;
  uint64_t sum = 0;
  struct json_tokener *tokener = json_tokener_new();
  while ((length = getline(&line, &capacity, file)) > 0) {
    json_tokener_reset(tokener);
    struct json_object *object = json_tokener_parse_ex(tokener, line, (int)length);
    if (!object) return 65;
    sum += sum_of(object);
    json_object_put(object);
    objects++;
  }
  printf("{\"seconds\": %.6f, \"objects\": %ld, \"sum\": %llu}\n", seconds() - start, objects,
         (unsigned long long)sum);
  json_tokener_free(tokener);
  free(line);
  fclose(file);
  return 0;
}
