#include "study/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/ordered_parallel_for.hpp"

namespace bayplan::study {
namespace {

/// Number of scenarios per block: neighbors often share their baseline, and one at a time would be mostly waiting.
constexpr std::int64_t kAtOnce = 32;

/// Workers that no thread uses at the moment.
class Workers {
 public:
  explicit Workers(const std::function<SweepWorker()>& make) : make_(make) {}

  SweepWorker take() {
    std::unique_lock lock(mutex_);
    if (idle_.empty()) {
      lock.unlock();
      return make_();
    }
    SweepWorker worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(SweepWorker worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }

 private:
  const std::function<SweepWorker()>& make_;
  std::mutex mutex_;
  std::vector<SweepWorker> idle_;
};

}  // namespace

Block block_of(const Shard& shard, std::int64_t size) {
  return {size * (shard.number - 1) / shard.count, size * shard.number / shard.count};
}

std::int64_t run_sweep(const SweepJob& job) {
  Workers workers(job.make_worker);
  std::atomic<bool> is_enough{false};
  std::int64_t next = job.block.begin;
  const auto make = [&](std::size_t block) {
    SweptBlock made{job.block.begin + static_cast<std::int64_t>(block) * kAtOnce, {}, {}};
    const std::int64_t end = std::min(made.first + kAtOnce, job.block.end);
    SweepWorker worker = workers.take();
    for (std::int64_t index = made.first; index < end; ++index) {
      SweptScenario scenario = worker(index);
      made.lines += scenario.line;
      made.figures.push_back(scenario.figures);
    }
    workers.give_back(std::move(worker));
    return made;
  };
  const auto take = [&](const SweptBlock& made) {
    if (is_enough) return;
    is_enough = !job.take(made);
    if (!is_enough) next = made.first + static_cast<std::int64_t>(made.figures.size());
  };
  const auto blocks = static_cast<std::size_t>((job.block.size() + kAtOnce - 1) / kAtOnce);
  OrderedParallelFor<SweptBlock> in_order(blocks, make, take);
  in_order.until([&] { return is_enough || (job.stop && job.stop()); });
  std::move(in_order).run(job.threads);
  return next;
}

}  // namespace bayplan::study
