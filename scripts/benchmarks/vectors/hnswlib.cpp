// Measures hnswlib with the vectors of a set, and writes a line for each number.
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

template <class T>
static std::vector<T> load(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(values.data()), values.size() * sizeof(T));
  return values;
}

// Of the processor, which scatters less than the clock beside other work.
static double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

// The memory in use; unknown, and not printed, with another library than glibc.
static double megabytes() {
#if defined(__GLIBC__)
  struct mallinfo2 used = mallinfo2();
  return (used.uordblks + used.hblkhd) / 1e6;
#else
  return 0;
#endif
}

static void normalize(std::vector<float> &vectors, size_t dimensions) {
  for (size_t first = 0; first < vectors.size(); first += dimensions) {
    double square = 0;
    for (size_t i = 0; i < dimensions; i++) square += vectors[first + i] * vectors[first + i];
    for (size_t i = 0; i < dimensions; i++) vectors[first + i] /= std::sqrt(square);
  }
}

int main(int count, char **arguments) {
  if (count != 5) return 64;
  std::string path = std::string(arguments[1]) + "/" + arguments[2];
  size_t dimensions = std::stoul(arguments[3]);
  bool isCosine = std::string(arguments[4]) == "Cosine";
  auto vectors = load<float>(path + ".vectors"), origins = load<float>(path + ".origins");
  auto nearest = load<int>(path + ".nearest");
  if (isCosine) {
    normalize(vectors, dimensions);
    normalize(origins, dimensions);
  }
  size_t vectorCount = vectors.size() / dimensions, originCount = origins.size() / dimensions;
  hnswlib::L2Space euclidean(dimensions);
  hnswlib::InnerProductSpace products(dimensions);
  hnswlib::SpaceInterface<float> *space = &euclidean;
  if (isCosine) space = &products;
  double before = megabytes();
  // 15 links of a node, and 30 on the lowest level.
  hnswlib::HierarchicalNSW<float> graph(space, vectorCount, 15, 100);
  double start = seconds();
  for (size_t i = 0; i < vectorCount; i++) graph.addPoint(&vectors[i * dimensions], i);
  std::cout << "hnswlib build s\t" << seconds() - start << "\n";
  double memory = megabytes() - before;
  if (memory > 0) std::cout << "hnswlib memory MB\t" << memory << "\n";
  for (size_t searchCount : {10, 20, 40, 100, 200, 400}) {
    graph.setEf(searchCount);
    double best = 1e9;
    size_t hits = 0;
    for (int round = 0; round < 3; round++) {
      hits = 0;
      double time = 0;
      for (size_t origin = 0; origin < originCount; origin++) {
        double before = seconds();
        auto found = graph.searchKnn(&origins[origin * dimensions], 10);
        time += seconds() - before;
        std::set<int> wanted(&nearest[origin * 10], &nearest[origin * 10] + 10);
        for (; !found.empty(); found.pop()) hits += wanted.count(static_cast<int>(found.top().second));
      }
      best = std::min(best, time);
    }
    std::cout << "hnswlib " << searchCount << " recall\t" << double(hits) / (10 * originCount) << "\n";
    std::cout << "hnswlib " << searchCount << " us\t" << best / originCount * 1e6 << "\n";
  }
  std::string file = std::string(arguments[1]) + "/hnswlib.graph";
  graph.saveIndex(file);
  start = seconds();
  { hnswlib::HierarchicalNSW<float> again(space, file); }
  std::cout << "hnswlib load ms\t" << (seconds() - start) * 1e3 << "\n";
  std::remove(file.c_str());
  // Each by the mean of a vector and one of the other end, which the set does not have.
  size_t changed = std::min<size_t>(2000, vectorCount / 2);
  std::vector<float> means(changed * dimensions);
  for (size_t i = 0; i < changed; i++)
    for (size_t j = 0; j < dimensions; j++)
      means[i * dimensions + j] =
          (vectors[i * dimensions + j] + vectors[(vectorCount - 1 - i) * dimensions + j]) / 2;
  if (isCosine) normalize(means, dimensions);
  start = seconds();
  for (size_t i = 0; i < changed; i++) graph.addPoint(&means[i * dimensions], i);
  std::cout << "hnswlib updates per s\t" << changed / (seconds() - start) << "\n";
}
