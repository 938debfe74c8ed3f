#include "base/strings.hpp"
#include "query/cursor.hpp"
#include "query/query.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::query {

namespace {

bool is_plain(std::string_view text) {
  Cursor cursor(text);
  cursor.take_run("-_/\\.:@+*");
  return !text.empty() && cursor.at_end() && text != "and" && text != "or";
}

std::string print_value(const Literal& literal) {
  const std::string& text = literal.text;
  if (is_plain(text)) return text;
  if (text.find('\'') == std::string::npos) return "'" + text + "'";
  // Quotes cannot be escaped: a text with both kinds was written bare and can be again.
  return text.find('"') == std::string::npos ? "\"" + text + "\"" : text;
}

std::string print_predicate(const Predicate& predicate) {
  std::string out = name_of(predicate.subject, predicate.attribute) + " ";
  out += symbol_of(predicate.operation);
  if (!takes_value(predicate.operation)) return out;
  if (!takes_list(predicate.operation)) return out + " " + print_value(predicate.values.front());
  std::vector<std::string> values;
  for (const auto& value : predicate.values) values.push_back(print_value(value));
  return out + " [" + join(values, ", ") + "]";
}

std::string print_node(const Expression& expression, const Node& node) {
  if (node.kind == Node::Kind::kPredicate) return print_predicate(expression.predicates()[node.predicate]);
  std::vector<std::string> operands;
  for (const auto index : node.operands) {
    const Node& operand = expression.nodes()[index];
    const std::string text = print_node(expression, operand);
    const bool weaker = node.kind == Node::Kind::kAnd && operand.kind == Node::Kind::kOr;
    const bool same = node.kind == operand.kind && node.kind != Node::Kind::kNot;
    operands.push_back(weaker || same ? "(" + text + ")" : text);
  }
  if (node.kind == Node::Kind::kNot) return "not(" + operands.front() + ")";
  return join(operands, node.kind == Node::Kind::kAnd ? " and " : " or ");
}

}  // namespace

std::string Expression::print() const {
  return print_node(*this, root());
}

}  // namespace bayplan::query
