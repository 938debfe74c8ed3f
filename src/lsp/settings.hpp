#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lint/config.hpp"
#include "lint/lint.hpp"
#include "lsp/editor_files.hpp"

namespace bayplan::lsp {

/// What a config says, ready to lint by.
struct Settings {
  lint::Config config;
  lint::Options options;
};

/// The settings of the files of one folder.
struct FolderSettings {
  /// Of the last config there that was right: while one is typed, most of the time it is not. Null before there was
  /// one.
  std::shared_ptr<const Settings> settings;
  std::vector<Error> errors;       ///< Of the config as it is now.
  std::vector<std::string> files;  ///< That were read for it, from the root.
};

/// Configs that were read, each once. A config is read again when one of its files says something else.
class SettingsStore {
 public:
  explicit SettingsStore(const lint::Tools& tools) : tools_(tools) {}

  /// By the config that `bayplan lint` finds when it runs in the folder of `files`. The reference holds until the next
  /// call.
  const FolderSettings& of(const std::string& folder, const EditorFiles& files);

 private:
  struct Entry {
    std::string config;                       ///< As it was found; empty when there is none.
    std::map<std::string, std::string> read;  ///< What the files said, by path; nothing is said where one is missing.
    FolderSettings current;
    bool is_read = false;
  };
  bool is_current(const Entry& entry, const std::string& config, const EditorFiles& files) const;
  void read(Entry& entry, const EditorFiles& files) const;

  const lint::Tools& tools_;
  std::map<std::string, Entry> by_folder_;
};

}  // namespace bayplan::lsp
