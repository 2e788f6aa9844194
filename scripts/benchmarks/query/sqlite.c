// The queries of `scripts/bench query` in SQLite, with prepared statements: PROGRAM OPERATION DIRECTORY
// COUNT SEED. It gets a larger cache than it comes with, since the other stores use as much memory.
#include "../sqlite.h"

static int64_t times;

static void add_row(sqlite3_stmt *statement) {
  checksum += sum_of_row(statement);
  object_count++;
}

static void open_store(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/mixed.sqlite", request.directory);
  // A connection that one thread uses needs no lock round each call.
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  check(sqlite3_open_v2(path, &database, flags, NULL), "open");
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA cache_size = -262144");
  execute("CREATE TABLE IF NOT EXISTS mixed (id INTEGER PRIMARY KEY, a INTEGER NOT NULL,"
          " b INTEGER NOT NULL, c REAL NOT NULL, d REAL NOT NULL, e INTEGER NOT NULL,"
          " f INTEGER NOT NULL, g INTEGER NOT NULL, name TEXT NOT NULL, owner INTEGER NOT NULL)");
  execute("CREATE INDEX IF NOT EXISTS mixed_f ON mixed (f)");
  execute("CREATE INDEX IF NOT EXISTS mixed_owner ON mixed (owner)");
  execute("CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER)");
  execute("CREATE INDEX IF NOT EXISTS owner_rank ON owner (rank)");
}

static void fill(void) {
  start_measure(&measure);
  execute("BEGIN IMMEDIATE");
  sqlite3_stmt *owner = prepare("INSERT INTO owner VALUES (?1, 'Owner ' || ?1, ?2)");
  for (int64_t id = 1; id <= OWNERS; id++) {
    sqlite3_bind_int64(owner, 1, id);
    sqlite3_bind_int(owner, 2, rank_of(id));
    step(owner);
  }
  sqlite3_stmt *insert =
      prepare("INSERT INTO mixed (" COLUMNS ", owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (int64_t id = 1; id <= request.count; id++) {
    struct mixed object;
    make_mixed(&object, request.seed, request.count, id);
    sqlite3_bind_int64(insert, 1, object.id);
    sqlite3_bind_int64(insert, 2, object.a);
    sqlite3_bind_int(insert, 3, object.b);
    sqlite3_bind_double(insert, 4, object.c);
    sqlite3_bind_double(insert, 5, (double)object.d);
    sqlite3_bind_int(insert, 6, object.e);
    sqlite3_bind_int64(insert, 7, object.f);
    sqlite3_bind_int64(insert, 8, object.g);
    sqlite3_bind_text(insert, 9, object.name, MIXED_NAME_LENGTH, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 10, owner_of(id));
    step(insert);
    object_count++;
  }
  execute("COMMIT");
  execute("ANALYZE");
  stop_measure(&measure);
}

static void rows(const char *sql, int64_t (*value)(uint64_t *, int64_t)) {
  sqlite3_stmt *select = prepare(sql);
  uint64_t random = request.seed;
  start_measure(&measure);
  for (int64_t i = 0; i < times; i++) {
    if (value) sqlite3_bind_int64(select, 1, value(&random, request.count));
    while (step(select)) add_row(select);
  }
  stop_measure(&measure);
}

static void counts(const char *sql, int64_t (*value)(uint64_t *, int64_t)) {
  sqlite3_stmt *select = prepare(sql);
  uint64_t random = request.seed;
  start_measure(&measure);
  for (int64_t i = 0; i < times; i++) {
    if (value) sqlite3_bind_int64(select, 1, value(&random, request.count));
    while (step(select)) object_count += sqlite3_column_int64(select, 0);
  }
  stop_measure(&measure);
}

static void join(void) {
  sqlite3_stmt *select =
      prepare("SELECT m.id, a, b, c, d, e, f, g, m.name FROM mixed m JOIN owner o ON m.owner = o.id"
              " WHERE o.rank = ?");
  start_measure(&measure);
  for (int64_t i = 0; i < times; i++) {
    sqlite3_bind_int64(select, 1, i);
    while (step(select)) add_row(select);
  }
  stop_measure(&measure);
}

static void sums(const char *sql) {
  sqlite3_stmt *select = prepare(sql);
  start_measure(&measure);
  for (int64_t i = 0; i < times; i++) {
    while (step(select)) {
      object_count += sqlite3_column_int64(select, 1);
      checksum += (uint64_t)sqlite3_column_int64(select, 0) * (uint64_t)sqlite3_column_int64(select, 2);
    }
  }
  stop_measure(&measure);
}

int main(int argument_count, char **arguments) {
  request = read_request(argument_count, arguments);
  const char *operation = request.operation;
  times = repetitions_of(operation);
  open_store();
  if (!strcmp(operation, "fill")) fill();
  else if (!strcmp(operation, "look-up"))
    rows("SELECT " COLUMNS " FROM mixed WHERE f = ?", next_value);
  else if (!strcmp(operation, "count-equal"))
    counts("SELECT count(*) FROM mixed WHERE f = ?", next_value);
  else if (!strcmp(operation, "contains"))
    counts("SELECT count(*) FROM mixed WHERE instr(name, 'abc') > 0", NULL);
  else if (!strcmp(operation, "contains-nocase"))
    counts("SELECT count(*) FROM mixed WHERE name LIKE '%ABC%'", NULL);
  else if (!strcmp(operation, "first-ten"))
    rows("SELECT " COLUMNS " FROM mixed ORDER BY f, id LIMIT 10", NULL);
  else if (!strcmp(operation, "sort-ten"))
    rows("SELECT " COLUMNS " FROM mixed ORDER BY name, id LIMIT 10", NULL);
  else if (!strcmp(operation, "join")) join();
  else if (!strcmp(operation, "sum")) sums("SELECT sum(b), count(b), 1 FROM mixed");
  else if (!strcmp(operation, "group"))
    sums("SELECT sum(b), count(b), owner FROM mixed GROUP BY owner");
  else return 64;
  print_measure(&measure, object_count, checksum);
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(database, NULL))) sqlite3_finalize(statement);
  check(sqlite3_close(database), "close");
  return 0;
}
