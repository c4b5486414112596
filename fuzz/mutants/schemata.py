"""Mutant schemata: a copy of the code in which every mutant is present, each behind a number.

`cargo mutants --list --json` says what to change. tree-sitter finds the node of each change, and the code
around it is written so that `crate::__m(NUMBER)` chooses the mutant at run time."""

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))

# MUTANT=NUMBER chooses one; MUTANT_REACHED=FILE appends the number of each mutant that is reached.
SUPPORT = """
#[doc(hidden)]
mod __schemata {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    static STATE: AtomicU32 = AtomicU32::new(u32::MAX);
    static SEEN: [AtomicBool; 16384] = [const { AtomicBool::new(false) }; 16384];
    static FILE: std::sync::OnceLock<std::fs::File> = std::sync::OnceLock::new();
    #[inline(always)]
    pub(crate) fn __m(n: u32) -> bool {
        let state = STATE.load(Relaxed);
        state == n || (state >= u32::MAX - 1 && slow(n))
    }
    #[cold]
    #[inline(never)]
    fn slow(n: u32) -> bool {
        if STATE.load(Relaxed) == u32::MAX {
            if let Ok(path) = std::env::var("MUTANT_REACHED") {
                if let Ok(file) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
                    let _ = FILE.set(file);
                }
                STATE.store(u32::MAX - 1, Relaxed);
            } else {
                let state = std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
                STATE.store(state, Relaxed);
                return state == n;
            }
        }
        if let Some(seen) = SEEN.get(n as usize) && !seen.swap(true, Relaxed) && let Some(mut file) = FILE.get() {
            let _ = file.write_all(format!("{n:7}\\n").as_bytes());
        }
        false
    }
}
pub(crate) use __schemata::__m;
"""


class Skipped(Exception):
    """Why a mutant is not tried."""


class Source:
    """A file with its mutants."""

    def __init__(self, source, mutants, skipped):
        self.source = source
        self.root = PARSER.parse(source).root_node
        self.starts = [0]
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.at = {}  # by node: its mutants, each with its kind
        self.spans = []
        for mutant in mutants:
            try:
                node, kind = self.place(mutant)
                if in_constant(node):
                    raise Skipped("not tried: in a constant")
                self.at.setdefault(node.id, []).append((kind, mutant))
                self.spans.append((node.start_byte, node.end_byte))
            except Skipped as why:
                skipped[mutant["id"]] = str(why)

    def offset(self, position):
        """The byte of a line and a column, both from 1; columns are characters."""
        start = self.starts[position["line"] - 1]
        line = self.source[start : self.starts[position["line"]]].decode()
        return start + len(line[: position["column"] - 1].encode())

    def place(self, mutant):
        start, end = (self.offset(mutant["span"][side]) for side in ("start", "end"))
        genre = mutant["genre"]
        last = start + 1 if genre in ("UnaryOperator", "StructField") else max(end, start + 1)
        node = self.root.descendant_for_byte_range(start, start if genre == "MatchArmGuard" else last)
        if genre == "FnValue":
            node = up(node, lambda n: n.type == "function_item" and n.child_by_field_name("body").start_byte < start)
            if in_constant(node):
                raise Skipped("not tried: in a constant")
            if "impl " in (mutant["function"]["return_type"] or ""):
                raise Skipped("not tried: an opaque type is returned")
            return node.child_by_field_name("body"), "function"
        if genre == "BinaryOperator":
            if node.parent.type == "let_chain":
                raise Skipped("does not compile: `||` beside `let`")
            if node.parent.type not in ("binary_expression", "compound_assignment_expr"):
                raise Skipped(f"not tried: {node.parent.type}")
            return node.parent, "binary"
        if genre == "UnaryOperator":
            return up(node, lambda n: n.type == "unary_expression"), "unary"
        if genre == "MatchArm":
            return up(node, lambda n: n.type == "match_arm").child_by_field_name("pattern"), "arm"
        if genre == "MatchArmGuard":
            pattern = up(node, lambda n: n.type == "match_pattern")
            condition = pattern.child_by_field_name("condition")
            if condition is None or condition.type in ("let_condition", "let_chain"):
                raise Skipped("not tried: a guard with `let`")
            return condition, "guard"
        if genre == "StructField":
            field = up(node, lambda n: n.parent is not None and n.parent.type == "field_initializer_list")
            mutant["cut"] = (start, end)
            return field.parent.parent, "field"
        raise Skipped(f"not tried: {genre}")

    def text(self, node):
        return self.source[node.start_byte : node.end_byte].decode()

    def write(self):
        """The file with all its mutants."""
        start, end = self.root.start_byte, self.root.end_byte
        return self.source[:start] + self.emit(self.root).encode() + self.source[end:]

    def emit(self, node):
        if not any(start >= node.start_byte and end <= node.end_byte for start, end in self.spans):
            return self.text(node)
        mutants = self.at.get(node.id, [])
        if node.type == "function_item" and any(
            child.type == "function_modifiers" and b"const" in child.text.split() for child in node.children
        ):
            return self.inner(node).replace("const ", "", 1)
        # A guard may be an operator that has mutants too.
        guards = [mutant for kind, mutant in mutants if kind == "guard"]
        others = [(kind, mutant) for kind, mutant in mutants if kind != "guard"]
        text = self.wrap(node, others[0][0], [mutant for _, mutant in others]) if others else self.inner(node)
        if guards:
            text = f"({text})"
            for mutant in guards:
                chosen = f"crate::__m({mutant['id']})"
                text = f"({chosen} || {text})" if mutant["replacement"] == "true" else f"(!{chosen} && {text})"
            text = marked(guards, text)
        return text

    def inner(self, node):
        """A node with the mutants of its children."""
        parts, at = [], node.start_byte
        for child in node.children:
            parts += [self.source[at : child.start_byte].decode(), self.emit(child)]
            at = child.end_byte
        return "".join(parts) + self.source[at : node.end_byte].decode()

    def wrap(self, node, kind, mutants):
        number = mutants[0]["id"]
        if kind == "function":
            body, attributes = self.inner(node), [c for c in node.children if c.type == "inner_attribute_item"]
            at = attributes[-1].end_byte - node.start_byte if attributes else 1
            heads = (f" if crate::__m({m['id']}) {{{tried(m, returned(m))}}}" for m in mutants)
            return body[:at] + marked(mutants, "".join(heads)) + body[at:]
        if kind == "arm":
            return self.text(node) + " " + marked(mutants, f"if !crate::__m({number}) ")
        if kind == "unary":
            operator, operand = self.text(node.children[0]), self.emit(node.children[-1])
            if len(node.children) != 2:
                operand = self.source[node.children[1].start_byte : node.end_byte].decode()
            chosen = choice(f"{operator}__v", [(m, "__v") for m in mutants])
            return marked(mutants, f"(match ({operand}) {{ __v => {chosen} }})")
        if kind == "field":
            without = [
                (m, (self.source[node.start_byte : m["cut"][0]] + self.source[m["cut"][1] : node.end_byte]).decode())
                for m in mutants
            ]
            return marked(mutants, f"({choice(self.inner(node), without)})")
        return marked(mutants, self.binary(node, mutants))

    def binary(self, node, mutants):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        a, b, number = self.emit(left), self.emit(right), mutants[0]["id"]
        if node.type == "compound_assignment_expr":
            tries = [(m, f"{self.text(left)} {m['replacement']} __r") for m in mutants]
            return f"(match ({b}) {{ __r => {choice(f'{a} {operator} __r', tries)} }})"
        if operator == "&&":
            return f"({{ let __k = crate::__m({number}); if ({a}) ^ __k {{ {b} }} else {{ __k }} }})"
        if operator == "||":
            return f"({{ let __k = crate::__m({number}); if ({a}) ^ __k {{ !__k }} else {{ {b} }} }})"
        compared = operator in ("==", "!=", "<", ">", "<=", ">=")
        by, operands = ("*", f"&({a}), &({b})") if compared else ("", f"{a}, {b}")
        tries = [(m, f"{by}__l {m['replacement']} {by}__r") for m in mutants]
        chosen = choice(f"{by}__l {operator} {by}__r", tries)
        return f"(match ({operands}) {{ (__l, __r) => {chosen} }})"


def up(node, wanted):
    while node is not None and not wanted(node):
        node = node.parent
    if node is None:
        raise Skipped("not tried: its node was not found")
    return node


def in_constant(node):
    """Whether the compiler evaluates a node."""
    before = None
    while node is not None and node.type != "function_item":
        if node.type in ("const_item", "static_item", "const_block", "enum_variant", "array_type"):
            return True
        length = node.child_by_field_name("length") if node.type == "array_expression" else None
        if length is not None and before is not None and length.id == before.id:
            return True
        before, node = node, node.parent
    return False


def marked(mutants, text):
    """Puts comments around what was written for mutants, by which an error of the compiler is traced to them."""
    numbers = [m["id"] for m in mutants]
    return "".join(f"/*W{n}*/" for n in numbers) + text + "".join(f"/*w{n}*/" for n in reversed(numbers))


def tried(mutant, text):
    """The same around the mutant itself."""
    return f"\n/*A{mutant['id']}*/ {text} /*a{mutant['id']}*/\n"


def returned(mutant):
    return f"return {mutant['replacement']};"


def choice(original, tries):
    for mutant, text in tries:
        original = f"if !crate::__m({mutant['id']}) {{ {original} }} else {{{tried(mutant, text)}}}"
    return original
