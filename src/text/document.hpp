#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "base/span.hpp"

namespace bayplan::text {

enum class Format : std::uint8_t {
  kJson,
  kYaml,
  kHcl,  ///< Terraform code, as the tree of what it comes to.
};

/// What a value is. YAML plain scalars are resolved by the YAML 1.2 core schema.
enum class Kind : std::uint8_t {
  kNull,
  kBoolean,
  kInteger,  ///< Fits 64 bits, written without fraction or exponent.
  kNumber,   ///< Any other number; its text is as written.
  kString,
  kPlaceholder,  ///< A bare `${X}`, `<X>` ... where a value may be: the value is unknown.
  kArray,
  kObject,
  kAbsent,  ///< Of no node: that of an absent `Value`.
};

/// How a scalar is written.
enum class Style : std::uint8_t { kJson, kPlain, kSingleQuoted, kDoubleQuoted, kBlock };

std::string_view name_of(Kind kind);  ///< "object", "list", "string" ... as messages say it.

/// Faults of the text itself; `rules` turns them into findings.
enum class FaultKind : std::uint8_t {
  kJsonSyntax,
  kTrailingComma,
  kComment,
  kDuplicateKey,
  kEncoding,
  kYamlSyntax,
  kHclSyntax,
  kNotEvaluated,  ///< An expression or module of Terraform that is not known here: no mistake.
  kTooDeep,
  kTooLarge,
  kAliasExpansion,
};

struct Fault {
  FaultKind kind = FaultKind::kJsonSyntax;
  Span span;
  std::string message;  ///< What was seen and what was expected; no full stop.
  std::string help;
  std::vector<Related> related;  ///< The first definition of a duplicate key.
  std::optional<Fix> fix;
  bool left_out = false;  ///< Part of the text is not in the tree: what is absent there may yet be written.
};

class Document;

/// A handle on one value of a document, which must outlive it. Cheap to copy. A default-constructed handle is "absent":
/// it has a kind of its own, no text and no children, so that what was not found can be asked like any other value.
class Value {
 public:
  Value() = default;

  explicit operator bool() const { return document_ != nullptr; }
  bool operator==(const Value&) const = default;

  Kind kind() const;
  Style style() const;
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_object() const { return kind() == Kind::kObject; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_string() const { return kind() == Kind::kString; }

  /// The decoded content of a string, the text as written of another scalar; empty for objects and lists.
  std::string_view text() const;
  std::optional<std::int64_t> integer() const;  ///< Nothing unless the kind is kInteger.
  std::optional<bool> boolean() const;          ///< Nothing unless the kind is kBoolean.
  std::string_view tag()
      const;  ///< Explicit YAML tag such as "!Ref"; empty without and for the tags of the core schema.

  Span span() const;             ///< Span of the value, quotes and brackets included.
  Span opening() const;          ///< Objects and lists: the opening bracket; else the whole span.
  std::string_view key() const;  ///< Decoded key when the value is an object's member; else empty.
  Span key_span() const;         ///< Quotes included; empty span when there is no key.

  Value parent() const;  ///< Absent for the root.
  std::uint32_t index() const { return index_; }
  std::size_t position_in_parent() const;  ///< Counted from 0.
  std::size_t size() const;                ///< Members of an object, elements of a list; 0 for scalars.
  Value find(std::string_view key)
      const;  ///< Member of an object; with duplicates the last, as JSON parsers do. Absent when none.
  Value at(std::size_t position) const;  ///< Element or member; absent when out of range.
  std::string pointer() const;           ///< RFC 6901, "" for the root.

  class Children;
  Children children() const;  ///< Members or elements in text order; empty for scalars.

  const Document& document() const { return *document_; }

 private:
  friend class Document;
  struct Node;
  Value(const Document* document, std::uint32_t index) : document_(document), index_(index) {}

  const Node& node() const;

  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

class Value::Children {
 public:
  class Iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Value operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      auto old = *this;
      ++*this;
      return old;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    friend class Children;
    Iterator(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
    const Document* document_ = nullptr;
    std::uint32_t index_ = 0;
  };

  Iterator begin() const { return {document_, first_}; }
  Iterator end() const { return {document_, last_}; }

 private:
  friend class Value;
  Children(const Document* document, std::uint32_t first, std::uint32_t last)
      : document_(document), first_(first), last_(last) {}
  const Document* document_;
  std::uint32_t first_;
  std::uint32_t last_;
};

struct Value::Node {
  std::string_view key;
  std::string_view text;
  Span key_span;
  Span span;
  std::uint32_t parent;
  std::uint32_t end;  ///< Index after the last descendant: the next sibling.
  Kind kind;
  Style style;
};

/// Tree of one text, JSON or YAML alike: nodes in text order, each with its exact bytes. Aliases and merge keys are
/// already expanded (their nodes carry the span of the anchored text). Neither copied nor moved: values point into it.
class Document {
 public:
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const std::string& source() const { return *source_; }  ///< UTF-8 without BOM; spans count its bytes.
  /// Returns the text for a document that has the same content and points into this text.
  const std::shared_ptr<const std::string>& shared_source() const { return source_; }
  Format format() const { return format_; }
  Value root() const;                              ///< Absent when nothing could be read.
  bool is_unparsed() const { return is_unread_; }  ///< Too large, or no text: the source is empty, a fault says why.
  const std::vector<Fault>& faults() const { return faults_; }  ///< Returns the faults in text order.
  std::size_t node_count() const { return nodes_.size(); }
  Value node(std::uint32_t index) const { return {this, index}; }

 private:
  friend class Value;
  friend class Value::Children::Iterator;
  friend class Builder;

  using Node = Value::Node;
  struct Tag {
    std::uint32_t node;
    std::string text;
  };

  /// Where each child of a long list or object begins, so that reaching one takes no walk past all
  /// before it.
  struct LongList {
    std::uint32_t node;
    std::vector<std::uint32_t> children;
    std::vector<std::uint32_t> by_key;  ///< Members of an object sorted by key, equal keys in text order.
  };

  Document() = default;
  void index_long_lists();
  const LongList* long_list(std::uint32_t node) const;
  Value find_in(const LongList& object, std::string_view key) const;

  std::shared_ptr<const std::string> source_;
  std::shared_ptr<const std::string> read_from_;  ///< The edited text that views point into, if there is one.
  Format format_ = Format::kJson;
  bool is_unread_ = false;
  std::vector<Node> nodes_;
  std::vector<Tag> tags_;             ///< Sorted by node.
  std::vector<LongList> long_lists_;  ///< Sorted by node.
  std::deque<std::string> strings_;   ///< Decoded text that is not a slice of the source.
  std::vector<Fault> faults_;
};

/// Grows a document in text order.
class Builder {
 public:
  Builder(std::string source, Format format);
  Builder(std::shared_ptr<const std::string> source, Format format);

  const std::string& source() const { return *document_->source_; }

  /// The key of the next value. `slice` views the source (or text kept by `keep`).
  void key(std::string_view slice, Span span);
  void scalar(Kind kind, Style style, std::string_view slice, Span span);
  void open(Kind kind, Span opening);       ///< kArray or kObject; `opening` is the bracket.
  Value close(std::uint32_t end);           ///< `end` is the offset after the closing bracket.
  void tag(std::string text);               ///< Tag of the next value.
  std::string_view keep(std::string text);  ///< Storage that lives as long as the document.
  std::size_t kept() const { return document_->strings_.size(); }
  /// Drops what `last`, just closed, holds, and the texts kept since there were `kept` of them.
  void forget_children(Value last, std::size_t kept);
  void fault(Fault fault);
  void mark_unparsed(Fault why);  ///< Records why the text is not parsed.

  std::size_t depth() const { return open_.size(); }
  std::size_t node_count() const { return document_->nodes_.size(); }

  /// Drops all nodes and faults, to start again with a repaired text.
  void restart();
  /// Maps the spans of nodes and faults through `original`, from those of a repaired text to those of the source.
  template <class Function>
  void remap(Function original) {
    for (auto& node : document_->nodes_) {
      node.span = original(node.span);
      if (node.key_span.end != 0) node.key_span = original(node.key_span);
    }
    for (auto& fault : document_->faults_) {
      fault.span = original(fault.span);
      for (auto& related : fault.related) related.span = original(related.span);
    }
  }
  /// Makes the document one of `source`; its spans must be remapped. Values read before stay valid.
  void change_source(std::shared_ptr<const std::string> source);
  template <class Function>
  void each_fault(Function use) {
    for (auto& fault : document_->faults_) use(fault);
  }
  /// Nulls at exactly these spans, which are in text order, represent values not known yet.
  void mark_placeholders(const std::vector<Span>& spans);

  /// Open containers are closed at the end of the source; faults are sorted.
  std::unique_ptr<const Document> finish() &&;

 private:
  void begin_node(Document::Node node);

  std::unique_ptr<Document> document_;
  std::vector<std::uint32_t> open_;
  std::string_view key_;
  Span key_span_;
  std::string tag_;
};

}  // namespace bayplan::text
