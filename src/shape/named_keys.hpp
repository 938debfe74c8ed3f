#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::shape {

/// What the schemas of the requests, or of bayplan's own files, say of a key or of an enum value, found by its name
/// alone.
struct NamedKey {
  enum class Use : std::uint8_t {
    kMember,
    kAlias,  ///< ECS has no such key, and people write it.
    kValue,  ///< One of the values that the member at `path` takes.
  };
  std::string_view request;  ///< "a task definition", "a service (create-service)", "a scenario"
  std::string_view source;   ///< Page of the request in the API reference, or the document of the file.
  std::string path;  ///< "containerDefinitions[].portMappings[].hostPort"; of an alias the key that is meant, or empty.
  std::string text;  ///< Description; of an alias the form of the value, as JSON, or empty.
  std::string limits = {};                ///< Type, range and values: "integer, 0 to 65535"; empty of an alias.
  std::vector<std::string> members = {};  ///< Keys of the object, or of the objects of the list.
  Use use = Use::kMember;
  std::string_view schema = {};  ///< As `bayplan schema` calls it: "task-definition".
};

/// `name`: a key or the end of a path, "containerDefinitions.portMappings", "portMappings[0].hostPort". Outermost
/// first, else in the order of the schemas; case, _ and - do not matter. Aliases only of a name that is nowhere a key,
/// values only of one that is neither.
std::vector<NamedKey> find_named_keys(std::string_view name);

/// The same in the files of bayplan: scenarios, clusters, .bayplan.yaml and grids. A key that the user names (of
/// `variants`, `when`, `needs`) is `*` in a path, and any key of `name` is one.
std::vector<NamedKey> find_file_keys(std::string_view name);

/// What may be meant by a key that is nowhere, or by a path whose keys exist, and not there: at most three. Nothing
/// where no key is near.
struct NearKeys {
  std::string place;  ///< "containerDefinitions[] of a task definition"; empty if no key is around it.
  std::vector<std::string> paths = {};    ///< The nearest paths.
  std::vector<std::string> members = {};  ///< The keys that `place` has, if none of them is near.
  std::string_view schema = {};           ///< Of the first one, as `bayplan schema` calls it.
};
std::optional<NearKeys> find_near_keys(std::string_view name);

}  // namespace bayplan::shape
