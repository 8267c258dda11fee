#include <cstring>

#include "workload.h"

namespace {

char* Text(unsigned value) {
  char digits[12];
  int n = 0;
  do digits[n++] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  char* text = static_cast<char*>(PALLOC(static_cast<std::size_t>(n) + 1));
  for (int i = 0; i < n; ++i) text[i] = digits[n - 1 - i];
  text[n] = '\0';
  return text;
}

struct Row {
  std::size_t bytes;
  char data[];
};

Row* Form(char* const* values, int count) {
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += std::strlen(values[i]) + 1;
  Row* row = static_cast<Row*>(PALLOC(sizeof(Row) + bytes));
  row->bytes = bytes;
  char* at = row->data;
  for (int i = 0; i < count; ++i) at = stpcpy(at, values[i]) + 1;
  return row;
}

}  // namespace

long Rows(int rows) {
  constexpr int kColumns = 5;
  constexpr int kKept = 8;
  Row* kept[kKept] = {};
  long bytes = 0;
  for (int r = 0; r < rows; ++r) {
    char* values[kColumns];
    for (int c = 0; c < kColumns; ++c) values[c] = Text(static_cast<unsigned>(r * 7919 * (c + 1)));
    Row*& place = kept[r % kKept];
    if (place != nullptr) PFREE(place);
    place = Form(values, kColumns);
    bytes += static_cast<long>(place->bytes);
    for (char* value : values) PFREE(value);
  }
  return bytes;
}
