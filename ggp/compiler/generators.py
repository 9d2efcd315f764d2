"""Generators and comprehensions: their statements become part of the loop that iterates over them."""

import ast
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ggp.compiler.calls import MOST_INLINED, Calls, cells_of
from ggp.compiler.frames import Frame
from ggp.compiler.source import function_source, parsed
from ggp.compiler.types import BOTTOM, List, Tuple
from ggp.compiler.values import Comprehension, Generated, Pack, Val, Value

LONGEST_PACK = 64
"""Maximum number of elements of a comprehension that is unrolled into one expression each."""


class Generators(Calls):
    """Translates generators and comprehensions."""

    def run_generator(self, generated: Generated, body: Callable[[Value], None]) -> None:
        function = generated.function
        source = function_source(function)
        self.program.aliases(source)
        outer, outer_node, outer_place, checked = self.frame, self.node, self.place, self.checked
        if outer.depth > MOST_INLINED:
            raise self.refuse(f"{source.name} is a generator that iterates over itself, which cannot be compiled")
        key = ("generator", self.here(), function.__qualname__)
        frame = Frame(
            source,
            key,
            function.__globals__,
            self.program.is_checked(function),
            cells_of(function),
            depth=outer.depth + 1,
        )
        frame.lists = not source.generates
        item_key = generated.fact if generated.fact is not None else ("yielded", key)
        slot, resume = self.slot(item_key), self.reserve(self.word(0).type)
        inside, end = self.block("for each"), self.block("over")
        after: list[Any] = []

        def give(value: Value) -> None:
            if self.dead:
                return
            self.assign(slot, item_key, value)
            self.builder.store(self.word(len(after)), resume)
            self.builder.branch(inside)
            after.append(self.block("resumed"))
            self.at(after[-1])

        frame.on_yield, frame.on_return = give, lambda value: self.jump(end)
        self.frame, self.checked = frame, frame.checked
        self.unset_all(frame)
        handlers, self.handlers = self.handlers, list(self.handlers)
        for name, value in generated.arguments.items():
            self.bind(name, value)
        self.run(source.body)
        self.jump(end)
        self.frame, self.node, self.place, self.checked, self.handlers = (
            outer,
            outer_node,
            outer_place,
            checked,
            handlers,
        )
        self.at(inside)
        if not after:
            self.builder.unreachable()
        else:
            body(self.read(slot, borrowed=True))
            self._go_back(after, resume)
        self.at(end)

    def _go_back(self, after: list[Any], resume: ir.Block) -> None:
        """Jump back to the `yield` that was left last."""
        if self.dead:
            for block in after:
                self.at(block)
            return
        if len(after) == 1:
            self.builder.branch(after[0])
            return
        self.program.resumed.add(self.function.name)
        choice = self.builder.switch(self.builder.load(resume, typ=self.word(0).type), after[0])
        for index, block in enumerate(after[1:], start=1):
            choice.add_case(self.word(index), block)

    def run_comprehension(self, comprehension: Comprehension, body: Callable[[Value], None]) -> None:
        outer, node, place = self.frame, self.node, self.place
        frame = self._comprehension_frame(comprehension)
        owner = self._owner_of_names(comprehension.frame)
        entered = set(owner.assigned)

        def level(index: int) -> None:
            if index == len(comprehension.generators):
                self.frame, self.node = frame, comprehension.element
                value = self.evaluate(comprehension.element)
                self.frame, self.node, self.place = outer, node, place
                body(value)
                return
            generator = comprehension.generators[index]
            self.frame = comprehension.frame if index == 0 else frame
            items = self.frozen(self.evaluate(generator.iter))
            self.frame = outer

            def one(value: Value) -> None:
                self.frame = frame
                self.store_in(frame, generator.target, value)
                after = self.block("next")
                for test in generator.ifs:
                    truth = self.condition(test)
                    if truth is True:
                        continue
                    yes = self.block("kept")
                    self.branch(self.bit(False) if truth is False else truth, yes, after)
                    self.at(yes)
                self.frame = outer
                level(index + 1)
                self.jump(after)
                self.at(after)

            self.iterate(items, one)

        level(0)
        owner.assigned = entered  # what `:=` gives a value to in it has one only if it is run through
        self.frame, self.node, self.place = outer, node, place

    def _owner_of_names(self, frame: Frame) -> Frame:
        """Return the frame of the function that contains a comprehension."""
        while frame.parent is not None and frame.key[0] == "comprehension":
            frame = frame.parent
        return frame

    def _comprehension_frame(self, comprehension: Comprehension) -> Frame:
        outer = comprehension.frame
        node = comprehension.node
        arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        inner = self.program.parsed_once(
            node, lambda: parsed(ast.Lambda(arguments, ast.Constant(None)), outer.source.file)
        )
        key = ("comprehension", outer.key, node.lineno, node.col_offset, self.path)
        return Frame(inner, key, outer.globals, outer.checked, outer.cells, outer, depth=outer.depth)

    def store_in(self, frame: Frame, target: ast.expr, value: Value) -> None:
        """Bind the names of a comprehension's target."""
        if isinstance(target, ast.Name):
            frame.names[target.id] = value
            frame.assigned.add(target.id)
            return
        if not isinstance(target, (ast.Tuple, ast.List)):
            raise self.refuse(f"a comprehension over {ast.unparse(target)} is not compiled")
        value = self.unwrapped(value) if isinstance(value, Val) else value
        if isinstance(value, Val) and value.kind == BOTTOM:
            for each in target.elts:
                self.store_in(frame, each, value)
            return
        items = self.fixed(value)
        if items is None and isinstance(value, Val) and isinstance(value.kind, List):
            items = self.items(self.tuple_of(value, Tuple((value.kind.item,) * len(target.elts))))
        if items is None or len(items) != len(target.elts):
            raise self.refuse(f"{ast.unparse(target)} does not match the number of values in each item of the loop")
        for each, item in zip(target.elts, items, strict=True):
            self.store_in(frame, each, item)

    def packed_comprehension(self, items: Comprehension) -> Pack | None:
        if len(items.generators) != 1 or items.generators[0].ifs:
            return None
        outer = self.frame
        self.frame = items.frame
        iterated = self.frozen(self.evaluate(items.generators[0].iter))
        known = self.fixed(iterated)
        self.frame = outer
        if known is None or len(known) > LONGEST_PACK or self.copies * len(known) > 4 * LONGEST_PACK:
            return None
        frame = self._comprehension_frame(items)
        copies, path = self.copies, self.path
        self.copies *= max(1, len(known))
        made = []
        for index, each in enumerate(known):
            self.path = (*path, index)
            self.frame = frame
            self.store_in(frame, items.generators[0].target, each)
            value = self.evaluate(items.element)
            if isinstance(value, Comprehension):
                value = self.sequence(value)
            made.append(self.frozen(value))
        self.frame, self.copies, self.path = outer, copies, path
        return Pack(tuple(made))
