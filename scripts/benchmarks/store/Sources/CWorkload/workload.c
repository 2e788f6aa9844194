#include "workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

struct request read_request(int argument_count, char **arguments) {
  struct request request = {0};
  if (argument_count == 5) {
    request.operation = arguments[1];
    request.directory = arguments[2];
    request.count = strtoll(arguments[3], NULL, 10);
    request.seed = strtoull(arguments[4], NULL, 10);
  }
  if (request.count < OBJECTS_PER_VALUE || request.count % OBJECTS_PER_VALUE != 0) {
    fprintf(stderr, "usage: %s OPERATION DIRECTORY COUNT SEED (COUNT a multiple of %d)\n",
            arguments[0], OBJECTS_PER_VALUE);
    exit(64);
  }
  return request;
}

static double cpu_now(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void start_measure(struct measure *measure) {
  *measure = (struct measure){0};
  measure->start_cpu = cpu_now();
  measure->start_seconds = seconds_now();
}

void about_to_commit(struct measure *measure) { measure->commit_cpu = cpu_now(); }

void stop_measure(struct measure *measure) {
  measure->seconds = seconds_now() - measure->start_seconds;
  double cpu = cpu_now();
  measure->cpu = cpu - measure->start_cpu;
  if (measure->commit_cpu == 0) measure->commit_cpu = cpu;
}

static double peak_megabytes(void) {
#ifdef __APPLE__
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1e6;
#else
  // Not ru_maxrss: it would begin with the peak of the program that started this one.
  long kilobytes = 0;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  }
  if (file) fclose(file);
  return (double)kilobytes * 1024 / 1e6;
#endif
}

void print_measure(const struct measure *measure, int64_t objects, uint64_t checksum) {
  printf("{\"seconds\": %.6f, \"cpu\": %.6f, \"cpu_before_commit\": %.6f, \"peak_mb\": %.1f, "
         "\"objects\": %" PRId64 ", \"checksum\": \"%016" PRIx64 "\"}\n",
         measure->seconds, measure->cpu, measure->commit_cpu - measure->start_cpu,
         peak_megabytes(), objects, checksum);
}
