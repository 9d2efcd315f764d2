"""The statement `match`: patterns, and the names that they bind."""

import ast
from typing import Any

from llvmlite import ir

from ggp.compiler.assignments import Assignments
from ggp.compiler.types import BOOL, BOTTOM
from ggp.compiler.values import Known, Pack, Value


class Patterns(Assignments):
    """Translates `match`."""

    captures: list[tuple[str, Value]]
    """The names bound by the pattern that is being matched, with their values."""

    def run(self, statements: list[ast.stmt]) -> None:
        """Emit statements, one after the other."""
        raise NotImplementedError

    def run_Match(self, node: ast.Match) -> None:
        subject = self.frozen(self.evaluate(node.subject))
        end, entered = self.block("end"), set(self.frame.assigned)
        ends: list[set[str]] = []
        for case in node.cases:
            if self.dead:
                break
            no = self.block("no")
            self.frame.assigned = set(entered)
            self.captures = []
            always = self._match(case.pattern, subject, no)
            if always is None:
                self.at(no)
                continue
            self._bind_captures()
            if case.guard is not None:
                truth, yes = self.truth_bit(self.evaluate(case.guard)), self.block("yes")
                self.branch(truth, yes, no)
                self.at(yes)
                always = False
            self.run(case.body)
            if not self.dead:
                ends.append(self.frame.assigned)
                self.builder.branch(end)
            self.at(no)
            if always:
                self.builder.unreachable()
        if not self.dead:
            ends.append(set(entered))
        self.jump(end)
        self.frame.assigned = set.intersection(*ends) if ends else entered
        self.at(end)
        if not ends:
            self.builder.unreachable()

    def _bind_captures(self) -> None:
        """Bind the names of a pattern; no name is bound before the whole pattern has matched."""
        captures, self.captures = self.captures, []
        for name, value in captures:
            self.bind(name, value)

    def _match_singleton(self, value: bool | None, subject: Value, no: ir.Block) -> bool | None:
        """Continue if the subject is None, True or False itself; otherwise jump to `no`."""
        kind = self.kind_of(subject)
        if isinstance(value, bool) and not isinstance(subject, Known):
            if kind not in (BOOL, BOTTOM):
                raise self.refuse(f"only a truth value can be matched with `case {value}`; got a {kind}")
        elif isinstance(subject, Known):
            return self._go_on_if(subject.value is value, no)
        return self._go_on_if(self.equal(subject, Known(value)), no)

    def _match(self, pattern: ast.pattern, subject: Value, no: ir.Block) -> bool | None:
        """Jump to `no` unless the pattern matches; return whether it always matches, or None if it never does."""
        if isinstance(pattern, ast.MatchSingleton):
            return self._match_singleton(pattern.value, subject, no)
        if isinstance(pattern, ast.MatchValue):
            return self._go_on_if(self.equal(subject, self.evaluate(pattern.value)), no)
        if isinstance(pattern, ast.MatchAs):
            always = self._match(pattern.pattern, subject, no) if pattern.pattern is not None else True
            if pattern.name and always is not None:
                self.captures.append((pattern.name, subject))
            return always
        if isinstance(pattern, ast.MatchOr):
            outer, self.captures = self.captures, []
            always = self._match_one_of(pattern.patterns, subject, no)
            self.captures = outer
            return always
        if isinstance(pattern, ast.MatchSequence):
            items = self.fixed(subject)
            if self.is_spelled(subject):
                return self._go_on_if(False, no)
            if items is None:
                raise self.refuse("only tuples of constant length can be matched with `case [...]`")
            patterns = list(pattern.patterns)
            starred = [index for index, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
            if starred and len(items) >= len(patterns) - 1:
                first, after = starred[0], len(patterns) - starred[0] - 1
                rest = Pack(tuple(items[first : len(items) - after]))
                items = [*items[:first], rest, *items[len(items) - after :]]
            if len(items) != len(patterns):
                return self._go_on_if(False, no)
            return self._match_all(patterns, items, no)
        if isinstance(pattern, ast.MatchStar):
            if pattern.name:
                self.captures.append((pattern.name, subject))
            return True
        if isinstance(pattern, ast.MatchClass):
            kind: Any = getattr(self.evaluate(pattern.cls), "value", None)
            if self.truth(self.py_isinstance(subject, Known(kind))) is not True:
                return self._go_on_if(False, no)
            if kind in (bool, int, float, str, tuple) and len(pattern.patterns) == 1:
                return self._match(pattern.patterns[0], subject, no)
            names = [*getattr(kind, "__match_args__", ())[: len(pattern.patterns)], *pattern.kwd_attrs]
            if len(names) != len(pattern.patterns) + len(pattern.kwd_attrs):
                raise self.refuse(
                    f"{ast.unparse(pattern)} needs {kind.__name__}.__match_args__; write the names of the fields"
                )
            parts = [*pattern.patterns, *pattern.kwd_patterns]
            return self._match_all(parts, [self.attribute(subject, name) for name in names], no)
        raise self.refuse(f"the pattern {ast.unparse(pattern)} is not compiled")

    def _match_one_of(self, patterns: list[ast.pattern], subject: Value, no: ir.Block) -> bool:
        """Continue if one of the patterns matches, whose names are then bound."""
        matched = self.block("matched")
        for part in patterns:
            other = self.block("other")
            self.captures = []
            always = self._match(part, subject, other)
            if always is not None:
                self._bind_captures()
                self.jump(matched)
            self.at(other)
            if always:
                self.builder.unreachable()
                self.at(matched)
                return True
        self.jump(no)
        self.at(matched)
        return False

    def _match_all(self, patterns: list[ast.pattern], subjects: list[Value], no: ir.Block) -> bool | None:
        always = True
        for pattern, subject in zip(patterns, subjects, strict=True):
            matched = self._match(pattern, subject, no)
            if matched is None:
                return None
            always = always and matched
        return always

    def _go_on_if(self, truth: Any, no: ir.Block) -> bool | None:
        if truth is True:
            return True
        if truth is False:
            self.jump(no)
            return None
        yes = self.block("yes")
        self.branch(truth, yes, no)
        self.at(yes)
        return False
