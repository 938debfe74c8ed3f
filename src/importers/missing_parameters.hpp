#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "importers/cloudformation_template.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// Names of the parameters that an expression depends on and that have no value.
class MissingParameters {
 public:
  MissingParameters(const Template& of, const text::Document& document);

  /// "--param Type=VALUE --param Count=VALUE", or nothing.
  std::string help(text::Value value);

 private:
  bool is_missing(text::Value parameter) const;
  void visit(text::Value value);
  void visit_condition(text::Value name);
  void visit_text(std::string_view text);
  void add(std::string_view name);

  const Template& template_;
  std::set<std::string_view> missing_;
  std::vector<std::string_view> names_;
  int steps_ = 0;
};

}  // namespace bayplan::importers
