#include "relcache/tools/tree_file.h"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/internal/json_text.h"

namespace relcache::tools {
namespace {

struct Closer {
  void operator()(gzFile_s* file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, Closer>;

Error IoError(const std::string& file, const char* what) {
  return Error(ErrorCode::kIo, "58030", what).At(file);
}

// A duplicate of standard input, because gzclose closes what it was given.
GzFile Open(const std::string& file) {
  return GzFile(file == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(file.c_str(), "rb"));
}

// Whatever zlib can deliver, piece by piece.
Status ForEachPiece(const std::string& file, const std::function<void(std::string_view)>& use) {
  const GzFile in = Open(file);
  if (in == nullptr) return Fail(IoError(file, std::strerror(errno)));
  gzbuffer(in.get(), 128 << 10);
  const auto buffer = std::make_unique<char[]>(256 << 10);
  for (;;) {
    const int n = gzread(in.get(), buffer.get(), 256 << 10);
    if (n > 0) {
      use({buffer.get(), static_cast<std::size_t>(n)});
      continue;
    }
    // A file that was cut off ends like any other; only its state tells.
    int code = Z_OK;
    const std::string problem = gzerror(in.get(), &code);
    if (code == Z_ERRNO) return Fail(IoError(file, std::strerror(errno)));
    if (code == Z_BUF_ERROR) return Fail(IoError(file, "unexpected end of a compressed file"));
    if (n < 0 || code != Z_OK) return Fail(IoError(file, problem.c_str()));
    return {};
  }
}

Status ReadLine(const json::Value& root, TreeLine& line) {
  const auto wrong = [](const char* what) {
    return Fail(ErrorCode::kInvalidInput, "22032", std::string("expected ") + what);
  };
  if (!root.IsObject()) return wrong("a JSON object");
  int trees = 0, versions = 0;
  for (const auto& member : root.GetObject()) {
    if (json::Text(member.name) == "tree") {
      if (++trees > 1 || !member.value.IsString()) return wrong("one \"tree\", a string");
      line.tree = json::Text(member.value);
    } else if (json::Text(member.name) == "pg") {
      if (++versions > 1 || !member.value.IsInt())
        return wrong("one \"pg\", the major version of a server as an integer");
      line.pg_version = member.value.GetInt();
    }
  }
  return trees == 0 ? wrong("a \"tree\"") : Status();
}

// What psql -At prints of a tree: a node "{OPEXPR", a list "(", or "<>". An object of JSON goes on
// with a quote, its end or a space.
bool IsPlainTree(std::string_view text) {
  if (text.starts_with('(') || text.starts_with("<>")) return true;
  return text.size() > 1 && text[0] == '{' && text[1] >= 'A' && text[1] <= 'Z';
}

Status UseLine(const std::string& file, std::size_t number, const std::string& text,
               int default_version, const std::function<void(const TreeLine&)>& use) {
  constexpr std::string_view kSpaces = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string::npos) return {};
  const std::string_view whole = text;
  const std::string_view inner = whole.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
  if (IsPlainTree(inner)) {
    use({number, default_version, inner});
    return {};
  }
  const ContextPtr cx = Bump::CreateRoot("tree line");
  json::Document document(*cx);
  TreeLine line{number, default_version, {}};
  Status status = document.Parse(text);
  if (status) status = ReadLine(document.root(), line);
  if (!status) return Fail(std::move(status).error().At(Format("{}:{}", file, number)));
  use(line);
  return {};
}

// Puts lines together from pieces.
class Lines {
 public:
  Lines(const std::string& file, int default_version,
        const std::function<void(const TreeLine&)>& use)
      : file_(file), default_version_(default_version), use_(use) {}

  void Add(std::string_view piece) {
    while (status_) {
      const std::size_t end = piece.find('\n');
      line_ += piece.substr(0, end);
      if (end == std::string_view::npos) return;
      piece.remove_prefix(end + 1);
      EndLine();
    }
  }
  Status Finish() {
    if (status_) EndLine();
    return status_;
  }

 private:
  void EndLine() {
    status_ = UseLine(file_, ++number_, line_, default_version_, use_);
    line_.clear();
  }

  const std::string& file_;
  const int default_version_;
  const std::function<void(const TreeLine&)>& use_;
  std::string line_;
  std::size_t number_ = 0;
  Status status_;
};

}  // namespace

Status ForEachTree(const std::string& file, int default_version,
                   const std::function<void(const TreeLine&)>& use) {
  Lines lines(file, default_version, use);
  RELCACHE_TRY(ForEachPiece(file, [&](std::string_view piece) { lines.Add(piece); }));
  return lines.Finish();
}

Status ForEachTreeIn(std::string_view content, const std::string& file, int default_version,
                     const std::function<void(const TreeLine&)>& use) {
  Lines lines(file, default_version, use);
  lines.Add(content);
  return lines.Finish();
}

Result<std::string> ReadWholeFile(const std::string& file) {
  std::string all;
  RELCACHE_TRY(ForEachPiece(file, [&](std::string_view piece) { all += piece; }));
  return all;
}

}  // namespace relcache::tools
