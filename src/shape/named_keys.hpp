#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::shape {

/// What the schemas of the requests say of a key or of an enum value, found by its name alone.
struct NamedKey {
  enum class Use : std::uint8_t {
    kMember,
    kAlias,  ///< ECS has no such key, and people write it.
    kValue,  ///< One of the values that the member at `path` takes.
  };
  std::string_view request;  ///< "a task definition", "a service (create-service)"
  std::string_view source;   ///< Page of the request in the API reference.
  std::string path;  ///< "containerDefinitions[].portMappings[].hostPort"; of an alias the key that is meant, or empty.
  std::string text;  ///< Description; of an alias the form of the value, as JSON, or empty.
  std::string limits = {};                ///< Type, range and values: "integer, 0 to 65535"; empty of an alias.
  std::vector<std::string> members = {};  ///< Keys of the object, or of the objects of the list.
  Use use = Use::kMember;
};

/// `name`: a key or the end of a path, "containerDefinitions.portMappings", "portMappings[0].hostPort". Outermost
/// first, else in the order of the schemas; case, _ and - do not matter. Aliases only of a name that is nowhere a key,
/// values only of one that is neither.
std::vector<NamedKey> find_named_keys(std::string_view name);

}  // namespace bayplan::shape
