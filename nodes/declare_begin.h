// Macros for declaring node types. A header with such declarations includes this file before them
// and declare_end.h, which undefines the macros, after them. nodes/README.md has an example.

// offsetof in a class whose base has members is only conditionally supported by the standard, but
// both compilers support it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// In a node type, before its members: NODE(Name, "LABEL") or NODE(Name, UntilVersion(14, "OLD"),
/// SinceVersion(15, "LABEL")).
#define NODE(N, ...)                             \
  using Self = N;                                \
  static constexpr NodeTag kTag = NodeTag::k##N; \
  static constexpr NodeLabel kLabels[] = {__VA_ARGS__}

/// After the members: FIELDS(FIELD(a), FIELD(b, .since = 12), FIELD_AS(c, "old", ...)), with all
/// members in the order of the text. A member may occur more than once.
#define FIELDS(...)                 \
  static constexpr auto Fields() {  \
    return std::array{__VA_ARGS__}; \
  }

#define FIELD_AS(member, label, ...)                       \
  ::relcache::internal::MakeField<decltype(Self::member)>( \
      label, offsetof(Self, member), Self{}.member __VA_OPT__(, FieldRule{__VA_ARGS__}))
#define FIELD(member, ...) FIELD_AS(member, #member __VA_OPT__(, ) __VA_ARGS__)
/// A member that is never written.
#define UNWRITTEN(member)                                  \
  ::relcache::internal::MakeField<decltype(Self::member)>( \
      #member, offsetof(Self, member), Self{}.member, ::relcache::internal::kUnwritten)
