#include "relcache/copy/copy_options.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(CopyOptionsTest, WhatCopyRefusesIsRefusedInItsWords) {
  const auto csv = [](auto change) {
    CopyOptions options;
    options.format = CopyFormat::kCsv;
    change(options);
    return options;
  };
  const auto text = [](auto change) {
    CopyOptions options;
    change(options);
    return options;
  };
  const struct {
    CopyOptions options;
    const char* error;
  } cases[] = {
      {csv([](CopyOptions&) {}), ""},
      {text([](CopyOptions&) {}), ""},
      {csv([](CopyOptions& o) { o.delimiter = "ab"; }),
       "0A000 COPY delimiter must be a single one-byte character"},
      {csv([](CopyOptions& o) { o.delimiter = ""; }),
       "0A000 COPY delimiter must be a single one-byte character"},
      {csv([](CopyOptions& o) { o.delimiter = "\n"; }),
       "22023 COPY delimiter cannot be newline or carriage return"},
      {csv([](CopyOptions& o) { o.null_text = "a\n"; }),
       "22023 COPY null representation cannot use newline or carriage return"},
      {text([](CopyOptions& o) { o.delimiter = "a"; }), "22023 COPY delimiter cannot be \"a\""},
      {csv([](CopyOptions& o) { o.delimiter = "a"; }), ""},
      {text([](CopyOptions& o) { o.quote = "'"; }), "0A000 COPY quote available only in CSV mode"},
      {csv([](CopyOptions& o) { o.quote = "''"; }),
       "0A000 COPY quote must be a single one-byte character"},
      {csv([](CopyOptions& o) { o.quote = ","; }),
       "22023 COPY delimiter and quote must be different"},
      {text([](CopyOptions& o) { o.escape = "'"; }),
       "0A000 COPY escape available only in CSV mode"},
      {csv([](CopyOptions& o) { o.escape = "xx"; }),
       "0A000 COPY escape must be a single one-byte character"},
      {text([](CopyOptions& o) { o.force_null = {"a"}; }),
       "0A000 COPY force null available only in CSV mode"},
      {text([](CopyOptions& o) { o.force_not_null = {"a"}; }),
       "0A000 COPY force not null available only in CSV mode"},
      {csv([](CopyOptions& o) { o.null_text = "a,b"; }),
       "0A000 COPY delimiter must not appear in the NULL specification"},
      {csv([](CopyOptions& o) { o.null_text = "\""; }),
       "0A000 CSV quote character must not appear in the NULL specification"},
      {csv([](CopyOptions& o) { o.encoding = "utf-8"; }), ""},
      {csv([](CopyOptions& o) { o.encoding = "LATIN9"; }),
       "0A000 not supported: ENCODING LATIN9 of a file"},
      {csv([](CopyOptions& o) { o.encoding = "klingon"; }),
       "22023 argument to option \"encoding\" must be a valid encoding name"},
  };
  for (const auto& c : cases) {
    const auto syntax = MakeCopySyntax(c.options);
    EXPECT_EQ(syntax ? "" : std::string(syntax.error().sqlstate) + " " + syntax.error().message,
              c.error);
  }
}

}  // namespace
}  // namespace relcache
