// A program that uses the whole namespace and has names of its own in the global one: a query
// engine has a Filter, a Column and a Rule. All of them must stay unambiguous.
// package_test.sh puts an #include of every installed header in front of this file.
#include <cstdio>
#include <string>
#include <vector>

using namespace relcache;

// Each class is named with its plain name, which is an error if relcache has the name as well.
// clang-format off
#define USERS_CLASS(Name) \
  struct Name {           \
    int value = 1;        \
  };
#define USERS_FUNCTION(Name) \
  int Name() {               \
    return 1;                \
  }

#define FOR_EACH_CLASS(X)                                                                         \
  X(Array)                                                                                        \
  X(Batch)                                                                                        \
  X(Block)                                                                                        \
  X(Bucket) X(Cache) X(Catalog) X(Chunk) X(Collation) X(Column) X(Compare) X(Context) X(Counters) \
      X(Cursor) X(Dependency) X(Entry) X(Element) X(Field) X(FieldInfo) X(FileLayer) X(Filter)    \
          X(Format) X(Function) X(Group) X(Index) X(Instruction) X(Interval) X(JoinKey)           \
              X(JoinSide) X(Key) X(Label) X(Limits) X(Link) X(Location) X(Lookup) X(Name)         \
                  X(Numeric) X(ObjectId) X(Opcode) X(Operand) X(Operator) X(OperatorPtr)          \
                      X(Options) X(Output) X(Parser) X(Partition) X(Pass) X(Pin) X(Place) X(Plan) \
                          X(Predicate) X(Project) X(QualifiedName) X(Range) X(Reader)             \
                              X(ReadOptions) X(Relation) X(Row) X(RowChecks) X(RowView) X(Rule)   \
                                  X(Scan) X(Schema) X(Session) X(Settings) X(Slice) X(Slices)     \
                                      X(Slot) X(Source) X(Space) X(Statistics) X(Stats)           \
                                          X(Subscription) X(Table) X(TimeZone) X(Timestamp)       \
                                              X(Token) X(Tree) X(Trigger) X(Tuple) X(Type)        \
                                                  X(Unsupported) X(Value) X(Verdict) X(Version)   \
                                                      X(Visitor) X(Walker) X(WriteOptions)        \
                                                          X(Writer)

#define FOR_EACH_FUNCTION(X)                                                                       \
  X(Append)                                                                                        \
  X(Apply)                                                                                         \
  X(Build)                                                                                         \
  X(Check) X(CheckRows) X(Clear) X(Close) X(Copy) X(Count) X(Delete) X(Describe) X(Find) X(FormOf) \
      X(Get) X(Hash) X(Init) X(Insert) X(IsLeaf) X(IsUnused) X(IsVisible) X(IsWritten) X(Load)     \
          X(Make) X(Match) X(Move) X(Next) X(NotGiven) X(Open) X(Parse) X(Prepare) X(Print)        \
              X(Publish) X(Put) X(Read) X(Register) X(Render) X(Resolve) X(RoundUp) X(Run)         \
                  X(Scan_) X(Set) X(Since) X(Start) X(Subscribe) X(ToLower) X(ToString) X(ToUpper) \
                      X(Total) X(Until) X(Update) X(Validate) X(Visit) X(Walk) X(Write)

FOR_EACH_CLASS(USERS_CLASS)
FOR_EACH_FUNCTION(USERS_FUNCTION)

// Functions with the name of one of relcache's, told apart by what they take.
struct Document {};
bool Equal(const Document&, const Document&) {
  return true;
}
Document Compile(const std::string&) {
  return {};
}
int Evaluate(const Document&) {
  return 1;
}
bool Fail(const char*) {
  return false;
}

int main() {
  int sum = 0;
#define USE_CLASS(Name)  \
  {                      \
    const Name object;   \
    sum += object.value; \
  }
// clang-format on
#define USE_FUNCTION(Name) sum += Name();
  FOR_EACH_CLASS(USE_CLASS)
  FOR_EACH_FUNCTION(USE_FUNCTION)
  const std::vector<Column> columns(2);
  sum += Equal(Compile("a"), Document()) ? Evaluate(Document()) : 0;
  // The library's own names are there beside them.
  const Result<int> nothing = relcache::Fail(NotSupported("nothing"));
  std::printf("%d names, %zu columns, %s\n", sum, columns.size(), nothing.error().message.c_str());
  return Fail("") ? 1 : 0;
}
