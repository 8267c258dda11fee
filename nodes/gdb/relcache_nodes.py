"""gdb pretty-printers for relcache's node trees.

    (gdb) source nodes/gdb/relcache_nodes.py
    (gdb) print *node            a node as the type that its tag says, with its fields
    (gdb) print list             a List with its elements
    (gdb) tree node              the whole tree, one line a node
"""

import gdb
import gdb.printing
import gdb.types


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
        self.name = gdb.types.get_basic_type(value.type).name.split("::")[-1]

    def to_string(self):
        return "%s of %d" % (self.name, int(self.value["length"]))

    def children(self):
        element = gdb.lookup_type(self.ELEMENTS[self.name])
        for i, value in enumerate(elements(self.value, element)):
            yield "[%d]" % i, value

    def display_hint(self):
        return "array"


class NodePrinter:
    """Any other node; one of which only the base is known as what it is."""

    def __init__(self, value):
        self.value = concrete(value)

    def to_string(self):
        return self.value.type.unqualified().name

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


def is_node(type):
    """Is it Node, or a struct whose first base is one?"""
    while type.name != "relcache::Node":
        bases = [f for f in type.fields() if f.is_base_class] if type.code == gdb.TYPE_CODE_STRUCT else []
        if not bases:
            return False
        type = bases[0].type
    return True


class NodePrinters(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("relcache-nodes")

    def __call__(self, value):
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_REF:
            value = value.referenced_value()
        type = gdb.types.get_basic_type(value.type)
        name = type.name or ""
        if not name.startswith("relcache::"):
            return None
        if name.startswith("relcache::Child<"):
            return ChildPrinter(value)
        if name == "relcache::CString":
            return CStringPrinter(value)
        if name.split("::")[-1] in ListPrinter.ELEMENTS:
            return ListPrinter(value)
        return NodePrinter(value) if is_node(type) else None


gdb.printing.register_pretty_printer(gdb.current_objfile(), NodePrinters(), replace=True)
Tree()
