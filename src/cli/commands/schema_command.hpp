#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan schema NAME|--list
class SchemaCommand : public Command {
 public:
  std::string_view name() const override { return "schema"; }
  std::string_view summary() const override { return "Print the JSON Schema of a file that bayplan reads or writes"; }
  /// Of a schema; --list is text.
  std::vector<std::string_view> formats() const override { return {"json"}; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> names_;
  bool list_ = false;
};

}  // namespace bayplan::cli
