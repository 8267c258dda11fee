#include "relcache/types/internal/jsonb.h"

#include <algorithm>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/memory/align.h"
#include "relcache/types/internal/json.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

// A container is a header (count and kind), an entry for each element (of an object first all keys,
// then all values), and the elements' bytes. An entry has the length of its bytes, or every 32nd
// the offset of their end; numbers and containers are aligned to 4 and their padding counts as
// theirs.
constexpr std::uint32_t kCountMask = 0x0fffffff;
constexpr std::uint32_t kScalar = 0x10000000;
constexpr std::uint32_t kObject = 0x20000000;
constexpr std::uint32_t kArray = 0x40000000;
constexpr std::uint32_t kLengthMask = 0x0fffffff;
constexpr std::uint32_t kTypeMask = 0x70000000;
constexpr std::uint32_t kHasOffset = 0x80000000;
// JB_OFFSET_STRIDE: lengths compress better than offsets, but an element's place must be found
// without adding up the lengths of all elements before it.
constexpr std::size_t kOffsetStride = 32;

enum class Kind : std::uint32_t {
  kString = 0x00000000,
  kNumeric = 0x10000000,
  kFalse = 0x20000000,
  kTrue = 0x30000000,
  kNull = 0x40000000,
  kContainer = 0x50000000,
};

void AppendWord(std::string& out, std::uint32_t word) {
  char bytes[sizeof word];
  std::memcpy(bytes, &word, sizeof word);
  out.append(bytes, sizeof bytes);
}

Error Malformed() {
  return Error(ErrorCode::kInvalidInput, "22P02", "malformed jsonb value");
}

// --- Writing

struct Item {
  Kind kind = Kind::kNull;
  std::string bytes;  // without padding
};

// A container whose end was not seen yet.
struct Open {
  bool object = false;
  std::vector<std::string> keys;
  std::vector<Item> items;
};

// The bytes of a container, as if it began at an aligned place.
Result<std::string> Encode(std::uint32_t header, const std::vector<const Item*>& entries) {
  std::string out;
  AppendWord(out, header);
  std::string data;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Item& item = *entries[i];
    const std::size_t before = data.size();
    if (item.kind == Kind::kNumeric || item.kind == Kind::kContainer)
      data.resize(AlignUp(data.size(), 4), '\0');
    data += item.bytes;
    if (data.size() > kLengthMask) {
      return Fail(ErrorCode::kLimit, "54000",
                  "total size of jsonb elements exceeds the maximum of 268435455 bytes");
    }
    const bool offset = i % kOffsetStride == 0;
    const auto length = static_cast<std::uint32_t>(offset ? data.size() : data.size() - before);
    AppendWord(out, static_cast<std::uint32_t>(item.kind) | length | (offset ? kHasOffset : 0));
  }
  return out + data;
}

// Shorter keys first, because lengths are quicker to compare; of equal keys the last one stays. It
// is therefore sorted before the others, and std::unique keeps the first.
Result<std::string> EncodeObject(const Open& object) {
  std::vector<std::size_t> order(object.keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&object](std::size_t a, std::size_t b) {
    const std::string& x = object.keys[a];
    const std::string& y = object.keys[b];
    if (x.size() != y.size()) return x.size() < y.size();
    const int difference = x.compare(y);
    return difference != 0 ? difference < 0 : a > b;
  });
  const auto same = std::unique(
      order.begin(), order.end(),
      [&object](std::size_t a, std::size_t b) { return object.keys[a] == object.keys[b]; });
  order.erase(same, order.end());
  std::vector<Item> keys;
  keys.reserve(order.size());
  for (const std::size_t i : order) keys.push_back({Kind::kString, object.keys[i]});
  std::vector<const Item*> entries;
  entries.reserve(2 * keys.size());
  for (const Item& key : keys) entries.push_back(&key);
  for (const std::size_t i : order) entries.push_back(&object.items[i]);
  return Encode(kObject | static_cast<std::uint32_t>(order.size()), entries);
}

Result<std::string> EncodeArray(const std::vector<Item>& items, std::uint32_t flags) {
  std::vector<const Item*> entries;
  entries.reserve(items.size());
  for (const Item& item : items) entries.push_back(&item);
  return Encode(flags | static_cast<std::uint32_t>(items.size()), entries);
}

class Builder : public JsonHandler {
 public:
  Status ObjectStart() override { return Start(true); }
  Status ArrayStart() override { return Start(false); }
  Status ObjectEnd() override { return End(); }
  Status ArrayEnd() override { return End(); }
  Status Key(std::string_view key) override {
    open_.back().keys.emplace_back(key);
    return {};
  }
  Status String(std::string_view text) override { return Add({Kind::kString, std::string(text)}); }
  Status Number(std::string_view text) override {
    const ContextPtr cx = Bump::CreateRoot("jsonb number");
    RELCACHE_ASSIGN(const Datum number, NumericIn(text, -1, *cx));
    // With its header: a number in a jsonb is a complete varlena.
    const std::string_view payload = VarData(number);
    return Add(
        {Kind::kNumeric, std::string(payload.data() - kVarHdrSz, payload.size() + kVarHdrSz)});
  }
  Status Bool(bool value) override { return Add({value ? Kind::kTrue : Kind::kFalse, {}}); }
  Status Null() override { return Add({Kind::kNull, {}}); }

  // The root container. A value that is no container is kept as an array of one, marked so.
  Result<std::string> Finish() {
    if (root_.kind == Kind::kContainer) return std::move(root_.bytes);
    return EncodeArray({root_}, kArray | kScalar);
  }

 private:
  Status Start(bool object) {
    if (open_.size() >= kJsonbMaxDepth)
      return Fail(NotSupported(Format("jsonb nested deeper than {}", kJsonbMaxDepth)));
    open_.push_back({object, {}, {}});
    return {};
  }
  Status End() {
    const Open done = std::move(open_.back());
    open_.pop_back();
    RELCACHE_ASSIGN(std::string bytes,
                    done.object ? EncodeObject(done) : EncodeArray(done.items, kArray));
    return Add({Kind::kContainer, std::move(bytes)});
  }
  Status Add(Item item) {
    if (open_.empty())
      root_ = std::move(item);
    else
      open_.back().items.push_back(std::move(item));
    return {};
  }

  std::vector<Open> open_;
  Item root_;
};

// --- Reading

struct Element {
  Kind kind = Kind::kNull;
  std::string_view bytes;
};

class Container {
 public:
  static Result<Container> Of(std::string_view bytes) {
    Container out;
    out.bytes_ = bytes;
    if (bytes.size() < 4) return Fail(Malformed());
    out.header_ = out.Word(0);
    // Every container is either an object or an array; a scalar is an array.
    if (out.object() == ((out.header_ & kArray) != 0)) return Fail(Malformed());
    if (out.entries() > (bytes.size() - 4) / 4) return Fail(Malformed());
    if (out.scalar() && out.count() != 1) return Fail(Malformed());
    return out;
  }
  bool object() const { return (header_ & kObject) != 0; }
  bool scalar() const { return (header_ & kScalar) != 0; }
  std::size_t count() const { return header_ & kCountMask; }
  std::size_t entries() const { return count() * (object() ? 2 : 1); }

  Result<Element> At(std::size_t index) const {
    const std::uint32_t entry = Word(1 + index);
    // Lengths are added up from the nearest offset, so at most kOffsetStride of them.
    std::size_t start = 0;
    for (std::size_t i = index; i-- > 0;) {
      start += Word(1 + i) & kLengthMask;
      if ((Word(1 + i) & kHasOffset) != 0) break;
    }
    const std::size_t field = entry & kLengthMask;
    std::size_t end = (entry & kHasOffset) != 0 ? field : start + field;
    Element out{static_cast<Kind>(entry & kTypeMask), {}};
    if (out.kind > Kind::kContainer) return Fail(Malformed());
    if (out.kind == Kind::kNumeric || out.kind == Kind::kContainer) start = AlignUp(start, 4);
    const std::size_t data = 4 + 4 * entries();
    if (start > end || end > bytes_.size() - data) return Fail(Malformed());
    out.bytes = bytes_.substr(data + start, end - start);
    if (out.kind == Kind::kNumeric) {
      std::uint32_t header = 0;
      if (out.bytes.size() < kVarHdrSz) return Fail(Malformed());
      std::memcpy(&header, out.bytes.data(), sizeof header);
      if (header >> 2 != out.bytes.size() || (header & 3) != 0) return Fail(Malformed());
    }
    return out;
  }
  Result<std::string_view> Key(std::size_t index) const {
    RELCACHE_ASSIGN(const Element key, At(index));
    if (key.kind != Kind::kString) return Fail(Malformed());
    return key.bytes;
  }
  // The place of a key's value, by binary search.
  Result<std::optional<Element>> Find(std::string_view key) const {
    std::size_t low = 0;
    std::size_t high = count();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      RELCACHE_ASSIGN(const std::string_view found, Key(middle));
      const auto order =
          found.size() != key.size() ? (found.size() < key.size() ? -1 : 1) : found.compare(key);
      if (order == 0) {
        RELCACHE_ASSIGN(const Element value, At(count() + middle));
        return std::optional(value);
      }
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    return std::optional<Element>();
  }

 private:
  std::uint32_t Word(std::size_t i) const {
    std::uint32_t word;
    std::memcpy(&word, bytes_.data() + 4 * i, sizeof word);
    return word;
  }
  std::string_view bytes_;
  std::uint32_t header_ = 0;
};

void AppendScalar(std::string& out, const Element& e, MemoryContext& cx) {
  switch (e.kind) {
    case Kind::kString:
      AppendJsonString(out, e.bytes);
      break;
    case Kind::kNumeric:
      out += NumericOut(PointerGetDatum(e.bytes.data()), cx);
      break;
    case Kind::kTrue:
      out += "true";
      break;
    case Kind::kFalse:
      out += "false";
      break;
    default:
      out += "null";
  }
}

// Prints a container, with a stack of its own for the open ones.
Result<std::string> Print(std::string_view root, MemoryContext& cx) {
  struct Level {
    Container container;
    std::size_t next = 0;
  };
  std::string out;
  RELCACHE_ASSIGN(const Container top, Container::Of(root));
  std::vector<Level> levels = {{top}};
  if (!top.scalar()) out += top.object() ? '{' : '[';
  while (!levels.empty()) {
    Level& level = levels.back();
    const Container container = level.container;
    if (level.next == container.count()) {
      if (!container.scalar()) out += container.object() ? '}' : ']';
      levels.pop_back();
      continue;
    }
    const std::size_t i = level.next++;
    if (i > 0) out += ", ";
    if (container.object()) {
      RELCACHE_ASSIGN(const std::string_view key, container.Key(i));
      AppendJsonString(out, key);
      out += ": ";
    }
    RELCACHE_ASSIGN(const Element value,
                    container.At(container.object() ? container.count() + i : i));
    if (value.kind != Kind::kContainer) {
      AppendScalar(out, value, cx);
      continue;
    }
    RELCACHE_ASSIGN(const Container inner, Container::Of(value.bytes));
    if (inner.scalar() || levels.size() > kJsonbMaxDepth) return Fail(Malformed());
    out += inner.object() ? '{' : '[';
    levels.push_back({inner});
  }
  return out;
}

Datum MakeJsonb(std::string_view container, MemoryContext& cx) {
  return MakeVarlena(container, cx);
}

Result<std::optional<Element>> Field(Datum value, std::string_view key) {
  RELCACHE_ASSIGN(const Container root, Container::Of(VarData(value)));
  if (!root.object()) return std::optional<Element>();
  return root.Find(key);
}

}  // namespace

Result<Datum> JsonbIn(std::string_view text, MemoryContext& cx) {
  Builder builder;
  RELCACHE_TRY(ParseJson(text, &builder));
  RELCACHE_ASSIGN(const std::string bytes, builder.Finish());
  return MakeJsonb(bytes, cx);
}

Result<std::string_view> JsonbOut(Datum value, MemoryContext& cx) {
  RELCACHE_ASSIGN(const std::string text, Print(VarData(value), cx));
  return cx.CopyString(text);
}

Result<std::string_view> JsonbTypeof(Datum value) {
  RELCACHE_ASSIGN(const Container root, Container::Of(VarData(value)));
  if (root.object()) return "object";
  if (!root.scalar()) return "array";
  RELCACHE_ASSIGN(const Element scalar, root.At(0));
  switch (scalar.kind) {
    case Kind::kString:
      return "string";
    case Kind::kNumeric:
      return "number";
    case Kind::kTrue:
    case Kind::kFalse:
      return "boolean";
    case Kind::kNull:
      return "null";
    default:
      return Fail(Malformed());
  }
}

Result<bool> JsonbExists(Datum value, std::string_view key) {
  RELCACHE_ASSIGN(const Container root, Container::Of(VarData(value)));
  if (root.object()) return root.Find(key).map([](const auto& found) { return found.has_value(); });
  // Including a root that is a string, since it is stored as an array of one.
  for (std::size_t i = 0; i < root.count(); ++i) {
    RELCACHE_ASSIGN(const Element element, root.At(i));
    if (element.kind == Kind::kString && element.bytes == key) return true;
  }
  return false;
}

Result<std::optional<Datum>> JsonbObjectField(Datum value, std::string_view key,
                                              MemoryContext& cx) {
  RELCACHE_ASSIGN(const std::optional<Element> found, Field(value, key));
  if (!found) return std::optional<Datum>();
  if (found->kind == Kind::kContainer) return std::optional(MakeJsonb(found->bytes, cx));
  RELCACHE_ASSIGN(const std::string bytes,
                  EncodeArray({{found->kind, std::string(found->bytes)}}, kArray | kScalar));
  return std::optional(MakeJsonb(bytes, cx));
}

Result<std::optional<std::string_view>> JsonbObjectFieldText(Datum value, std::string_view key,
                                                             MemoryContext& cx) {
  RELCACHE_ASSIGN(const std::optional<Element> found, Field(value, key));
  if (!found || found->kind == Kind::kNull) return std::optional<std::string_view>();
  if (found->kind == Kind::kString) return std::optional(found->bytes);
  std::string text;
  if (found->kind == Kind::kContainer) {
    RELCACHE_ASSIGN(text, Print(found->bytes, cx));
  } else {
    AppendScalar(text, *found, cx);
  }
  return std::optional(cx.CopyString(text));
}

Result<std::int32_t> JsonbArrayLength(Datum value) {
  RELCACHE_ASSIGN(const Container root, Container::Of(VarData(value)));
  if (root.scalar())
    return Fail(ErrorCode::kEvaluation, "22023", "cannot get array length of a scalar");
  if (root.object())
    return Fail(ErrorCode::kEvaluation, "22023", "cannot get array length of a non-array");
  return static_cast<std::int32_t>(root.count());
}

}  // namespace relcache
