#include <new>

#include "workload.h"

namespace {

enum Tag { kConst, kVar, kOp, kCall, kCase, kList };
struct Node {
  Tag tag;
};
struct Const : Node {
  long value;
  bool is_null;
};
struct Var : Node {
  int number, type, level;
};
struct Op : Node {
  int function, type;
  Node *left, *right;
};
struct Call : Node {
  int function;
  Node* arguments[3];
};
struct Case : Node {
  Node *when, *then, *otherwise;
  int type;
};

template <class T>
T* Make(Tag tag) {
  T* node = ::new (PALLOC(sizeof(T))) T{};
  node->tag = tag;
  return node;
}

long made;

Node* Build(int depth, unsigned seed) {
  ++made;
  if (depth == 0) {
    if (seed & 1) {
      Const* node = Make<Const>(kConst);
      node->value = seed;
      return node;
    }
    Var* node = Make<Var>(kVar);
    node->number = static_cast<int>(seed & 7);
    return node;
  }
  switch (seed % 3) {
    case 0: {
      Op* node = Make<Op>(kOp);
      node->left = Build(depth - 1, seed * 5 + 1);
      node->right = Build(depth - 1, seed * 7 + 2);
      return node;
    }
    case 1: {
      Call* node = Make<Call>(kCall);
      for (Node*& argument : node->arguments) argument = Build(depth - 1, seed = seed * 5 + 3);
      return node;
    }
    default: {
      Case* node = Make<Case>(kCase);
      node->when = Build(depth - 1, seed * 3 + 1);
      node->then = Build(depth - 1, seed * 11 + 1);
      node->otherwise = Build(0, seed);
      return node;
    }
  }
}

Node* Copy(const Node* from) {
  ++made;
  switch (from->tag) {
    case kConst:
      return ::new (PALLOC(sizeof(Const))) Const(*static_cast<const Const*>(from));
    case kVar:
      return ::new (PALLOC(sizeof(Var))) Var(*static_cast<const Var*>(from));
    case kOp: {
      Op* node = ::new (PALLOC(sizeof(Op))) Op(*static_cast<const Op*>(from));
      node->left = Copy(node->left);
      node->right = Copy(node->right);
      return node;
    }
    case kCall: {
      Call* node = ::new (PALLOC(sizeof(Call))) Call(*static_cast<const Call*>(from));
      for (Node*& argument : node->arguments) argument = Copy(argument);
      return node;
    }
    default: {
      Case* node = ::new (PALLOC(sizeof(Case))) Case(*static_cast<const Case*>(from));
      node->when = Copy(node->when);
      node->then = Copy(node->then);
      node->otherwise = Copy(node->otherwise);
      return node;
    }
  }
}

}  // namespace

long Trees(int depth) {
  made = 0;
  Copy(Build(depth, 12345));
  return made;
}
