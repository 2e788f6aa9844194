// SQLite with prepared statements, a write-ahead log, and every commit on disk before it returns.
// It gets a larger cache than it comes with, since the other stores use as much memory.
#include "../../sqlite.h"

static void run(sqlite3_stmt *statement) {
  check(sqlite3_step(statement), "step");
  check(sqlite3_reset(statement), "reset");
}

// MARK: rows

static void bind(sqlite3_stmt *statement, const struct mixed *object) {
  sqlite3_bind_int64(statement, 1, object->id);
  sqlite3_bind_int64(statement, 2, object->a);
  sqlite3_bind_int(statement, 3, object->b);
  sqlite3_bind_double(statement, 4, object->c);
  sqlite3_bind_double(statement, 5, (double)object->d);
  sqlite3_bind_int(statement, 6, object->e);
  sqlite3_bind_int64(statement, 7, object->f);
  sqlite3_bind_int64(statement, 8, object->g);
  check(sqlite3_bind_text(statement, 9, object->name, MIXED_NAME_LENGTH, SQLITE_STATIC), "bind");
}

static void read_row(sqlite3_stmt *statement, struct mixed *object) {
  object->id = sqlite3_column_int64(statement, 0);
  object->a = sqlite3_column_int64(statement, 1);
  object->b = sqlite3_column_int(statement, 2);
  object->c = sqlite3_column_double(statement, 3);
  object->d = (float)sqlite3_column_double(statement, 4);
  object->e = (uint8_t)sqlite3_column_int(statement, 5);
  object->f = sqlite3_column_int64(statement, 6);
  object->g = sqlite3_column_int64(statement, 7);
  memcpy(object->name, sqlite3_column_text(statement, 8), MIXED_NAME_LENGTH);
}

// MARK: the store

static void open_store(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/mixed.sqlite", request.directory);
  // A connection that one thread uses needs no lock round each call.
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  check(sqlite3_open_v2(path, &database, flags, NULL), "open");
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA cache_size = -65536");
  execute("CREATE TABLE IF NOT EXISTS mixed (id INTEGER PRIMARY KEY, a INTEGER NOT NULL,"
          " b INTEGER NOT NULL, c REAL NOT NULL, d REAL NOT NULL, e INTEGER NOT NULL,"
          " f INTEGER NOT NULL, g INTEGER NOT NULL, name TEXT NOT NULL)");
  execute("CREATE INDEX IF NOT EXISTS mixed_f ON mixed (f)");
}

// Without this the log stays as it is, and whoever opens the database next reads through it.
static void close_store(void) {
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(database, NULL))) sqlite3_finalize(statement);
  check(sqlite3_close(database), "close");
}

// MARK: operations

static void put_in_batches(int64_t first, int64_t last, int64_t batch) {
  sqlite3_stmt *insert =
      prepare("INSERT INTO mixed (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  start_measure(&measure);
  while (first <= last) {
    run(begin);
    for (int64_t left = batch; left > 0 && first <= last; left--, first++) {
      struct mixed object;
      make_mixed(&object, request.seed, request.count, first);
      checksum += sum_of_mixed(&object);
      bind(insert, &object);
      run(insert);
      object_count++;
    }
    about_to_commit(&measure);
    run(commit);
  }
  stop_measure(&measure);
}

// Outside of a transaction each statement is one of its own.
static void get(int in_one_transaction) {
  sqlite3_stmt *select = prepare("SELECT " COLUMNS " FROM mixed WHERE id = ?");
  uint64_t random = request.seed;
  start_measure(&measure);
  if (in_one_transaction) execute("BEGIN");
  for (int64_t i = 0; i < request.count; i++) {
    sqlite3_bind_int64(select, 1, next_id(&random, request.count));
    if (!step(select)) continue;
    checksum += sum_of_row(select);
    object_count++;
    check(sqlite3_reset(select), "reset");
  }
  if (in_one_transaction) execute("COMMIT");
  stop_measure(&measure);
}

static void visit(void) {
  sqlite3_stmt *select = prepare("SELECT " COLUMNS " FROM mixed");
  start_measure(&measure);
  while (step(select)) {
    checksum += sum_of_row(select);
    object_count++;
  }
  stop_measure(&measure);
}

static void look_up(void) {
  sqlite3_stmt *select = prepare("SELECT " COLUMNS " FROM mixed WHERE f = ?");
  uint64_t random = request.seed;
  start_measure(&measure);
  execute("BEGIN");
  for (int64_t i = 0; i < request.count / OBJECTS_PER_VALUE; i++) {
    sqlite3_bind_int64(select, 1, next_value(&random, request.count));
    while (step(select)) {
      checksum += sum_of_row(select);
      object_count++;
    }
  }
  execute("COMMIT");
  stop_measure(&measure);
}

static void contains(void) {
  sqlite3_stmt *select = prepare("SELECT count(*) FROM mixed WHERE instr(name, 'abc') > 0");
  start_measure(&measure);
  while (step(select)) object_count = sqlite3_column_int64(select, 0);
  stop_measure(&measure);
}

// Sets all columns, as whoever stores an object does who does not know what changed in it. Rows
// are read ahead, since a cursor over a table that is written to loses its place each time.
static void rewrite_in_batches(int64_t batch) {
  sqlite3_stmt *select =
      prepare("SELECT " COLUMNS " FROM mixed WHERE id > ? ORDER BY id LIMIT ?");
  sqlite3_stmt *update = prepare("UPDATE mixed SET a = ?2, b = ?3, c = ?4, d = ?5, e = ?6, f = ?7,"
                                 " g = ?8, name = ?9 WHERE id = ?1");
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  struct mixed *read = malloc(BATCH * sizeof *read);
  int64_t last = 0, in_transaction = 0;
  start_measure(&measure);
  for (;;) {
    if (in_transaction == 0) run(begin);
    sqlite3_bind_int64(select, 1, last);
    sqlite3_bind_int64(select, 2, BATCH);
    int64_t count = 0;
    while (step(select)) read_row(select, &read[count++]);
    for (int64_t i = 0; i < count; i++) {
      read[i].a = with_one_added(read[i].a);
      checksum += sum_of_mixed(&read[i]);
      bind(update, &read[i]);
      run(update);
    }
    object_count += count;
    in_transaction += count;
    if (count > 0) last = read[count - 1].id;
    if (count == 0 || in_transaction >= batch) {
      about_to_commit(&measure);
      run(commit);
      in_transaction = 0;
    }
    if (count == 0) break;
  }
  stop_measure(&measure);
  free(read);
}

static void remove_all(void) {
  start_measure(&measure);
  execute("BEGIN IMMEDIATE");
  execute("DELETE FROM mixed");
  about_to_commit(&measure);
  execute("COMMIT");
  stop_measure(&measure);
}

int main(int argument_count, char **arguments) {
  request = read_request(argument_count, arguments);
  const char *operation = request.operation;
  open_store();
  if (!strcmp(operation, "put-all")) put_in_batches(1, request.count, request.count);
  else if (!strcmp(operation, "put-batches")) put_in_batches(1, request.count, BATCH);
  else if (!strcmp(operation, "get")) get(1);
  else if (!strcmp(operation, "get-singles")) get(0);
  else if (!strcmp(operation, "visit")) visit();
  else if (!strcmp(operation, "look-up")) look_up();
  else if (!strcmp(operation, "contains")) contains();
  else if (!strcmp(operation, "rewrite-all")) rewrite_in_batches(request.count);
  else if (!strcmp(operation, "rewrite-batches")) rewrite_in_batches(BATCH);
  else if (!strcmp(operation, "put-singles"))
    put_in_batches(request.count + 1, request.count + SINGLE_PUTS, 1);
  else if (!strcmp(operation, "remove-all")) remove_all();
  else return 64;
  print_measure(&measure, object_count, checksum);
  close_store();
  return 0;
}
