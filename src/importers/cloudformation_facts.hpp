#pragma once
#include <string_view>

namespace bayplan::importers {

/// The key of the template that encrypts a secret, if its policy leaves it to policies of roles who may use it.
inline constexpr std::string_view kKeyOfSecret = "KmsKeyId";
/// A target group to which nothing of the template but its services refers.
inline constexpr std::string_view kNoListener = "Listener";
/// A name that the template refers to and does not declare; the value is a similar name that it declares, or empty.
inline constexpr std::string_view kUndeclared = "undeclared";
/// The types of the DNS records of a service of Cloud Map, separated by blanks.
inline constexpr std::string_view kRecordTypes = "DnsRecords";

}  // namespace bayplan::importers
