#include "relcache/cache/expression_slot.h"

#include "relcache/base/check.h"
#include "relcache/cache/internal/entry_store.h"
#include "relcache/cache/internal/sealed_pages.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {

using internal::BuildOnce;

std::string_view ExpressionColumn(ExpressionKind kind) noexcept {
  static constexpr std::string_view kColumns[kExpressionKinds] = {
      "conbin", "adbin",   "indexprs",     "indpred", "partexprs", "relpartbound",
      "tgqual", "polqual", "polwithcheck", "ev_qual", "ev_action", "stxexprs"};
  return kColumns[static_cast<std::size_t>(kind)];
}

ExpressionSlot::~ExpressionSlot() {
  if (once_.failed()) delete static_cast<const Error*>(once_.value());
}

std::size_t ExpressionSlot::bytes() const noexcept {
  return derived_.bytes() + (built() ? context_->bytes_reserved() : 0);
}

std::size_t ExpressionSlot::bytes_free() const noexcept {
  return derived_.bytes_free() +
         (built() ? context_->bytes_reserved() - context_->bytes_used() : 0);
}

Result<const TreeImage*> ExpressionSlot::Build() const {
  switch (once_.Enter()) {
    case BuildOnce::Turn::kReady:
      return static_cast<const TreeImage*>(once_.value());
    case BuildOnce::Turn::kFailed:
      return Fail(*static_cast<const Error*>(once_.value()));
    case BuildOnce::Turn::kRecursive:
    case BuildOnce::Turn::kBuild:
      break;
  }
  internal::CacheEntry& entry = derived_.entry();
  try {
    // The text is read into a large context and the tree then copied into one of exactly its size,
    // because its size is not known before.
    const ContextPtr scratch = Bump::CreateRoot("expression reader");
    Result<const TreeImage*> read = text_.empty()
                                        ? Fail(ErrorCode::kInvalidInput, "XX000",
                                               "null " + std::string(ExpressionColumn(kind_)))
                                        : ReadTreeImage(text_, entry.store().trees(), *scratch);
    if (!read) {
      auto error = std::make_unique<Error>(std::move(read).error());
      std::move(*error).At(place());
      Error copy = *error;
      once_.Fail(error.release());
      return Fail(std::move(copy));
    }
    internal::SealableContext kept("expression", (*read)->bytes());
    const TreeImage* image = CopyImage(**read, kept.cx());
    context_ = std::move(kept).Seal();
    once_.Publish(image);
    entry.store().Grow(entry, context_->bytes_reserved());
    return image;
  } catch (...) {
    once_.Abandon();
    throw;
  }
}

std::string ExpressionSlot::place() const {
  const internal::CacheEntry& entry = derived_.entry();
  const RelationDescriptor& relation = *entry.descriptor();
  const auto named = [](const char* what, std::string_view name) {
    return ", " + std::string(what) + " " + std::string(name);
  };
  std::string text =
      "relation " + std::string(relation.schema()) + "." + std::string(relation.name());
  switch (kind_) {
    case ExpressionKind::kCheck:
      text += named("constraint", relation.checks()[row_].name());
      break;
    case ExpressionKind::kDefault: {
      const AttrNumber attnum = relation.defaults()[row_].attnum();
      const AttributeRow* column = relation.attribute(attnum);
      text += named("column", column != nullptr ? column->attname : std::to_string(attnum));
      break;
    }
    case ExpressionKind::kIndexExpressions:
    case ExpressionKind::kIndexPredicate:
      text += named("index", relation.indexes()[row_].name());
      break;
    case ExpressionKind::kTriggerWhen:
      text += named("trigger", relation.triggers()[row_].name());
      break;
    case ExpressionKind::kPolicyUsing:
    case ExpressionKind::kPolicyWithCheck:
      text += named("policy", relation.policies()[row_].name());
      break;
    case ExpressionKind::kRuleQual:
    case ExpressionKind::kRuleAction:
      text += named("rule", relation.rules()[row_].name());
      break;
    case ExpressionKind::kStatistics:
      text += named("statistics", relation.statistics()[row_].name());
      break;
    case ExpressionKind::kPartitionKey:
    case ExpressionKind::kPartitionBound:
      break;
  }
  return text + ": " + std::string(ExpressionColumn(kind_));
}

}  // namespace relcache
