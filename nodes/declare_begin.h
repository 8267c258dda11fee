// What the declarations of node types are written with. Included before them, more than once;
// declare_end.h, after them, takes it all back. See nodes/README.md for an example.

// offsetof where the base has a member: conditionally supported, and both compilers support it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// In a node type: NODE(Name, "LABEL") or NODE(Name, UntilVersion(14, "OLD"),
/// SinceVersion(15, "LABEL")) before its members ...
#define NODE(N, ...)                             \
  using Self = N;                                \
  static constexpr NodeTag kTag = NodeTag::k##N; \
  static constexpr NodeLabel kLabels[] = {__VA_ARGS__}

/// ... and after them FIELDS(FIELD(a), FIELD(b, .since = 12), FIELD_AS(c, "old", ...)):
/// all members, in the order of the text. A member may stand there more than once.
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
