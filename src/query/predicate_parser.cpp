// The parts of one comparison: subject, operator, values. Messages say what was found and what belongs there, since the
// people who write these expressions see them only inside a JSON string.

#include "base/date_time.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "query/parser.hpp"
#include "query/values.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::query {

namespace {

constexpr std::string_view kAttributePrefix = "attribute:";
constexpr std::size_t kMaxAttributeName = 128;  // API_Attribute, name

std::vector<std::string_view> subject_names() {
  std::vector<std::string_view> names;
  for (const auto& row : subjects()) names.push_back(row.name);
  names.push_back(kAttributePrefix);
  return names;
}

std::string known_subjects() {
  return one_of(subject_names()) + "NAME";
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

bool Parser::parse_subject(Predicate& predicate) {
  cursor_.skip_blanks();
  const std::uint32_t begin = cursor_.offset();
  if (cursor_.accept(kAttributePrefix)) return parse_attribute_name(predicate, begin);

  const std::string found = cursor_.found();
  const Span span = cursor_.found_span();
  const std::string_view word = cursor_.take_run(std::string(kNameMarks) + ":");
  if (const auto subject = subject_named(word)) {
    predicate.subject = *subject;
    return true;
  }
  if (!word.empty() && word != "and" && word != "or") return unknown_subject(word, span);
  const bool is_quote = cursor_.peek() == '\'' || cursor_.peek() == '"';
  return fail(FaultKind::kMissingSubject, span, "found " + found + ", expected a subject",
              is_quote ? "do not quote the left side: attribute:stack == 'prod'"
                       : "start a comparison with " + known_subjects());
}

bool Parser::parse_attribute_name(Predicate& predicate, std::uint32_t begin) {
  const std::string_view name = cursor_.take_run(kNameMarks);
  if (name.empty()) {
    return fail(FaultKind::kMissingSubject, cursor_.span_from(begin), "missing name after 'attribute:'",
                "put the name directly after the colon: attribute:ecs.instance-type");
  }
  if (name.size() > kMaxAttributeName) {
    return fail(FaultKind::kUnknownSubject, cursor_.span_from(begin),
                "attribute name has " + std::to_string(name.size()) + " characters; the maximum is 128");
  }
  predicate.subject = Subject::kAttribute;
  predicate.attribute = name;
  return true;
}

bool Parser::unknown_subject(std::string_view word, Span span) {
  const std::size_t colon = word.find(':');
  if (word.substr(0, colon) == "attributes" && colon != std::string_view::npos) {
    return fail(FaultKind::kAttributesPrefix, span, "found 'attributes:', expected 'attribute:'",
                "use attribute:" + std::string(word.substr(colon + 1)));
  }
  if (colon == std::string_view::npos) {
    const auto names = subject_names();
    const auto near = nearest(word, names);
    if (near && *near != kAttributePrefix) {
      return fail(FaultKind::kUnknownSubject, span, "unknown subject " + quoted(word),
                  "did you mean " + std::string(*near) + "?");
    }
    return fail(FaultKind::kMissingSubject, span,
                quoted(word) + " is not a subject; an attribute requires the prefix 'attribute:'",
                "use attribute:" + std::string(word));
  }
  const std::string prefix = std::string(word.substr(0, colon + 1));
  if (nearest(prefix, {kAttributePrefix})) {
    return fail(FaultKind::kUnknownSubject, span, "found " + quoted(prefix) + ", expected 'attribute:'",
                "use attribute:" + std::string(word.substr(colon + 1)));
  }
  const auto near = nearest(word, subject_names());
  return fail(FaultKind::kUnknownSubject, span, "unknown subject " + quoted(word),
              near && *near != kAttributePrefix ? "did you mean " + std::string(*near) + "?"
                                                : "start a comparison with " + known_subjects());
}

bool Parser::parse_operator(Predicate& predicate) {
  const std::string subject = name_of(predicate.subject, predicate.attribute);
  cursor_.skip_blanks();
  const std::uint32_t begin = cursor_.offset();
  const auto operation = read_operator(predicate);
  if (!operation) return false;
  predicate.operation = *operation;
  if (find_support(predicate.subject, *operation) == Support::kMeaningless) {
    return fail(FaultKind::kOperator, cursor_.span_from(begin),
                subject + " cannot be compared with " + std::string(symbol_of(*operation)),
                is_order(*operation) ? "use == or in; it has no order" : "use == or an order such as >");
  }
  return true;
}

std::optional<Operator> Parser::read_operator(const Predicate& predicate) {
  // Longest first; `!` belongs to the operator only right before `exists` and `in`.
  for (const std::string_view symbol : {"==", "!=", ">=", "<=", "=~", "!~", ">", "<"}) {
    const std::uint32_t begin = cursor_.offset();
    if (!cursor_.accept(symbol)) continue;
    const std::string rest(symbol == ">" || symbol == "<" || symbol == "==" ? cursor_.found() : "");
    if (rest == "'='" || rest == "'=='" || rest == "'>'") {
      cursor_.skip(1);
      fail(FaultKind::kOperator, cursor_.span_from(begin), "unknown operator " + quoted(cursor_.slice(begin)),
           symbol == "<" ? "use !=" : "use ==");
      return std::nullopt;
    }
    return operator_spelled(symbol);
  }
  for (const std::string_view negated : {"!exists", "!in"}) {
    if (cursor_.sees("!") && cursor_.sees(negated)) {
      Cursor word = cursor_;
      word.skip(1);
      if (word.accept_word(negated.substr(1))) {
        cursor_ = word;
        return operator_spelled(negated);
      }
    }
  }
  return operator_word(predicate);
}

std::optional<Operator> Parser::operator_word(const Predicate& predicate) {
  const std::string subject = name_of(predicate.subject, predicate.attribute);
  const Span span = cursor_.found_span();
  const std::string found = cursor_.found();
  if (cursor_.sees("=")) {
    fail(FaultKind::kSingleEquals, {span.begin, span.begin + 1}, "found '=', expected an operator", "use ==");
    return std::nullopt;
  }
  const std::string_view word = cursor_.take_run("_");
  if (const auto operation = operator_spelled(word)) return operation;
  if (word.empty() || word == "and" || word == "or") {
    fail(FaultKind::kOperator, span, "found " + found + ", expected an operator after " + subject,
         predicate.subject == Subject::kAttribute ? "to check whether it is set: " + subject + " exists"
                                                  : "use for example " + subject + " ==");
    return std::nullopt;
  }
  const auto near = nearest(word, operator_words());
  fail(FaultKind::kOperator, span, "unknown operator " + quoted(word),
       near ? "did you mean " + std::string(*near) + "?"
            : "use ==, !=, >, >=, <, <=, =~, !~, in, !in, exists or !exists");
  return std::nullopt;
}

bool Parser::parse_list(Predicate& predicate) {
  cursor_.skip_blanks();
  const Span opening = cursor_.found_span();
  if (!cursor_.accept("[")) {
    return fail(FaultKind::kLiteral, opening, "found " + cursor_.found() + ", expected '['",
                std::string(symbol_of(predicate.operation)) + " requires a list in brackets: [a, b]");
  }
  while (true) {
    cursor_.skip_blanks();
    if (cursor_.at_end()) return fail(FaultKind::kUnclosedBracket, opening, "unclosed bracket", "add ']'");
    if (!parse_value(predicate)) return false;
    cursor_.skip_blanks();
    if (cursor_.accept("]")) return true;
    if (cursor_.accept(",")) continue;
    if (cursor_.at_end() || cursor_.peek() == ')') {
      return fail(FaultKind::kUnclosedBracket, opening, "unclosed bracket", "add ']'");
    }
    return fail(FaultKind::kSyntax, cursor_.found_span(), "found " + cursor_.found() + ", expected ',' or ']'");
  }
}

bool Parser::parse_value(Predicate& predicate) {
  cursor_.skip_blanks();
  const std::string after = " after " + std::string(symbol_of(predicate.operation));
  const bool in_list = takes_list(predicate.operation);
  const Span span = cursor_.found_span();
  const std::string found = cursor_.found();
  Literal literal;
  if (cursor_.peek() == '\'' || cursor_.peek() == '"') {
    auto read = read_quoted();
    if (!read) return false;
    literal = std::move(*read);
  } else {
    if (cursor_.peek() == '[' && !takes_pattern(predicate.operation)) {
      return fail(FaultKind::kLiteral, span, "found a list" + after,
                  in_list ? "lists cannot be nested" : "use in or !in with a list");
    }
    const bool is_keyword =
        cursor_.sees_word("and") || cursor_.sees_word("or") || cursor_.sees("&&") || cursor_.sees("||");
    if (!is_keyword) literal = read_bare(predicate, in_list);
    if (literal.text.empty()) {
      return fail(FaultKind::kLiteral, span, "found " + found + ", expected a value" + (in_list ? "" : after));
    }
  }
  if (!type_literal(predicate, literal)) return false;
  predicate.values.push_back(std::move(literal));
  return true;
}

std::optional<Literal> Parser::read_quoted() {
  const std::uint32_t begin = cursor_.offset();
  const std::size_t closing = cursor_.rest().find(cursor_.peek(), 1);
  if (closing == std::string_view::npos) {
    fail(FaultKind::kUnclosedQuote, {begin, begin + 1}, "unclosed quote", std::string("add ") + cursor_.peek());
    return std::nullopt;
  }
  Literal literal;
  literal.text = cursor_.rest().substr(1, closing - 1);
  cursor_.skip(closing + 1);
  literal.span = cursor_.span_from(begin);
  return literal;
}

/// Ends at a blank, a comma or a closing bracket. A regular expression keeps what it opened itself, `(g4dn|g5)\..*`,
/// and its commas; other values end at && and || too, which no attribute value may hold (API_Attribute, value).
Literal Parser::read_bare(const Predicate& predicate, bool in_list) {
  const bool is_pattern = takes_pattern(predicate.operation);
  const std::uint32_t begin = cursor_.offset();
  std::size_t open = 0;
  for (; !cursor_.at_end() && !is_blank(cursor_.peek()); cursor_.skip(1)) {
    const char c = cursor_.peek();
    if (is_pattern && c == '\\' && cursor_.rest().size() > 1 && !is_blank(cursor_.rest()[1])) {
      cursor_.skip(1);
      continue;
    }
    if (is_pattern && (c == '(' || c == '[')) {
      ++open;
    } else if (c == ')' || c == ']') {
      if (open == 0) break;
      --open;
    } else if (c == '[' || (c == ',' && (in_list || !is_pattern))) {
      break;
    } else if (!is_pattern && (cursor_.sees("&&") || cursor_.sees("||"))) {
      break;
    }
  }
  Literal literal;
  literal.text = cursor_.slice(begin);
  literal.span = cursor_.span_from(begin);
  return literal;
}

bool Parser::type_literal(const Predicate& predicate, Literal& literal) {
  if (takes_pattern(predicate.operation)) return true;
  const std::string subject = name_of(predicate.subject);
  const auto refuse = [&](std::string wanted) {
    return fail(FaultKind::kLiteral, literal.span, subject + " must be " + wanted + ", got " + quoted(literal.text));
  };
  switch (comparison_of(predicate.subject)) {
    case Comparison::kText:
      return true;
    case Comparison::kBoolean:
      return literal.text == "true" || literal.text == "false" || refuse("true or false");
    case Comparison::kVersion: {
      auto version = parse_version(literal.text);
      if (!version) return refuse("a version such as 1.90.0");
      literal.version = std::move(*version);
      return true;
    }
    case Comparison::kTime: {
      const auto time = parse_date_time(literal.text);
      if (!time) return refuse("a date such as 2026-02-13 or 2026-06-18T22:28:28Z");
      literal.number = *time;
      return true;
    }
    case Comparison::kCount: {
      const auto count = to_integer(literal.text);
      if (!count) return refuse("an integer");
      literal.number = *count;
      return true;
    }
  }
  return true;
}

bool Parser::compile_pattern(Predicate& predicate) {
  if (!takes_pattern(predicate.operation)) return true;
  const Literal& literal = predicate.values.front();
  auto pattern = Pattern::compile(literal.text, Pattern::Dialect::kJava);
  if (!pattern) return fail(FaultKind::kRegularExpression, literal.span, pattern.error().message, pattern.error().help);
  predicate.pattern = std::move(*pattern);
  return true;
}

void Parser::note_doubts(const Predicate& predicate) {
  auto& doubts = expression_.doubts_;
  const std::string symbol(symbol_of(predicate.operation));
  if (predicate.subject == Subject::kTaskGroup && predicate.operation != Operator::kEqual &&
      predicate.operation != Operator::kIn) {
    doubts.push_back({predicate.span,
                      "task:group " + symbol +
                          " is not documented for instances with several groups or none; interpreted as: at least one "
                          "task there satisfies it",
                      "use not(task:group == GROUP)"});
  } else if (find_support(predicate.subject, predicate.operation) == Support::kUndocumented) {
    doubts.push_back({predicate.span, name_of(predicate.subject) + " with " + symbol + " is not documented", {}});
  } else if (predicate.subject == Subject::kAttribute && is_order(predicate.operation)) {
    const bool numeric = to_number(predicate.values.front().text).has_value();
    doubts.push_back({predicate.span,
                      "how ECS orders attributes with " + symbol + " is not documented; compared " +
                          (numeric ? "as numbers if the attribute is a number, otherwise as text" : "as text"),
                      {}});
  } else if (predicate.operation == Operator::kEqual && predicate.values.front().text.find('*') != std::string::npos) {
    doubts.push_back(
        {predicate.values.front().span, "'*' has no special meaning after ==", "use =~ with a regular expression: .*"});
  }
}

}  // namespace bayplan::query
