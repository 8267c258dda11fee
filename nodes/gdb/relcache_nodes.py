"""gdb pretty-printers for relcache's node trees.

    (gdb) source nodes/gdb/relcache_nodes.py
    (gdb) print *node            a node as the type that its tag says, with its fields
    (gdb) print list             a List with its elements
    (gdb) tree node              the whole tree, one line a node
"""

import gdb
import gdb.printing


def concrete(value):
    """A Node as what its tag says."""
    try:
        name = str(value["tag"]).split("::")[-1]
    except gdb.error:
        return value
    if not name.startswith("k"):
        return value
    try:
        return value.cast(gdb.lookup_type("relcache::" + name[1:]))
    except gdb.error:
        return value


def fields(value):
    for field in value.type.fields():
        if not field.is_base_class and not hasattr(field, "bitpos"):
            continue  # static
        if not field.is_base_class:
            yield field.name, value[field.name]


def elements(value, element):
    first = (value.address + 1).cast(element.pointer())
    for i in range(int(value["length"])):
        yield first[i]


class ChildPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        child = self.value["child_"]
        return "<>" if int(child) == 0 else "%s %s" % (concrete(child.dereference()).type.name, hex(int(child)))


class CStringPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        text = self.value["text_"]
        return "<>" if int(text) == 0 else text.string(errors="replace")

    def display_hint(self):
        return "string"


class ListPrinter:
    ELEMENTS = {"List": "relcache::Child<relcache::Node>", "IntList": "int", "OidList": "unsigned int", "Bitmapset": "int"}

    def __init__(self, value):
        self.value = value
        self.name = value.type.strip_typedefs().name.split("::")[-1]

    def to_string(self):
        return "%s of %d" % (self.name, int(self.value["length"]))

    def children(self):
        element = gdb.lookup_type(self.ELEMENTS[self.name])
        for i, value in enumerate(elements(self.value, element)):
            yield "[%d]" % i, value

    def display_hint(self):
        return "array"


class NodePrinter:
    """A Node or Expr of which only the base is known."""

    def __init__(self, value):
        self.value = concrete(value)

    def to_string(self):
        return self.value.type.name

    def children(self):
        return fields(self.value)


class Tree(gdb.Command):
    """tree EXPRESSION: prints the tree that a Node* points to, one line a node."""

    def __init__(self):
        super().__init__("tree", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        waiting = [(gdb.parse_and_eval(argument), 0, "")]
        while waiting:
            pointer, depth, label = waiting.pop()
            if int(pointer) == 0:
                print("  " * depth + label + "<>")
                continue
            node = concrete(pointer.dereference())
            name = node.type.name.split("::")[-1]
            below, own = [], []
            if name == "List":
                child = gdb.lookup_type("relcache::Child<relcache::Node>")
                below = [(e["child_"], depth + 1, "") for e in elements(node, child)]
            elif name in ListPrinter.ELEMENTS:
                own = [str(e) for e in elements(node, gdb.lookup_type(ListPrinter.ELEMENTS[name]))]
            else:
                for key, value in fields(node):
                    if value.type.strip_typedefs().name.startswith("relcache::Child<"):
                        if int(value["child_"]) != 0:
                            below.append((value["child_"], depth + 1, key + ": "))
                    else:
                        own.append("%s=%s" % (key, value))
            print("  " * depth + label + name + " " + " ".join(own))
            waiting.extend(reversed(below))


def build():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("relcache-nodes")
    printers.add_printer("Child", "^relcache::Child<", ChildPrinter)
    printers.add_printer("CString", "^relcache::CString$", CStringPrinter)
    printers.add_printer("List", "^relcache::(List|IntList|OidList|Bitmapset)$", ListPrinter)
    printers.add_printer("Node", "^relcache::(Node|Expr)$", NodePrinter)
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), build(), replace=True)
Tree()
