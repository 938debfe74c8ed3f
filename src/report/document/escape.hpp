#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// Text inside a Markdown table or sentence: shows as written, makes no markup, link, mention or line break.
std::string markdown_text(std::string_view text);
/// The same for sources of facts, whose addresses become links.
std::string markdown_with_links(std::string_view text);

/// Formats the text as code, in backticks that the text cannot end.
std::string markdown_code(std::string_view text);

/// Text inside an element or a quoted attribute of HTML: shows as written and makes no markup. What a terminal would
/// obey shows as an escape.
std::string html_text(std::string_view text);

/// The same for sentences: names such as "us-east-2a" and "--keep-zones", which browsers would break behind each
/// hyphen, stay whole where they fit into their line, and long paths may be broken behind a slash.
std::string html_words(std::string_view text);
/// The same for sources of facts, whose addresses become links.
std::string html_with_links(std::string_view text);

/// "sha256-" and the digest in base64, as a content security policy names an inline script.
/// @param digest in hexadecimal digits.
std::string policy_source(std::string_view digest);

/// Text as XML 1.0 content or attribute: no character that XML forbids, markup escaped, line ends kept by reference.
std::string xml(std::string_view text);

/// A path as a URI reference (RFC 3986): "./" taken off, all but unreserved characters and "/" percent-encoded; an
/// absolute path becomes a file URI.
std::string relative_uri(std::string_view path);

/// A path as the services name files of a repository: without "./" in front.
std::string_view repository_path(std::string_view path);

}  // namespace bayplan::report
