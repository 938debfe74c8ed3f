#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/cursor.hpp"
#include "query/query.hpp"

namespace bayplan::query {

/// Recursive descent; the first fault ends it. Depth is that of the parentheses alone: chains of `and`, `or` and `not`
/// are loops.
class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  ParseResult run() &&;

 private:
  using NodeIndex = std::optional<std::uint32_t>;  ///< Nothing after a fault.

  NodeIndex parse_or();
  NodeIndex parse_and();
  NodeIndex parse_not();
  NodeIndex parse_parenthesis();
  NodeIndex parse_predicate();

  bool parse_subject(Predicate& predicate);
  bool parse_attribute_name(Predicate& predicate, std::uint32_t begin);
  bool unknown_subject(std::string_view word, Span span);
  bool parse_operator(Predicate& predicate);
  std::optional<Operator> read_operator(const Predicate& predicate);
  std::optional<Operator> operator_word(const Predicate& predicate);
  bool parse_list(Predicate& predicate);
  bool parse_value(Predicate& predicate);
  std::optional<Literal> read_quoted();
  Literal read_bare(const Predicate& predicate, bool in_list);
  bool type_literal(const Predicate& predicate, Literal& literal);
  bool compile_pattern(Predicate& predicate);
  void note_doubts(const Predicate& predicate);

  bool accept_boolean(std::string_view word, std::string_view symbol);
  std::uint32_t add(Node node);
  /// Sets the fault; false, for `return fail(...)`.
  bool fail(FaultKind kind, Span span, std::string message, std::string help = {});
  bool check_end();

  Cursor cursor_;
  Expression expression_;
  std::optional<Fault> fault_;
  std::uint32_t depth_ = 0;
};

}  // namespace bayplan::query
