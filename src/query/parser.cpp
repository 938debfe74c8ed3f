#include "query/parser.hpp"

#include "base/strings.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::query {

ParseResult Parser::run() && {
  cursor_.skip_blanks();
  if (cursor_.at_end()) {
    fail(FaultKind::kEmpty, cursor_.found_span(), "the expression is empty",
         "use for example attribute:ecs.instance-type == p3.2xlarge");
    return {std::nullopt, fault_};
  }
  if (!parse_or() || !check_end()) return {std::nullopt, std::move(fault_)};
  return {std::move(expression_), std::nullopt};
}

bool Parser::fail(FaultKind kind, Span span, std::string message, std::string help) {
  fault_ = Fault{kind, span, std::move(message), std::move(help)};
  return false;
}

std::uint32_t Parser::add(Node node) {
  expression_.nodes_.push_back(std::move(node));
  return static_cast<std::uint32_t>(expression_.nodes_.size() - 1);
}

bool Parser::accept_boolean(std::string_view word, std::string_view symbol) {
  cursor_.skip_blanks();
  return cursor_.accept_word(word) || cursor_.accept(symbol);
}

Parser::NodeIndex Parser::parse_or() {
  Node node{Node::Kind::kOr, 0, {}};
  do {
    const auto operand = parse_and();
    if (!operand) return std::nullopt;
    node.operands.push_back(*operand);
  } while (accept_boolean("or", "||"));
  return node.operands.size() == 1 ? node.operands.front() : add(std::move(node));
}

Parser::NodeIndex Parser::parse_and() {
  Node node{Node::Kind::kAnd, 0, {}};
  do {
    const auto operand = parse_not();
    if (!operand) return std::nullopt;
    node.operands.push_back(*operand);
  } while (accept_boolean("and", "&&"));
  return node.operands.size() == 1 ? node.operands.front() : add(std::move(node));
}

Parser::NodeIndex Parser::parse_not() {
  bool negated = false;
  cursor_.skip_blanks();
  while (cursor_.accept_word("not") || cursor_.accept("!")) {
    negated = !negated;
    cursor_.skip_blanks();
  }
  const auto operand = cursor_.peek() == '(' ? parse_parenthesis() : parse_predicate();
  if (!operand || !negated) return operand;
  return add(Node{Node::Kind::kNot, 0, {*operand}});
}

Parser::NodeIndex Parser::parse_parenthesis() {
  const Span opening{cursor_.offset(), cursor_.offset() + 1};
  if (++depth_ > kDepthLimit) {
    fail(FaultKind::kTooDeep, opening, "parentheses are nested more than " + std::to_string(kDepthLimit) + " deep");
    return std::nullopt;
  }
  cursor_.skip(1);
  const auto inside = parse_or();
  if (!inside) return std::nullopt;
  if (cursor_.at_end()) {
    fail(FaultKind::kParenthesis, opening, "unclosed parenthesis", "add ')'");
    return std::nullopt;
  }
  if (!cursor_.accept(")")) {
    check_end();
    return std::nullopt;
  }
  --depth_;
  return inside;
}

Parser::NodeIndex Parser::parse_predicate() {
  Predicate predicate;
  const std::uint32_t begin = cursor_.offset();
  if (!parse_subject(predicate) || !parse_operator(predicate)) return std::nullopt;
  if (takes_list(predicate.operation)) {
    if (!parse_list(predicate)) return std::nullopt;
  } else if (takes_value(predicate.operation)) {
    if (!parse_value(predicate) || !compile_pattern(predicate)) return std::nullopt;
  }
  predicate.span = cursor_.span_from(begin);
  note_doubts(predicate);
  const auto index = static_cast<std::uint32_t>(expression_.predicates_.size());
  expression_.predicates_.push_back(std::move(predicate));
  return add(Node{Node::Kind::kPredicate, index, {}});
}

/// Text is left where the expression should end, or go on with `and` or `or`.
bool Parser::check_end() {
  cursor_.skip_blanks();
  if (cursor_.at_end()) return true;
  const Span span = cursor_.found_span();
  const std::string found = cursor_.found();
  if (cursor_.peek() == ')') {
    return fail(FaultKind::kParenthesis, span, "unmatched closing parenthesis", "delete it, or add an opening one");
  }
  if (cursor_.peek() == '&')
    return fail(FaultKind::kSyntax, span, "found " + found + ", expected && or 'and'", "use &&");
  if (cursor_.peek() == '|')
    return fail(FaultKind::kSyntax, span, "found " + found + ", expected || or 'or'", "use ||");
  const std::string word = lower(cursor_.rest().substr(0, span.length()));
  if (word == "and" || word == "or") {
    return fail(FaultKind::kSyntax, span, "found " + found + ", expected '" + word + "'", "use lowercase");
  }
  if (cursor_.peek() == ',') {
    return fail(FaultKind::kSyntax, span, "found ',' outside a list",
                "use in [a, b] for several values, and for several conditions");
  }
  return fail(FaultKind::kSyntax, span, "found " + found + ", expected 'and', 'or' or the end",
              "quote a value that contains spaces: 'a b'");
}

ParseResult parse(std::string_view text) {
  return Parser(text).run();
}

}  // namespace bayplan::query
