// Repeats the experiment of Weng et al. (USENIX ATC 2023) with the policies of bayplan: tasks of a trace arrive in
// random order until they request 130 % of the GPUs of a cluster, and none ends.
//   policies_bench --nodes NODES.csv --published TABLE.csv [--seeds N] [--threads N] PODS.csv...
// Prints a Markdown table of the share of allocated GPUs, published and own. POLICIES.md describes data and results.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "placement/model/random.hpp"
#include "placement/policy/policy_score.hpp"
#include "placement/policy/score_table.hpp"

namespace {

using namespace bayplan;
using placement::draw;
using placement::ExpectedTask;
using placement::Policy;
using placement::PolicyContext;
using placement::PolicyNode;
using placement::PolicyTask;
using placement::ScoreTable;

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty() && part.back() == '\r') part.pop_back();
    parts.push_back(part);
  }
  return parts;
}

/// A CSV file without quotes; empty if it cannot be read.
std::vector<Row> read_table(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const auto names = split(line, ',');
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const auto values = split(line, ',');
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < values.size() ? values[i] : "";
    rows.push_back(std::move(row));
  }
  return rows;
}

std::int64_t number(const Row& row, const std::string& name) {
  return std::atoll(row.at(name).c_str());
}

/// A kind of task of the trace, and the GPU models on which it may run.
struct Kind {
  PolicyTask task;
  std::vector<bool> allowed;  ///< One entry per GPU model.
};

struct Cluster {
  std::vector<PolicyNode> nodes;
  std::vector<std::string> models;
  std::int64_t milli = 0;  ///< Thousandths of all GPUs.
};

struct Trace {
  std::string name;
  std::vector<Kind> kinds;
  std::vector<std::uint32_t> tasks;  ///< Indices into kinds, in file order.
};

Cluster read_cluster(const std::string& file) {
  Cluster cluster;
  for (const auto& row : read_table(file)) {
    const auto& model = row.at("model");
    auto found = std::find(cluster.models.begin(), cluster.models.end(), model);
    if (found == cluster.models.end()) found = cluster.models.insert(found, model);
    PolicyNode node;
    node.cpu = number(row, "cpu_milli");
    node.memory = number(row, "memory_mib");
    node.cards.assign(static_cast<std::size_t>(number(row, "gpu")), placement::kWholeCard);
    node.model = static_cast<std::uint32_t>(found - cluster.models.begin());
    cluster.milli += node.total_milli();
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

std::vector<bool> allowed_models(const std::string& specification, const std::vector<std::string>& models) {
  const auto named = split(specification, '|');
  std::vector<bool> allowed;
  for (const auto& model : models) {
    allowed.push_back(named.empty() || std::find(named.begin(), named.end(), model) != named.end());
  }
  return allowed;
}

Trace read_trace(const std::string& file, const Cluster& cluster) {
  Trace trace;
  const auto begin = file.rfind('/') + 1;
  trace.name = file.substr(begin, file.rfind('.') - begin);
  std::map<std::pair<PolicyTask, std::vector<bool>>, std::uint32_t> known;
  for (const auto& row : read_table(file)) {
    const auto cards = static_cast<std::int32_t>(number(row, "num_gpu"));
    const auto milli = cards == 0 ? 0 : static_cast<std::int32_t>(number(row, "gpu_milli"));
    const PolicyTask task{number(row, "cpu_milli"), number(row, "memory_mib"), milli, cards};
    const auto specification = row.find("gpu_spec");
    auto allowed = allowed_models(specification == row.end() ? "" : specification->second, cluster.models);
    const auto [at, is_new] = known.try_emplace({task, allowed}, static_cast<std::uint32_t>(trace.kinds.size()));
    if (is_new) trace.kinds.push_back({task, std::move(allowed)});
    trace.tasks.push_back(at->second);
  }
  return trace;
}

/// Takes away tasks at random while they request more than `limit`.
void cut_arrivals(std::vector<std::uint32_t>& arrivals, const Trace& trace, std::int64_t requested, std::int64_t limit,
                  std::mt19937_64& generator) {
  while (requested > limit) {
    const auto at = arrivals.begin() + static_cast<std::ptrdiff_t>(draw(generator, arrivals.size()));
    requested -= trace.kinds[*at].task.total_milli();
    arrivals.erase(at);
  }
}

template <class Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& generator) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[draw(generator, i)]);
}

/// The shuffled trace, then tasks drawn from it until the next would exceed `limit`; a trace that requests more loses
/// tasks.
std::vector<std::uint32_t> draw_arrivals(const Trace& trace, std::int64_t limit, std::mt19937_64& generator) {
  auto arrivals = trace.tasks;
  shuffle(arrivals, generator);
  std::int64_t requested = 0;
  for (const auto kind : arrivals) requested += trace.kinds[kind].task.total_milli();
  if (requested > limit) {
    cut_arrivals(arrivals, trace, requested, limit, generator);
    return arrivals;
  }
  while (true) {
    const auto kind = trace.tasks[draw(generator, trace.tasks.size())];
    const auto& task = trace.kinds[kind].task;
    // As in the authors' experiment, one card of the task counts here.
    if (requested + task.milli > limit) return arrivals;
    requested += task.total_milli();
    arrivals.push_back(kind);
  }
}

/// Kinds that differ in memory alone are one for FGD, which does not weigh it.
std::vector<ExpectedTask> expected_tasks(const Trace& trace) {
  std::map<std::pair<PolicyTask, std::vector<bool>>, std::int64_t> counts;
  for (const auto kind : trace.tasks) {
    auto task = trace.kinds[kind].task;
    task.memory = 0;
    ++counts[{task, trace.kinds[kind].allowed}];
  }
  std::vector<ExpectedTask> expected;
  for (const auto& [kind, count] : counts) expected.push_back({kind.first, count, kind.second});
  return placement::keep_typical(std::move(expected));
}

PolicyContext make_context(Policy policy, const Cluster& cluster, const Trace& trace) {
  PolicyContext context{.policy = policy};
  for (const auto& node : cluster.nodes) {
    context.largest_cpu = std::max(context.largest_cpu, node.cpu);
    context.largest_memory = std::max(context.largest_memory, node.memory);
    context.largest_milli = std::max(context.largest_milli, node.total_milli());
  }
  if (policy == Policy::kFgd) context.expected = expected_tasks(trace);
  return context;
}

/// Which card a task that requests a share gets: FGD chooses one itself, random draws one, the others take the fullest.
std::optional<std::size_t> choose_card(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task,
                                       std::mt19937_64& generator) {
  if (!task.is_shared()) return std::nullopt;
  if (context.policy == Policy::kFgd) return placement::least_fragmenting_card(context, node, task);
  if (context.policy != Policy::kRandom) return placement::fullest_card(node, task.milli);
  std::vector<std::size_t> cards;
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    if (node.cards[i] >= task.milli) cards.push_back(i);
  }
  return cards[draw(generator, cards.size())];
}

/// Places tasks on the cluster. Scores of a kind are brought up to date by the nodes that changed since its last task.
class Run {
 public:
  Run(const Cluster& cluster, const Trace& trace, const PolicyContext& context, std::uint64_t seed)
      : trace_(trace),
        context_(context),
        generator_(seed),
        arrivals_(draw_arrivals(trace, cluster.milli * 13 / 10, generator_)),
        nodes_(cluster.nodes),
        tables_(trace.kinds.size()) {
    shuffle(nodes_, generator_);
  }

  const std::vector<std::uint32_t>& arrivals() const { return arrivals_; }

  bool place(std::uint32_t kind) {
    const auto& task = trace_.kinds[kind].task;
    // As in the authors' experiment, the first node wins a tie, and a run shuffles its nodes.
    const auto best = table_of(kind).best(context_.policy == Policy::kRandom ? &generator_ : nullptr);
    if (!best) return false;
    auto& node = nodes_[best->instance];
    placement::take(node, task, choose_card(context_, node, task, generator_));
    changes_.push_back(best->instance);
    return true;
  }

 private:
  struct Table {
    std::optional<ScoreTable> scores;
    std::size_t seen = 0;  ///< Changes that the scores include.
  };

  void update(ScoreTable& scores, std::uint32_t kind, std::size_t node) {
    const auto& [task, allowed] = trace_.kinds[kind];
    const bool fits = allowed[nodes_[node].model] && has_room(nodes_[node], task);
    scores.set(node, fits ? std::optional(score(context_, nodes_[node], task)) : std::nullopt);
  }

  ScoreTable& table_of(std::uint32_t kind) {
    auto& table = tables_[kind];
    if (!table.scores) {
      table.scores.emplace(nodes_.size());
      for (std::size_t i = 0; i < nodes_.size(); ++i) update(*table.scores, kind, i);
    } else {
      const std::set<std::uint32_t> changed(changes_.begin() + static_cast<std::ptrdiff_t>(table.seen), changes_.end());
      for (const auto node : changed) update(*table.scores, kind, node);
    }
    table.seen = changes_.size();
    return *table.scores;
  }

  const Trace& trace_;
  const PolicyContext& context_;
  std::mt19937_64 generator_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<PolicyNode> nodes_;
  std::vector<Table> tables_;
  std::vector<std::uint32_t> changes_;  ///< Nodes in the order of the placements.
};

/// Allocated share of all GPUs in percent.
struct Allocation {
  double at_100 = 0;  ///< When the tasks that have arrived request all GPUs.
  double at_end = 0;
};

Allocation run(const Cluster& cluster, const Trace& trace, const PolicyContext& context, std::uint64_t seed) {
  Run run(cluster, trace, context, seed);
  std::int64_t arrived = 0;
  std::int64_t allocated = 0;
  std::int64_t at_100 = -1;
  for (const auto kind : run.arrivals()) {
    const std::int64_t milli = trace.kinds[kind].task.total_milli();
    arrived += milli;
    if (run.place(kind)) allocated += milli;
    if (at_100 < 0 && arrived >= cluster.milli) at_100 = allocated;
  }
  const double all = static_cast<double>(cluster.milli) / 100;
  return {static_cast<double>(at_100) / all, static_cast<double>(allocated) / all};
}

struct Column {
  Policy policy;
  std::string published;  ///< Name in the published table.
};

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns{{Policy::kRandom, "01-Random"},
                                            {Policy::kDotProduct, "02-DotProd"},
                                            {Policy::kGpuClustering, "03-GpuClustering"},
                                            {Policy::kGpuPacking, "04-GpuPacking"},
                                            {Policy::kBestFit, "05-BestFit"},
                                            {Policy::kFgd, "06-FGD"}};
  return kColumns;
}

struct Options {
  std::string nodes;
  std::string published;
  std::vector<std::string> pods;
  std::uint64_t seeds = 10;
  unsigned threads = 1;
};

std::optional<Options> read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--", 0) != 0) {
      options.pods.push_back(argument);
      continue;
    }
    if (++i == count) return std::nullopt;
    if (argument == "--nodes")
      options.nodes = arguments[i];
    else if (argument == "--published")
      options.published = arguments[i];
    else if (argument == "--seeds")
      options.seeds = static_cast<std::uint64_t>(std::max(1, std::atoi(arguments[i])));
    else if (argument == "--threads")
      options.threads = static_cast<unsigned>(std::max(1, std::atoi(arguments[i])));
    else
      return std::nullopt;
  }
  if (options.nodes.empty() || options.published.empty() || options.pods.empty()) return std::nullopt;
  return options;
}

struct Job {
  const Trace* trace;
  const PolicyContext* context;
  std::uint64_t seed;
  Allocation result;
  double seconds = 0;
};

void work_off(std::vector<Job>& jobs, const Cluster& cluster, unsigned threads) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (std::size_t job = next++; job < jobs.size(); job = next++) {
        const auto begin = std::chrono::steady_clock::now();
        jobs[job].result = run(cluster, *jobs[job].trace, *jobs[job].context, jobs[job].seed);
        jobs[job].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
    });
  }
  for (auto& worker : workers) worker.join();
}

/// The published means of one trace and policy; nothing if the table lacks them.
std::optional<Allocation> published_means(const std::vector<Row>& table, const std::string& trace,
                                          const std::string& policy) {
  for (const auto& row : table) {
    if (row.at("workload") != trace || row.at("policy") != policy) continue;
    return Allocation{std::atof(row.at("gpu_allocation_percent_at_100_percent_arrived").c_str()),
                      std::atof(row.at("gpu_allocation_percent_at_end").c_str())};
  }
  return std::nullopt;
}

/// Prints one row: the means of `seeds` jobs next to the published means.
void print_row(const Job* jobs, std::uint64_t seeds, const std::optional<Allocation>& published) {
  Allocation mean;
  double seconds = 0;
  double least = 100;
  double most = 0;
  for (std::uint64_t i = 0; i < seeds; ++i) {
    mean.at_100 += jobs[i].result.at_100 / static_cast<double>(seeds);
    mean.at_end += jobs[i].result.at_end / static_cast<double>(seeds);
    least = std::min(least, jobs[i].result.at_end);
    most = std::max(most, jobs[i].result.at_end);
    seconds += jobs[i].seconds / static_cast<double>(seeds);
  }
  const auto compare = [](double own, std::optional<double> theirs) {
    return theirs ? fmt::format("{:.2f} | {:.2f} | {:+.2f}", *theirs, own, own - *theirs)
                  : fmt::format("- | {:.2f} | -", own);
  };
  fmt::print("| {} | {} | {} | {} | {:.2f}-{:.2f} | {:.2f} |\n", jobs->trace->name, name_of(jobs->context->policy),
             compare(mean.at_100, published ? std::optional(published->at_100) : std::nullopt),
             compare(mean.at_end, published ? std::optional(published->at_end) : std::nullopt), least, most, seconds);
}

}  // namespace

int main(int count, char** arguments) {
  const auto options = read_options(count, arguments);
  if (!options) {
    std::cerr << "usage: " << arguments[0]
              << " --nodes NODES.csv --published TABLE.csv [--seeds N] [--threads N] PODS.csv...\n";
    return 2;
  }
  const auto cluster = read_cluster(options->nodes);
  std::vector<Trace> traces;
  for (const auto& file : options->pods) traces.push_back(read_trace(file, cluster));
  if (cluster.nodes.empty() || std::any_of(traces.begin(), traces.end(), [](auto& one) { return one.tasks.empty(); })) {
    std::cerr << "a file is missing or empty\n";
    return 1;
  }
  std::vector<PolicyContext> contexts;
  for (const auto& trace : traces) {
    for (const auto& column : columns()) contexts.push_back(make_context(column.policy, cluster, trace));
  }
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    for (std::uint64_t seed = 0; seed < options->seeds; ++seed) {
      jobs.push_back({&traces[i / columns().size()], &contexts[i], 42 + seed, {}});
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  work_off(jobs, cluster, options->threads);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto published = read_table(options->published);
  fmt::print(
      "| workload | policy | published at 100 % | own | difference | published at 130 % | own | difference | own "
      "range | s per run |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n");
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    print_row(&jobs[i * options->seeds], options->seeds,
              published_means(published, traces[i / columns().size()].name, columns()[i % columns().size()].published));
  }
  fmt::print("\n{} runs in {:.1f} s, {} threads\n", jobs.size(), seconds, options->threads);
}
