#include "study/loosened.hpp"

#include "base/strings.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using query::Node;

/// The node as it was written, with parentheses of its own.
std::string text_of(const Constraint& constraint, std::uint32_t index) {
  const auto& expression = *constraint.expression;
  const Node& node = expression.nodes()[index];
  if (node.kind == Node::Kind::kPredicate) {
    const auto span = expression.predicates()[node.predicate].span;
    return constraint.source.substr(span.begin, span.length());
  }
  std::vector<std::string> operands;
  for (const auto operand : node.operands) operands.push_back(text_of(constraint, operand));
  if (node.kind == Node::Kind::kNot) return "not(" + operands.front() + ")";
  return "(" + join(operands, node.kind == Node::Kind::kAnd ? " and " : " or ") + ")";
}

}  // namespace

std::vector<Loosened> loosened(const Constraint& constraint) {
  std::vector<Loosened> found;
  if (!constraint.expression || constraint.expression->root().kind != Node::Kind::kAnd) return found;
  std::vector<std::string> parts;
  for (const auto operand : constraint.expression->root().operands) parts.push_back(text_of(constraint, operand));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string source = join(rest, " and ");
    auto parsed = query::parse(source);
    if (!parsed) continue;
    found.push_back({parts[i],
                     {ConstraintType::kMemberOf, source,
                      std::make_shared<const query::Expression>(std::move(*parsed.expression))}});
  }
  return found;
}

}  // namespace bayplan::study
