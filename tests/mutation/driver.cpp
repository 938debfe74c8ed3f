// Wakes one mutant after the other and looks whether a case notices.
//
// usage: driver PLAN RESULTS JOBS [SECONDS]
// A line of PLAN is "number TAB code,code": the mutant, and the rules whose cases come first. A line of RESULTS is
// "number TAB killed|survived|unreached TAB case". A case that fails with all asleep is left out; what would change no
// value in any case is `unreached` and not run. Cases that take more than SECONDS are left out, too.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "case.hpp"
#include "mutation.hpp"

namespace bayplan::mutation {

State state;

namespace {

struct Mutant {
  Number number = 0;
  std::vector<std::string> codes;
  std::vector<std::uint32_t> cases;  ///< Those in which it would change a value.
};

std::vector<Mutant> read_plan(std::istream& in) {
  std::vector<Mutant> plan;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Mutant mutant;
    words >> mutant.number;
    for (std::string code; std::getline(words >> std::ws, code, ',');) mutant.codes.push_back(code);
    plan.push_back(std::move(mutant));
  }
  return plan;
}

/// Runs every case with all mutants asleep; tells each mutant in which cases it matters. Returns how long each took, in
/// seconds of a processor.
std::vector<double> find_cases(const std::vector<Case>& cases, std::vector<Mutant>& plan, double most_seconds) {
  std::map<Number, Mutant*> by_number;
  for (auto& mutant : plan) by_number[mutant.number] = &mutant;
  std::vector<double> seconds;
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    const auto start = std::clock();
    const bool passes = cases[i].passes();  // what is loaded once is loaded now
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (!passes || seconds[i] > most_seconds) {
      std::cerr << "left out, for it " << (passes ? "takes long" : "fails without any mutant") << ": " << cases[i].name
                << "\n";
      continue;
    }
    std::unordered_set<Number> noticed;
    state.noticed = &noticed;
    cases[i].passes();
    state.noticed = nullptr;
    for (const Number number : noticed) {
      if (const auto found = by_number.find(number); found != by_number.end()) found->second->cases.push_back(i);
    }
  }
  return seconds;
}

bool is_preferred(const Mutant& mutant, const std::string& name) {
  return std::any_of(mutant.codes.begin(), mutant.codes.end(),
                     [&](const std::string& code) { return name.rfind(code + "/", 0) == 0; });
}

/// The cases of the mutant's own rules first, then the quick ones.
void order_cases(Mutant& mutant, const std::vector<Case>& cases, const std::vector<double>& seconds) {
  std::vector<std::pair<std::pair<bool, double>, std::uint32_t>> order;
  for (const auto i : mutant.cases) order.push_back({{!is_preferred(mutant, cases[i].name), seconds[i]}, i});
  std::sort(order.begin(), order.end());
  std::transform(order.begin(), order.end(), mutant.cases.begin(), [](const auto& one) { return one.second; });
}

/// Ends the process after so many seconds of a processor, that other work beside it makes no difference; a mutant that
/// waits for ever is ended by the clock.
void set_alarm(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const itimerval timer{{0, 0}, {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6)}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(static_cast<unsigned>(60 + 20 * seconds));
}

/// In a process of its own: a mutant may crash, loop or eat memory. Ends with 1 when a case noticed.
[[noreturn]] void run_awake(const Mutant& mutant, const std::vector<Case>& cases, const std::vector<double>& seconds,
                            std::uint32_t* current) {
  const rlimit memory{2ul << 30, 2ul << 30};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
  state.awake = mutant.number;
  for (const auto i : mutant.cases) {
    *current = i;
    set_alarm(2 + 30 * seconds[i]);
    bool passes = false;
    try {
      passes = cases[i].passes();
    } catch (...) {
    }
    if (!passes) _exit(1);
  }
  _exit(0);
}

struct Child {
  const Mutant* mutant;
  std::uint32_t* current;  ///< Shared with the child: the case that it runs.
};

std::uint32_t* shared_number() {
  void* memory = mmap(nullptr, sizeof(std::uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint32_t*>(memory);
}

void tell(std::ostream& results, const Child& child, int status, const std::vector<Case>& cases) {
  const bool survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  results << child.mutant->number << "\t" << (survived ? "survived" : "killed") << "\t" << cases[*child.current].name
          << "\n";
  munmap(child.current, sizeof(std::uint32_t));
}

int run(std::vector<Mutant> plan, std::ostream& results, std::size_t jobs, const std::vector<Case>& cases,
        double most_seconds) {
  const auto seconds = find_cases(cases, plan, most_seconds);
  std::map<pid_t, Child> children;
  const auto wait_for_one = [&] {
    int status = 0;
    const auto child = children.find(wait(&status));
    if (child == children.end()) return;
    tell(results, child->second, status, cases);
    children.erase(child);
  };
  for (auto& mutant : plan) {
    if (mutant.cases.empty()) {
      results << mutant.number << "\tunreached\t\n";
      continue;
    }
    order_cases(mutant, cases, seconds);
    while (children.size() >= jobs) wait_for_one();
    std::uint32_t* current = shared_number();
    if (current == nullptr) return 3;
    results.flush();
    const pid_t child = fork();
    if (child == 0) run_awake(mutant, cases, seconds, current);
    children[child] = {&mutant, current};
  }
  while (!children.empty()) wait_for_one();
  return 0;
}

}  // namespace

int run(const std::string& plan_file, const std::string& results_file, std::size_t jobs, const std::vector<Case>& cases,
        double most_seconds) {
  std::ifstream in(plan_file);
  std::ofstream results(results_file);
  return run(read_plan(in), results, jobs, cases, most_seconds);
}

}  // namespace bayplan::mutation

int main(int argc, char** argv) {
  using namespace bayplan::mutation;
  if (argc < 4) return 2;
  std::vector<Case> cases = rule_cases();
  for (auto& one : unit_cases()) cases.push_back(std::move(one));
  return run(argv[1], argv[2], std::stoul(argv[3]), cases, argc > 4 ? std::stod(argv[4]) : 1e9);
}
