#include "cli/io/guarded_files.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "cli/application.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/read_input.hpp"

namespace bayplan::cli {

class GuardedFiles::Guarded : public NewFile {
 public:
  Guarded(const GuardedFiles& files, std::string path, std::string place, std::unique_ptr<NewFile> file)
      : files_(files), path_(std::move(path)), place_(std::move(place)), file_(std::move(file)) {}

  void append(std::string_view text) override { file_->append(text); }
  Result<bool> commit() override {
    if (files_.was_read(place_)) return GuardedFiles::report_over_input(path_);
    return file_->commit();
  }

 private:
  const GuardedFiles& files_;
  std::string path_;
  std::string place_;
  std::unique_ptr<NewFile> file_;
};

Result<std::string> GuardedFiles::read(const std::string& path, std::size_t limit) const {
  if (is_standard_input(path)) {
    const std::lock_guard lock(mutex_);
    if (!input_) {
      auto text = read_standard_input(*in_, limit);
      if (!text) return text;
      if (text->empty()) return Error{.message = "standard input is empty", .help = "Did the command before | fail?"};
      input_ = std::move(*text);
    }
    if (input_->size() > limit)
      return Error{.message = "standard input is larger than " + std::to_string(limit) + " bytes"};
    if (keeps_contents_) contents_["-"] = *input_;
    return *input_;
  }
  keep_stamp(path);
  auto text = files_.read(path, limit);
  if (text) {
    const std::lock_guard lock(mutex_);
    read_.insert(path);
    if (keeps_contents_) contents_[path] = *text;
  }
  return text;
}

Result<std::unique_ptr<FileReader>> GuardedFiles::open(const std::string& path) const {
  if (is_standard_input(path) || keeps_contents_) return Files::open(path);
  keep_stamp(path);
  auto file = files_.open(path);
  if (file) {
    const std::lock_guard lock(mutex_);
    read_.insert(path);
  }
  return file;
}

Result<std::vector<std::string>> GuardedFiles::list(const std::string& folder) const {
  keep_stamp(folder);
  return files_.list(folder);
}

void GuardedFiles::keep_stamp(const std::string& path) const {
  if (!stamp_) return;
  const std::lock_guard lock(mutex_);
  if (!stamps_.contains(path)) stamps_[path] = stamp_(path);
}

std::map<std::string, std::string> GuardedFiles::stamps() const {
  auto stamps = stamps_;
  std::erase_if(stamps, [&](const auto& one) { return written_.contains(files_.absolute(one.first)); });
  // A report that is created in a searched folder changes the folder.
  for (const auto& written : written_) {
    const auto slash = written.rfind('/');
    const auto folder = slash == std::string::npos ? "." : written.substr(0, slash);
    for (auto& [path, stamp] : stamps) {
      if (files_.absolute(path) == folder) stamp = stamp_(path);
    }
  }
  return stamps;
}

Result<std::unique_ptr<NewFile>> GuardedFiles::create(const std::string& path) {
  if (auto error = refusal(path)) return *error;
  auto file = files_.create(path);
  const auto place = place_of(path);
  if (!file || !place) return file;
  written_.insert(*place);
  return std::unique_ptr<NewFile>(std::make_unique<Guarded>(*this, path, *place, std::move(*file)));
}

std::optional<Error> GuardedFiles::refusal(const std::string& path) const {
  const auto place = place_of(path);
  if (!place) return std::nullopt;
  if (was_read(*place)) return report_over_input(path);
  if (written_.contains(*place)) return Error{.message = "another output already goes to this file", .file = path};
  return std::nullopt;
}

void GuardedFiles::let_go(const std::string& path) {
  const auto place = place_of(path);
  if (place) let_go_.insert(*place);
}

bool GuardedFiles::was_read(const std::string& place) const {
  if (let_go_.contains(place) || !files_.exists(place)) return false;
  const std::lock_guard lock(mutex_);
  return std::any_of(read_.begin(), read_.end(),
                     [&](const std::string& name) { return files_.absolute(name) == place; });
}

std::optional<std::string> GuardedFiles::place_of(const std::string& path) const {
  std::string place = files_.absolute(path);
  if (!files_.exists(path)) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const std::string folder = files_.absolute(folder_around(path));
    place = folder == "." ? name : (folder.ends_with('/') ? folder : folder + "/") + name;
  }
  if (is_of_system(place)) return std::nullopt;
  return place;
}

void may_be_replaced(const Streams& io, const std::string& path) {
  if (io.guard != nullptr) io.guard->let_go(path);
}

Result<bool> rewrite(const Streams& io, const std::string& path, std::string_view text) {
  return io.guard == nullptr ? io.files.write(path, text) : io.guard->rewrite(path, text);
}

}  // namespace bayplan::cli
