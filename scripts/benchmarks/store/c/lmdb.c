// The limit: LMDB without anything above it, in its best layout for this object.
//
// objects: id -> four bytes (where the engine has a checksum) and a FlatBuffers table
// index:   f -> ids, as duplicates of fixed size
//
// Ids and values are native integers. New objects are appended; index entries are collected and
// written sorted, per transaction.
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>

#include "workload.h"

enum { PREFIX = 4, TABLE = 28, STRING = 80, RECORD = 104 };

// The id has the slot 0 and is not stored: it is the key.
enum { SLOT_A = 1, SLOT_B, SLOT_C, SLOT_D, SLOT_E, SLOT_F, SLOT_G, SLOT_NAME, SLOT_COUNT };

struct entry {
  int64_t value, id;
};

static struct request request;
static struct measure measure;
static MDB_env *env;
static MDB_dbi objects, index_db;
static struct entry *entries;
static size_t entry_count;
static uint64_t checksum;
static int64_t object_count;

static void check(int code, const char *what) {
  if (code == MDB_SUCCESS) return;
  fprintf(stderr, "lmdb-c: %s: %s\n", what, mdb_strerror(code));
  exit(70);
}

// MARK: records

static void put16(unsigned char *at, uint16_t value) { memcpy(at, &value, 2); }
static void put32(unsigned char *at, uint32_t value) { memcpy(at, &value, 4); }

static unsigned char template[PREFIX + RECORD];

static const uint16_t field_offsets[SLOT_COUNT] = {
    [SLOT_A] = 4,  [SLOT_B] = 36, [SLOT_C] = 12, [SLOT_D] = 40,
    [SLOT_E] = 48, [SLOT_F] = 20, [SLOT_G] = 28, [SLOT_NAME] = 44,
};

static void make_template(void) {
  unsigned char *record = template + PREFIX;
  put32(record, TABLE);
  put16(record + 4, 4 + 2 * SLOT_COUNT);
  put16(record + 6, STRING - TABLE);
  for (int slot = 0; slot < SLOT_COUNT; slot++) put16(record + 8 + 2 * slot, field_offsets[slot]);
  put32(record + TABLE, TABLE - 4);
  put32(record + TABLE + field_offsets[SLOT_NAME], STRING - TABLE - field_offsets[SLOT_NAME]);
  put32(record + STRING, MIXED_NAME_LENGTH);
}

static void write_record(unsigned char *bytes, const struct mixed *object) {
  memcpy(bytes, template, sizeof template);
  unsigned char *table = bytes + PREFIX + TABLE;
  memcpy(table + 4, &object->a, 8);
  memcpy(table + 12, &object->c, 8);
  memcpy(table + 20, &object->f, 8);
  memcpy(table + 28, &object->g, 8);
  memcpy(table + 36, &object->b, 4);
  memcpy(table + 40, &object->d, 4);
  table[48] = object->e;
  memcpy(bytes + PREFIX + STRING + 4, object->name, MIXED_NAME_LENGTH);
}

struct view {
  const unsigned char *table, *slots;
  uint16_t size;
};

static inline uint32_t get32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

static inline uint16_t get16(const unsigned char *at) {
  uint16_t value;
  memcpy(&value, at, 2);
  return value;
}

static inline struct view view_of(const MDB_val *value) {
  const unsigned char *record = (const unsigned char *)value->mv_data + PREFIX;
  const unsigned char *table = record + get32(record);
  const unsigned char *vtable = table - (int32_t)get32(table);
  return (struct view){table, vtable + 4, get16(vtable)};
}

// A field is absent if its slot is beyond the table of slots, or 0 in it.
static inline const unsigned char *field(const struct view *view, int slot) {
  uint16_t offset = 4 + 2 * slot < view->size ? get16(view->slots + 2 * slot) : 0;
  return offset ? view->table + offset : NULL;
}

#define READ(type, view, slot)                        \
  __extension__({                                     \
    type value_ = 0;                                  \
    const unsigned char *field_ = field(view, slot);  \
    if (field_) memcpy(&value_, field_, sizeof(type)); \
    value_;                                           \
  })

static inline const unsigned char *read_name(const struct view *view, size_t *length) {
  const unsigned char *at = field(view, SLOT_NAME);
  *length = 0;
  if (!at) return NULL;
  at += get32(at);
  *length = get32(at);
  return at + 4;
}

static inline uint64_t sum_of_record(const MDB_val *value) {
  struct view view = view_of(value);
  size_t length;
  const unsigned char *name = read_name(&view, &length);
  return sum_of(READ(int64_t, &view, SLOT_A), READ(int32_t, &view, SLOT_B),
                READ(double, &view, SLOT_C), READ(float, &view, SLOT_D),
                READ(uint8_t, &view, SLOT_E), READ(int64_t, &view, SLOT_F),
                READ(int64_t, &view, SLOT_G), name, length);
}

static void read_record(const MDB_val *value, int64_t id, struct mixed *object) {
  struct view view = view_of(value);
  size_t length;
  const unsigned char *name = read_name(&view, &length);
  object->id = id;
  object->a = READ(int64_t, &view, SLOT_A);
  object->b = READ(int32_t, &view, SLOT_B);
  object->c = READ(double, &view, SLOT_C);
  object->d = READ(float, &view, SLOT_D);
  object->e = READ(uint8_t, &view, SLOT_E);
  object->f = READ(int64_t, &view, SLOT_F);
  object->g = READ(int64_t, &view, SLOT_G);
  memcpy(object->name, name, length < MIXED_NAME_LENGTH ? length : MIXED_NAME_LENGTH);
}

// MARK: the store

static void open_store(void) {
  make_template();
  check(mdb_env_create(&env), "mdb_env_create");
  check(mdb_env_set_mapsize(env, (size_t)1 << 40), "mdb_env_set_mapsize");
  check(mdb_env_set_maxdbs(env, 2), "mdb_env_set_maxdbs");
  check(mdb_env_open(env, request.directory, 0, 0600), "mdb_env_open");
  MDB_txn *txn;
  check(mdb_txn_begin(env, NULL, 0, &txn), "mdb_txn_begin");
  check(mdb_dbi_open(txn, "objects", MDB_CREATE | MDB_INTEGERKEY, &objects), "mdb_dbi_open");
  check(mdb_dbi_open(txn, "index",
                     MDB_CREATE | MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
                     &index_db),
        "mdb_dbi_open");
  check(mdb_txn_commit(txn), "mdb_txn_commit");
}

static MDB_txn *begin(unsigned flags) {
  MDB_txn *txn;
  check(mdb_txn_begin(env, NULL, flags, &txn), "mdb_txn_begin");
  return txn;
}

static MDB_cursor *cursor_in(MDB_txn *txn, MDB_dbi dbi) {
  MDB_cursor *cursor;
  check(mdb_cursor_open(txn, dbi, &cursor), "mdb_cursor_open");
  return cursor;
}

static MDB_val value_of(int64_t *number) { return (MDB_val){sizeof *number, number}; }

// MARK: operations

static int compare_entries(const void *left, const void *right) {
  const struct entry *l = left, *r = right;
  if (l->value != r->value) return l->value < r->value ? -1 : 1;
  return (l->id > r->id) - (l->id < r->id);
}

static void write_entries(MDB_txn *txn) {
  qsort(entries, entry_count, sizeof *entries, compare_entries);
  MDB_cursor *cursor = cursor_in(txn, index_db);
  for (size_t i = 0; i < entry_count; i++) {
    MDB_val key = value_of(&entries[i].value), data = value_of(&entries[i].id);
    check(mdb_cursor_put(cursor, &key, &data, 0), "mdb_cursor_put");
  }
  mdb_cursor_close(cursor);
  entry_count = 0;
}

static void put_range(MDB_txn *txn, int64_t first, int64_t last) {
  MDB_cursor *cursor = cursor_in(txn, objects);
  for (int64_t id = first; id <= last; id++) {
    struct mixed object;
    make_mixed(&object, request.seed, request.count, id);
    checksum += sum_of_mixed(&object);
    MDB_val key = value_of(&object.id), data = {sizeof template, NULL};
    check(mdb_cursor_put(cursor, &key, &data, MDB_APPEND | MDB_RESERVE), "mdb_cursor_put");
    write_record(data.mv_data, &object);
    entries[entry_count++] = (struct entry){object.f, id};
  }
  mdb_cursor_close(cursor);
  write_entries(txn);
  object_count += last - first + 1;
}

static void put_in_batches(int64_t first, int64_t last, int64_t batch) {
  entries = malloc((size_t)batch * sizeof *entries);
  start_measure(&measure);
  for (; first <= last; first += batch) {
    MDB_txn *txn = begin(0);
    put_range(txn, first, first + batch - 1 < last ? first + batch - 1 : last);
    about_to_commit(&measure);
    check(mdb_txn_commit(txn), "mdb_txn_commit");
  }
  stop_measure(&measure);
}

static void get(void) {
  uint64_t random = request.seed;
  start_measure(&measure);
  MDB_txn *txn = begin(MDB_RDONLY);
  for (; object_count < request.count; object_count++) {
    int64_t id = next_id(&random, request.count);
    MDB_val key = value_of(&id), data;
    check(mdb_get(txn, objects, &key, &data), "mdb_get");
    checksum += sum_of_record(&data);
  }
  mdb_txn_abort(txn);
  stop_measure(&measure);
}

// A transaction at rest keeps its slot in the table of readers: renewing it is the fast way.
static void get_singles(int gets) {
  uint64_t random = request.seed;
  start_measure(&measure);
  MDB_txn *txn = begin(MDB_RDONLY);
  for (; object_count < request.count; object_count++) {
    mdb_txn_reset(txn);
    check(mdb_txn_renew(txn), "mdb_txn_renew");
    if (!gets) continue;
    int64_t id = next_id(&random, request.count);
    MDB_val key = value_of(&id), data;
    check(mdb_get(txn, objects, &key, &data), "mdb_get");
    checksum += sum_of_record(&data);
  }
  mdb_txn_abort(txn);
  stop_measure(&measure);
}

static void visit(void) {
  start_measure(&measure);
  MDB_txn *txn = begin(MDB_RDONLY);
  MDB_cursor *cursor = cursor_in(txn, objects);
  MDB_val key, data;
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &data, MDB_NEXT)) == MDB_SUCCESS) {
    checksum += sum_of_record(&data);
    object_count++;
  }
  if (code != MDB_NOTFOUND) check(code, "mdb_cursor_get");
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  stop_measure(&measure);
}

static void look_up(void) {
  uint64_t random = request.seed;
  start_measure(&measure);
  MDB_txn *txn = begin(MDB_RDONLY);
  MDB_cursor *cursor = cursor_in(txn, index_db);
  for (int64_t i = 0; i < request.count / OBJECTS_PER_VALUE; i++) {
    int64_t value = next_value(&random, request.count);
    MDB_val key = value_of(&value), ids, data;
    int code = mdb_cursor_get(cursor, &key, &ids, MDB_SET);
    // All ids of a page at once.
    if (code == MDB_SUCCESS) code = mdb_cursor_get(cursor, &key, &ids, MDB_GET_MULTIPLE);
    while (code == MDB_SUCCESS) {
      for (size_t at = 0; at < ids.mv_size; at += sizeof(int64_t)) {
        MDB_val id = {sizeof(int64_t), (char *)ids.mv_data + at};
        check(mdb_get(txn, objects, &id, &data), "mdb_get");
        checksum += sum_of_record(&data);
        object_count++;
      }
      code = mdb_cursor_get(cursor, &key, &ids, MDB_NEXT_MULTIPLE);
    }
    if (code != MDB_NOTFOUND) check(code, "mdb_cursor_get");
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  stop_measure(&measure);
}

static void rewrite_range(MDB_txn *txn, int64_t first, int64_t limit) {
  MDB_cursor *cursor = cursor_in(txn, objects);
  MDB_val key = value_of(&first), data;
  int code = mdb_cursor_get(cursor, &key, &data, MDB_SET_RANGE);
  for (; code == MDB_SUCCESS && limit > 0; limit--) {
    struct mixed object;
    int64_t id;
    memcpy(&id, key.mv_data, sizeof id);
    read_record(&data, id, &object);
    int64_t old_value = object.f;
    object.a = with_one_added(object.a);
    key = value_of(&id);
    data = (MDB_val){sizeof template, NULL};
    check(mdb_cursor_put(cursor, &key, &data, MDB_CURRENT | MDB_RESERVE), "mdb_cursor_put");
    write_record(data.mv_data, &object);
    if (object.f != old_value) check(MDB_BAD_VALSIZE, "no value of the index changes here");
    checksum += sum_of_mixed(&object);
    object_count++;
    code = mdb_cursor_get(cursor, &key, &data, MDB_NEXT);
  }
  if (code != MDB_NOTFOUND) check(code, "mdb_cursor_get");
  mdb_cursor_close(cursor);
}

static void rewrite_in_batches(int64_t batch) {
  start_measure(&measure);
  for (int64_t first = 1; first <= request.count; first += batch) {
    MDB_txn *txn = begin(0);
    rewrite_range(txn, first, batch);
    about_to_commit(&measure);
    check(mdb_txn_commit(txn), "mdb_txn_commit");
  }
  stop_measure(&measure);
}

static void remove_all(void) {
  start_measure(&measure);
  MDB_txn *txn = begin(0);
  check(mdb_drop(txn, objects, 0), "mdb_drop");
  check(mdb_drop(txn, index_db, 0), "mdb_drop");
  about_to_commit(&measure);
  check(mdb_txn_commit(txn), "mdb_txn_commit");
  stop_measure(&measure);
}

int main(int argument_count, char **arguments) {
  request = read_request(argument_count, arguments);
  const char *operation = request.operation;
  open_store();
  if (!strcmp(operation, "put-all")) put_in_batches(1, request.count, request.count);
  else if (!strcmp(operation, "put-batches")) put_in_batches(1, request.count, BATCH);
  else if (!strcmp(operation, "get")) get();
  else if (!strcmp(operation, "get-singles")) get_singles(1);
  else if (!strcmp(operation, "read-nothing")) get_singles(0);
  else if (!strcmp(operation, "visit")) visit();
  else if (!strcmp(operation, "look-up")) look_up();
  else if (!strcmp(operation, "rewrite-all")) rewrite_in_batches(request.count);
  else if (!strcmp(operation, "rewrite-batches")) rewrite_in_batches(BATCH);
  else if (!strcmp(operation, "put-singles"))
    put_in_batches(request.count + 1, request.count + SINGLE_PUTS, 1);
  else if (!strcmp(operation, "remove-all")) remove_all();
  else return 64;
  print_measure(&measure, object_count, checksum);
  mdb_env_close(env);
  return 0;
}
