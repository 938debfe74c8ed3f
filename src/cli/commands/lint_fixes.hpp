#pragma once
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/application.hpp"
#include "lint/fix/fix_files.hpp"

namespace bayplan::cli {

/// `lint --fix`: writes each file that changes, and keeps what became of standard input.
class FixWriter {
 public:
  FixWriter(bool quiet, Streams& io) : quiet_(quiet), io_(io) {}

  void take(lint::FixOutcome outcome);  ///< Must be called in the order of the files.
  /// Gives `candidates` the fixed text of standard input and prints it; false when it was not read.
  bool finish(std::vector<lint::Candidate>& candidates);

  std::size_t fixed() const { return fixed_; }
  bool has_errors() const { return has_errors_; }  ///< Something could not be written.

 private:
  bool quiet_;
  Streams& io_;
  std::size_t fixed_ = 0;
  bool has_errors_ = false;
  std::map<std::string, std::string> texts_;  ///< Text of standard input, keyed by its name.
};

/// A file of `lint --add-ignores` with findings that no comment can suppress.
struct UncommentedFile {
  std::string path;  ///< From the root.
  std::vector<std::string> rules;
};

/// Entries of perFileIgnores that suppress these findings, for a config in `folder`, which is a path from the root.
void write_file_ignores(const std::vector<UncommentedFile>& files, std::string_view folder, std::ostream& out);

/// `lint --diff`: prints what --fix would change, and writes nothing.
class DiffPrinter {
 public:
  DiffPrinter(std::string_view flags, bool quiet, Streams& io) : flags_(flags), quiet_(quiet), io_(io) {}

  void take(lint::FixOutcome outcome);  ///< Must be called in the order of the files.
  void finish();                        ///< Says on standard error how much it is.

  std::size_t fixed() const { return fixed_; }
  std::size_t checked() const { return checked_; }
  bool has_errors() const { return has_errors_; }

 private:
  void print(std::string_view diff);

  std::string_view flags_;  ///< Those that would write what is printed.
  bool quiet_;
  Streams& io_;
  std::size_t fixed_ = 0;
  std::size_t files_ = 0;
  std::size_t checked_ = 0;
  bool has_errors_ = false;
};

}  // namespace bayplan::cli
