// Literals by the thousand: seeds, and seeds damaged at random (the same ones in every run).
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace relcache::test {

/// The seeds and, for each, `variants` texts made from it by deleting, doubling, exchanging or
/// inserting bytes of `alphabet`.
inline std::vector<std::string> Damaged(const std::vector<std::string>& seeds,
                                        std::string_view alphabet, int variants,
                                        unsigned random_seed = 1, std::size_t max_edits = 2) {
  std::mt19937 random(random_seed);
  const auto below = [&random](std::size_t n) { return random() % n; };
  std::vector<std::string> out(seeds);
  for (const std::string& seed : seeds) {
    for (int i = 0; i < variants; ++i) {
      std::string text = seed;
      for (std::size_t edits = 1 + below(max_edits); edits > 0; --edits) {
        const std::size_t at = below(text.size() + 1);
        const char c = alphabet[below(alphabet.size())];
        switch (below(4)) {
          case 0:
            if (at < text.size()) text.erase(at, 1);
            break;
          case 1:
            if (at < text.size()) text[at] = c;
            break;
          case 2:
            if (at < text.size()) text.insert(at, 1, text[at]);
            break;
          default:
            text.insert(at, 1, c);
        }
      }
      out.push_back(std::move(text));
    }
  }
  return out;
}

}  // namespace relcache::test
