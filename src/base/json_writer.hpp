#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bayplan {

/// Streams JSON: nothing is held but the nesting and a block of text, so a report of a million rows costs no memory.
/// Objects and lists opened with `Layout::kLine` are written on one line, the others one member a line, two spaces a
/// level. The stream has the whole text once the root is closed.
class JsonWriter {
 public:
  enum class Layout : std::uint8_t { kBlock, kLine };

  explicit JsonWriter(std::ostream& out) : out_(&out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() { hand_on(); }

  /// A writer of items of the list that is open here. It keeps them for `take_items` and `items`.
  JsonWriter item_writer() const { return JsonWriter(levels_); }
  std::string take_items() &&;
  /// Appends one or more items that such a writer wrote.
  JsonWriter& items(std::string_view text);

  JsonWriter& begin_object(Layout layout = Layout::kBlock) { return open('{', layout); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array(Layout layout = Layout::kBlock) { return open('[', layout); }
  JsonWriter& end_array() { return close(']'); }

  /// The name of a member. One that is written in the code is plain, which the compiler checks.
  struct Name {
    std::string_view text;
    bool is_plain = false;
    template <std::size_t size>
    consteval Name(const char (&name)[size]) : text(name, size - 1), is_plain(true) {  // NOLINT: a text is a name
      for (const char c : text) {
        if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '#') throw "to be escaped";
      }
    }
    template <std::same_as<const char*> Text>
    Name(const Text& name) : text(name) {}         // NOLINT: a text is a name
    Name(std::string_view name) : text(name) {}    // NOLINT: a text is a name
    Name(const std::string& name) : text(name) {}  // NOLINT: a text is a name
  };
  JsonWriter& key(Name name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(double number);  ///< Shortest text that reads back the same; not finite = null.
  JsonWriter& null() { return raw("null"); }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) JsonWriter& value(Integer number) {
    return integer(static_cast<std::int64_t>(number));
  }

  template <class T>
  JsonWriter& member(Name name, const T& content) {
    key(name);
    return value(content);
  }
  template <class T>
  JsonWriter& member(Name name, const std::optional<T>& content) {
    key(name);
    return content ? value(*content) : null();
  }
  JsonWriter& member(Name name, const char* content) { return key(name).value(content); }
  /// An empty text means that the value is not known and becomes null.
  JsonWriter& member_or_null(Name name, std::string_view text) {
    key(name);
    return text.empty() ? null() : value(text);
  }

  /// Ends the text with a line feed; call once, after the root is closed.
  void finish() { *out_ << '\n'; }

 private:
  struct Level {
    bool one_line;
    bool empty;
  };

  explicit JsonWriter(std::vector<Level> levels) : block_(kItemsText, '\0'), levels_(std::move(levels)) {
    levels_.back().empty = true;
  }

  JsonWriter& open(char bracket, Layout layout);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view text);
  JsonWriter& integer(std::int64_t number);
  void separate(Level& level);
  void before_item();
  void after_item() {
    if (levels_.empty()) hand_on();
  }
  void indent();
  void put(char c);
  void put(std::string_view text);
  void put_quoted(std::string_view text, bool is_plain);
  char* room(std::size_t size);
  void make_room(std::size_t size);
  void hand_on();
  void hand_on(std::string_view text);

  static constexpr std::size_t kBlock = std::size_t{1} << 15;      ///< The stream gets so much at once.
  static constexpr std::size_t kShortText = std::size_t{1} << 11;  ///< A line of a sweep fits, and costs no more.
  static constexpr std::size_t kItemsText = std::size_t{1} << 17;  ///< What `write_items` writes at once mostly fits.

  std::ostream* out_ = nullptr;  ///< Null: the block grows.
  std::string block_ = std::string(kShortText, '\0');
  std::size_t size_ = 0;  ///< Bytes of the block that are written.
  std::vector<Level> levels_;
  bool after_key_ = false;
};

/// `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);

}  // namespace bayplan
