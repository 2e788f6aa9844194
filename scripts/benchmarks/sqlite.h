// What both benchmarks of SQLite do alike: they check codes, and run prepared statements.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "workload.h"

#define COLUMNS "id, a, b, c, d, e, f, g, name"

static struct request request;
static struct measure measure;
static sqlite3 *database;
static uint64_t checksum;
static int64_t object_count;

static void check(int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "sqlite: %s: %s\n", what, sqlite3_errmsg(database));
  exit(70);
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL), sql); }

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
  return statement;
}

static int step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) return 1;
  check(code, "step");
  check(sqlite3_reset(statement), "reset");
  return 0;
}

static uint64_t sum_of_row(sqlite3_stmt *statement) {
  const unsigned char *name = sqlite3_column_text(statement, 8);
  return sum_of(sqlite3_column_int64(statement, 1), sqlite3_column_int(statement, 2),
                sqlite3_column_double(statement, 3), (float)sqlite3_column_double(statement, 4),
                (uint8_t)sqlite3_column_int(statement, 5), sqlite3_column_int64(statement, 6),
                sqlite3_column_int64(statement, 7), name,
                (size_t)sqlite3_column_bytes(statement, 8));
}
