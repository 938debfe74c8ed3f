#pragma once
#include <string>

#include "catch.hpp"
#include "support/document_check.hpp"

using bayplan::first_broken_span;

/// The source text of a span.
inline std::string written(const bayplan::text::Document& document, bayplan::Span span) {
  return document.source().substr(span.begin, span.length());
}
inline std::string written(bayplan::text::Value value) {
  return written(value.document(), value.span());
}
