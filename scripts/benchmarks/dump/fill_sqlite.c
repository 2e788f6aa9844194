// Fills a table of SQLite with the objects of a file of lines: FILL DATABASE LINES.
#include <json-c/json.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const NAMES[] = {"id", "a", "b", "c", "d", "e", "f", "g", "name"};
enum { COLUMNS = sizeof NAMES / sizeof *NAMES };

static void bind(sqlite3_stmt *insert, int column, struct json_object *value) {
  switch (json_object_get_type(value)) {
    case json_type_double: sqlite3_bind_double(insert, column, json_object_get_double(value)); break;
    case json_type_string:
      sqlite3_bind_text(insert, column, json_object_get_string(value), -1, SQLITE_TRANSIENT);
      break;
    case json_type_null: sqlite3_bind_null(insert, column); break;
    default: sqlite3_bind_int64(insert, column, json_object_get_int64(value)); break;
  }
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  sqlite3 *database;
  FILE *file = fopen(arguments[2], "rb");
  if (!file || sqlite3_open(arguments[1], &database) != SQLITE_OK) return 74;
  sqlite3_exec(database,
               "create table mixed(id integer primary key, a integer, b integer, c real, d real, "
               "e integer, f integer, g integer, name text); begin",
               NULL, NULL, NULL);
  sqlite3_stmt *insert;
  if (sqlite3_prepare_v2(database, "insert into mixed values(?,?,?,?,?,?,?,?,?)", -1, &insert,
                         NULL) != SQLITE_OK) {
    return 70;
  }
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) > 0) {
    struct json_object *object = json_tokener_parse(line), *value;
    if (!object) return 65;
    for (int i = 0; i < COLUMNS; i++) {
      if (json_object_object_get_ex(object, NAMES[i], &value)) bind(insert, i + 1, value);
    }
    json_object_put(object);
    if (sqlite3_step(insert) != SQLITE_DONE) return 74;
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(database, "commit", NULL, NULL, NULL);
  free(line);
  fclose(file);
  return sqlite3_close(database) == SQLITE_OK ? 0 : 74;
}
