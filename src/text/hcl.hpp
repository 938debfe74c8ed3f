#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/span.hpp"
#include "text/document.hpp"

/// The native syntax of HCL, as Terraform code is written in it. Source: the syntax specification of hashicorp/hcl,
/// hclsyntax/spec.md, and the language pages of Terraform, 2026-11.
namespace bayplan::text {

struct HclExpression;

/// A part of a quoted string or heredoc.
struct HclTemplatePart {
  enum class Kind : std::uint8_t {
    kText,
    kValue,  ///< `${ ... }`
    kIf,     ///< `%{ if ... }`, with `inner` and the parts after `%{ else }`.
    kFor,    ///< `%{ for ... }`, with `inner`.
  };
  Kind kind = Kind::kText;
  Span span;
  std::string text = {};                  ///< Decoded text of a kText.
  bool is_as_written = false;             ///< The text is the bytes of `span`.
  bool trims_before = false;              ///< `${~`: blanks before it are dropped.
  bool trims_after = false;               ///< `~}`
  std::string key_name = {};              ///< Of a kFor with two names.
  std::string value_name = {};            ///< Of a kFor.
  std::vector<HclExpression> expression;  ///< One, except for a kText.
  std::vector<HclTemplatePart> inner = {};
  std::vector<HclTemplatePart> otherwise = {};
};

/// An expression with its exact bytes.
struct HclExpression {
  enum class Kind : std::uint8_t {
    kUnreadable,  ///< A fault says why.
    kNull,
    kBoolean,      ///< `text` is "true" or "false".
    kNumber,       ///< `text` as written.
    kTemplate,     ///< A quoted string or heredoc: `parts`.
    kName,         ///< `var`, `local`, a name of `for`: `text`.
    kAttribute,    ///< `children[0].text`
    kIndex,        ///< `children[0][children[1]]`
    kSplat,        ///< `children[0][*]`, with what follows as `children[1]`, an expression of kSplatItem.
    kSplatItem,    ///< The element of the innermost splat.
    kCall,         ///< `text(children...)`
    kUnary,        ///< `text` is "!" or "-".
    kBinary,       ///< `text` is the operator.
    kConditional,  ///< `children[0] ? children[1] : children[2]`
    kTuple,
    kObject,     ///< Keys and values in turn.
    kForTuple,   ///< Collection, value, and the condition if there is one.
    kForObject,  ///< Collection, key, value, and the condition if there is one.
  };
  Kind kind = Kind::kUnreadable;
  Span span;
  std::string text = {};
  std::vector<HclExpression> children = {};
  std::vector<HclTemplatePart> parts = {};
  std::string key_name = {};    ///< Of a `for` with two names.
  std::string value_name = {};  ///< Of a `for`.
  bool expands = false;         ///< `...` after the last argument of a call, or after the value of a `for` object.
  bool is_heredoc = false;
};

struct HclAttribute {
  std::string name;
  Span name_span;
  HclExpression value;
};

struct HclBlock;

struct HclBody {
  Span span;
  std::vector<HclAttribute> attributes = {};
  std::vector<HclBlock> blocks;

  const HclAttribute* find(std::string_view name) const;  ///< Null when there is none.
};

struct HclBlock {
  std::string type;
  Span type_span;
  std::vector<std::string> labels = {};
  Span header;  ///< From the type to the last label.
  HclBody body = {};
};

struct HclFile {
  HclBody body;
  std::vector<Fault> faults = {};  ///< In text order. What could not be read is not in the body, all else is.
};

/// Never fails. `text` must be well-formed UTF-8.
HclFile read_hcl(std::string_view text, const Limits& limits = {});

/// Reads the text of a template file: parts of one string, without quotes around it.
struct HclTemplate {
  std::vector<HclTemplatePart> parts;
  std::vector<Fault> faults = {};
};
HclTemplate read_hcl_template(std::string_view text, const Limits& limits = {});

}  // namespace bayplan::text
