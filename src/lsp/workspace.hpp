#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "lint/config/config.hpp"
#include "lint/lint.hpp"
#include "lsp/open_document.hpp"

namespace bayplan::lsp {

/// The open document at a path from the root, or null.
using FindOpen = std::function<const OpenDocument*(const std::string& path)>;

/// Whether the text is a scenario, a cluster or a grid.
bool is_own_file(text::Value root);

/// The files of the disk as they would be if everything open were saved, seen from `folder`: paths that do not begin at
/// the root are of that folder, so that a file is linted as `bayplan lint` run in its folder does it. Writes nothing.
class EditorFiles : public Files {
 public:
  EditorFiles(Files& disk, std::string folder, FindOpen find_open)
      : disk_(disk), folder_(std::move(folder)), find_open_(std::move(find_open)) {}

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

  std::string path_from_root(const std::string& path) const;  ///< Computes the absolute path from the text alone.

 private:
  Files& disk_;
  std::string folder_;
  FindOpen find_open_;
};

/// What a config says, ready to lint by.
struct Settings {
  lint::Config config;
  lint::Options options;
};

/// The settings of the files of one folder.
struct FolderSettings {
  /// Settings of the last valid config: while one is typed, it is invalid most of the time. Null before there was
  /// one.
  std::shared_ptr<const Settings> settings;
  std::vector<Error> errors;       ///< Errors of the config as it is now.
  std::vector<std::string> files;  ///< That were read for it, from the root.
};

/// Configs that were read, each once. A config is read again when one of its files says something else.
class SettingsStore {
 public:
  explicit SettingsStore(const lint::Tools& tools) : tools_(tools) {}

  /// Returns the settings of the config that `bayplan lint` finds when it runs in the folder of `files`. The reference
  /// holds until the next call.
  const FolderSettings& of(const std::string& folder, const EditorFiles& files);

 private:
  struct Entry {
    std::string config;                       ///< Path of the config that was found; empty when there is none.
    std::map<std::string, std::string> read;  ///< What the files said, by path; nothing is said where one is missing.
    FolderSettings current;
    bool is_read = false;
  };
  bool is_current(const Entry& entry, const std::string& config, const EditorFiles& files) const;
  void read(Entry& entry, const EditorFiles& files) const;

  const lint::Tools& tools_;
  std::map<std::string, Entry> by_folder_;
};

/// What lint says of an open document, as it is now.
struct Check {
  lint::FileReport report;                   ///< Has no findings when `is_linted` is false.
  bool is_linted = false;                    ///< Something that lint looks at, and that the config does not leave out.
  std::vector<Error> own_errors;             ///< Errors of a scenario, a cluster or a grid (`errors_of_own_file`).
  std::vector<Error> config_errors;          ///< Errors of the config that applies to it.
  std::vector<std::string> config_files;     ///< That this config was read from, from the root.
  std::shared_ptr<const Settings> settings;  ///< Null when the config was never right: then nothing is checked.
};

/// A file that is not open.
struct CheckedFile {
  OpenDocument document;
  Check check;
};

/// The open documents and what is known of them. `now`: seconds since 1970, asked when something is linted.
class Workspace {
 public:
  Workspace(Files& disk, std::int64_t (*now)()) : disk_(disk), now_(now), settings_(tools_) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  void set_root(std::string folder) { root_ = std::move(folder); }  ///< Sets the folder of texts that are in no file.

  /// `language`: the client's name of it ("json", "yaml", "terraform"), for texts whose name has no ending.
  const OpenDocument& open(std::string uri, const std::string& language, std::int64_t version, std::string text);
  void close(const std::string& uri);
  OpenDocument* find(const std::string& uri);                  ///< Null when it is not open.
  const OpenDocument* find_at(const std::string& path) const;  ///< Finds a document by its absolute path.
  std::string text_at(const std::string& path) const;          ///< Open or on disk; empty when there is none.
  void note_change(const OpenDocument& changed);  ///< What was found in it, and in what reads it, holds no more.
  void note_change_of_disk();                     ///< Nothing that was found holds any more.

  /// URIs of what changed, or may be judged otherwise, since it was taken last, in order.
  std::vector<std::string> take_changed();
  void take_changed(const std::string& uri);                         ///< Takes this one alone, which must be open.
  const Check& check(const std::string& uri);                        ///< Checks an open document; lints it if need be.
  std::optional<CheckedFile> check_on_disk(const std::string& uri);  ///< Nothing when it cannot be read.
  const Check& last_check(
      const std::string& uri);  ///< Returns the last check, which may be of the text before the last change.
  /// What is wrong with the configs of what was checked, by path from the root.
  std::map<std::string, std::vector<Error>> config_errors() const;
  /// What fixing makes of it, as `bayplan lint --fix` does; nothing when that changes nothing.
  std::optional<std::string> fixed(const std::string& uri);

  EditorFiles files_of(const OpenDocument& document) const;
  const lint::Tools& tools() const { return tools_; }

 private:
  struct Entry {
    OpenDocument document;
    bool is_stale = true;    ///< Not linted since it changed.
    bool is_changed = true;  ///< Since it was taken.
    bool was_known = false;  ///< It was linted before, and a text that is briefly broken is still linted.
    std::optional<Check> check;
  };
  static void note(Entry& entry);
  bool is_meant(const Entry& entry, const lint::Options& options) const;
  void lint(Entry& entry);

  Files& disk_;
  std::int64_t (*now_)();
  std::string root_ = "/";
  lint::Tools tools_;
  SettingsStore settings_;
  std::map<std::string, Entry> entries_;  ///< Keyed by URI.
};

}  // namespace bayplan::lsp
