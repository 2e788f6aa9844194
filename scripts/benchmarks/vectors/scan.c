// Measures a look at all vectors of a set, in one array, and writes a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shim.h"

static float *load(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(66);
  fseek(file, 0, SEEK_END);
  *count = (size_t)ftell(file) / sizeof(float);
  rewind(file);
  float *numbers = malloc(*count * sizeof(float));
  if (!numbers || fread(numbers, sizeof(float), *count, file) != *count) exit(66);
  fclose(file);
  return numbers;
}

// Of the processor, which scatters less than the clock beside other work.
static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// In double precision, as the answers of the engine are.
static double distance(const float *a, const float *b, size_t count) {
  double sums[8] = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (size_t lane = 0; lane < 8; lane++) {
      double difference = (double)a[i + lane] - (double)b[i + lane];
      sums[lane] += difference * difference;
    }
  double sum = 0;
  for (size_t lane = 0; lane < 8; lane++) sum += sums[lane];
  for (; i < count; i++) sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  return sum;
}

static void measure(const char *name, const float *vector, size_t vectors, const float *origin,
                    size_t dimensions, int verifies) {
  double best = 1e9, check = 0;
  for (int round = 0; round < 3; round++) {
    double start = seconds();
    for (size_t o = 0; o < 20; o++) {
      double nearest[10];
      for (int i = 0; i < 10; i++) nearest[i] = 1e300;
      for (size_t v = 0; v < vectors; v++) {
        const float *each = vector + v * dimensions;
        if (verifies)
          check += boxjoint_crc32c_keyed_fast(v, (const unsigned char *)each, 4 * dimensions);
        double d = distance(each, origin + o * dimensions, dimensions);
        if (d >= nearest[9]) continue;
        int place = 9;
        for (; place > 0 && nearest[place - 1] > d; place--) nearest[place] = nearest[place - 1];
        nearest[place] = d;
      }
      check += nearest[9];
    }
    double time = seconds() - start;
    if (time < best) best = time;
  }
  // What is not used is not computed.
  if (check < 0) exit(70);
  printf("%s\t%g\n", name, best / 20 * 1e6);
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  char path[4096];
  size_t dimensions = strtoul(argv[3], NULL, 10), vectors, origins;
  snprintf(path, sizeof path, "%s/%s.vectors", argv[1], argv[2]);
  float *vector = load(path, &vectors);
  snprintf(path, sizeof path, "%s/%s.origins", argv[1], argv[2]);
  float *origin = load(path, &origins);
  vectors /= dimensions;
  measure("c scan us", vector, vectors, origin, dimensions, 0);
  // As the engine verifies each record that it reads.
  if (boxjoint_crc32c_is_fast())
    measure("c scan with checksums us", vector, vectors, origin, dimensions, 1);
}
