// Inserts the objects of a file of lines into a new database of SQLite, from memory: INSERT DATABASE LINES.
//
// Reading the lines comes before, and is not a part of what is measured. The seconds of the rest are printed, by the
// clock and of the processor: tables, prepared inserts in one transaction without a journal, the index, and the sync.
#include <fcntl.h>
#include <json-c/json.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *const NAMES[] = {"id", "a", "b", "c", "d", "e", "f", "g", "name"};
enum { COLUMNS = sizeof NAMES / sizeof *NAMES };

struct value {
  enum json_type type;
  int length;
  union {
    int64_t integer;
    double number;
    char *text;
  };
};

struct row {
  struct value values[COLUMNS];
};

static struct value value_of(struct json_object *json) {
  struct value value = {.type = json_object_get_type(json)};
  switch (value.type) {
    case json_type_null: break;
    case json_type_double: value.number = json_object_get_double(json); break;
    case json_type_string:
      value.length = json_object_get_string_len(json);
      value.text = strndup(json_object_get_string(json), (size_t)value.length);
      break;
    default: value.integer = json_object_get_int64(json);
  }
  return value;
}

static void bind(sqlite3_stmt *insert, int column, const struct value *value) {
  switch (value->type) {
    case json_type_null: sqlite3_bind_null(insert, column); break;
    case json_type_double: sqlite3_bind_double(insert, column, value->number); break;
    case json_type_string: sqlite3_bind_text(insert, column, value->text, value->length, SQLITE_STATIC); break;
    default: sqlite3_bind_int64(insert, column, value->integer);
  }
}

static struct row *read_rows(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(74);
  char *line = NULL;
  size_t capacity = 0, room = 0;
  struct row *rows = NULL;
  while (getline(&line, &capacity, file) > 0) {
    if (*count == room) {
      room = room ? 2 * room : 1024;
      rows = realloc(rows, room * sizeof *rows);
      if (!rows) exit(70);
    }
    struct json_object *object = json_tokener_parse(line), *member;
    if (!object) exit(65);
    for (int i = 0; i < COLUMNS; i++) {
      json_object_object_get_ex(object, NAMES[i], &member);
      rows[*count].values[i] = value_of(member);
    }
    json_object_put(object);
    ++*count;
  }
  free(line);
  fclose(file);
  return rows;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double processor(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  size_t size = 0;
  struct row *rows = read_rows(arguments[2], &size);
  double start = now(), spent = processor();
  sqlite3 *database;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(arguments[1], &database, flags, NULL) != SQLITE_OK) return 74;
  sqlite3_exec(database,
               "pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32768; "
               "create table mixed(id integer primary key, a integer, b integer, c real, d real, "
               "e integer, f integer, g integer, name text) strict; begin",
               NULL, NULL, NULL);
  sqlite3_stmt *insert;
  if (sqlite3_prepare_v2(database, "insert into mixed values(?,?,?,?,?,?,?,?,?)", -1, &insert, NULL) != SQLITE_OK) {
    return 70;
  }
  for (size_t i = 0; i < size; i++) {
    for (int column = 0; column < COLUMNS; column++) bind(insert, column + 1, &rows[i].values[column]);
    if (sqlite3_step(insert) != SQLITE_DONE) return 74;
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  if (sqlite3_exec(database, "create index by_f on mixed(f); commit", NULL, NULL, NULL) != SQLITE_OK) {
    return 74;
  }
  if (sqlite3_close(database) != SQLITE_OK) return 74;
  int file = open(arguments[1], O_RDONLY);
  if (file < 0 || fsync(file) != 0) return 74;
  printf("%f %f\n", now() - start, processor() - spent);
  return 0;
}
