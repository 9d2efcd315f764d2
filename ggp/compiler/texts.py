"""Spelled-out texts: texts that are joined, sliced, searched and compared letter by letter.

Such a text is a `Pack` of class str with separate letters, or a run-time value of a `Tuple` of class str. Each of its
letters is a run-time text of one character. A shorter run-time text is one word. It can be compared; if it has one
character, which is checked at run time, it can become part of a longer text.
"""

import ast

from ggp.compiler.llvm_types import OVERFLOW
from ggp.compiler.sequences import Sequences
from ggp.compiler.types import ATOM, BOOL, BOTTOM, INT, Optional, is_text
from ggp.compiler.values import Known, Pack, Truth, Val, Value


class Texts(Sequences):
    """Translates operations on texts."""

    def is_spelled(self, value: Value) -> bool:
        """Return whether a value is a text whose letters are run-time values."""
        return is_text(value.kind) if isinstance(value, Val) else isinstance(value, Pack) and value.kind is str

    def letters(self, value: Value) -> list[Value]:
        """Return the letters of a text; a run-time text that is one word must have one character, or the call fails."""
        if isinstance(value, Val):
            value = self.unwrapped(value)
        if isinstance(value, Known) and isinstance(value.value, str):
            return [Known(each) for each in value.value]
        if self.is_spelled(value):
            return list(map(self.frozen, self.items(value) or []))
        if isinstance(value, Val) and value.kind in (ATOM, BOTTOM):
            return [self.letter(value)]
        raise self.refuse("a text can only be joined with texts, and searched for texts")

    def letter(self, value: Val) -> Val:
        """Return a run-time text of one character; fail if it has more or none."""
        if value.kind == BOTTOM or id(value.ssa) in self.program.letters:
            return value
        length = self.runtime(self.by_text(value, len))
        if length.kind != BOTTOM:
            self.fail_if(self.builder.icmp_signed("!=", self.number(length, INT), self.word(1)), OVERFLOW)
        return value

    def text(self, letters: list[Value]) -> Value:
        """Return the text with these letters."""
        if all(isinstance(each, Known) for each in letters):
            return Known("".join(each.value for each in letters if isinstance(each, Known)))
        return letters[0] if len(letters) == 1 else Pack(tuple(letters), str)

    def joined_texts(self, kind: type, left: Value, right: Value) -> Value | None:
        """Return the sum of two texts, or a repeated text; None for other operands."""
        if kind is ast.Mult:
            text, count = (left, right) if self.is_spelled(left) else (right, left)
            if not self.is_spelled(text):
                return None
            if not (isinstance(count, Known) and isinstance(count.value, int)):
                raise self.refuse("a text can only be repeated a constant number of times")
            return self.text(self.letters(text) * count.value)
        if not (self._may_be_text(left) and self._may_be_text(right)):
            return None
        return self.text([*self.letters(left), *self.letters(right)])

    def _may_be_text(self, value: Value) -> bool:
        if isinstance(value, Val) and self.unwrapped(value).kind == ATOM:
            return True
        return self.is_spelled(value) or (isinstance(value, Known) and isinstance(value.value, str))

    def equal_texts(self, left: Value, right: Value) -> Truth:
        """Return whether two values are equal, one of which is a spelled-out text."""
        if not self.is_spelled(left):
            left, right = right, left
        letters = self.items(left) or []
        if isinstance(right, Val) and right.kind == ATOM and isinstance(left, Pack):
            raise self.refuse("a text of several letters can only be compared with a constant, or with a longer text")
        if isinstance(right, Val) and isinstance(right.kind, Optional):
            same = self.equal(left, self.part(right, 1)) if is_text(right.kind.item) else False
            present = self.ssa(self.part(right, 0))
            return same if same is False else present if same is True else self.builder.and_(present, same)
        if self.is_spelled(right):
            return self.all_equal(letters, self.items(right) or [])
        if isinstance(right, Known) and isinstance(right.value, str):
            return self.all_equal(letters, [Known(each) for each in right.value])
        return self.bit(False) if isinstance(right, Val) and right.kind == BOTTOM else False

    def windows(self, text: Value, part: Value) -> list[Value]:
        """Return the parts of a text that have the length of another text, from left to right."""
        letters, length = self.letters(text), len(self.letters(part))
        return [self.text(letters[first : first + length]) for first in range(len(letters) - length + 1)]

    def has_part(self, text: Value, part: Value) -> Value:
        """Return `part in text`."""
        places = self.windows(text, part)
        return self.some(Pack(tuple(places)), lambda each: self.equal(each, part)) if places else Known(False)

    def replaced_letters(self, text: Value, old: Value, new: Value) -> Value:
        """Return `text.replace(old, new)` for single letters."""
        before, after = self.one_letter(old), self.one_letter(new)
        found: list[Value] = []
        for each in self.letters(text):
            same = self.equal(each, before)
            if isinstance(same, bool):
                found.append(after if same else each)
                continue
            words = [self.converted(one, ATOM).ssa for one in (after, each)]
            found.append(self.spelled(Val(ATOM, ssa=self.builder.select(same, *words))))
        return self.text(found)

    def one_letter(self, value: Value) -> Value:
        """Return a text of one character."""
        letters = self.letters(value)
        if len(letters) != 1:
            raise self.refuse("only single letters of a text can be counted or replaced")
        return letters[0]

    def method_of_text(self, text: Value, name: str, arguments: list[Value]) -> Value:
        """Call a method of a spelled-out text."""
        if name == "replace" and len(arguments) == 2:
            return self.replaced_letters(text, *arguments)
        if len(arguments) == 1:
            part = arguments[0]
            if name == "count":
                return self.count_of(Pack(tuple(self.letters(text))), self.one_letter(part))
            if name in ("index", "find"):
                return self.index_of(Pack(tuple(self.windows(text, part))), part, None if name == "index" else -1)
            if name in ("startswith", "endswith"):
                letters, length = self.letters(text), len(self.letters(part))
                if not 0 < length <= len(letters):
                    return Known(length == 0)
                same = self.equal(self.text(letters[:length] if name == "startswith" else letters[-length:]), part)
                return Known(same) if isinstance(same, bool) else Val(BOOL, ssa=same)
        raise self.refuse(f"the method {name} of a text cannot be compiled")

    def count_of(self, items: Value, item: Value) -> Val:
        """Return the number of items equal to `item`."""
        raise NotImplementedError

    def index_of(self, items: Value, item: Value, missing: int | None) -> Val:
        """Return the index of the first equal item; `missing` if there is none, and if that is None, fail."""
        raise NotImplementedError
