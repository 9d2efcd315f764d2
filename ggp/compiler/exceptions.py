"""Rules for exceptions: Rules for `raise`, and for `try` with `except`, `else` and `finally`."""

from collections.abc import Callable

from ggp.capabilities import code_of
from ggp.compiler import core
from ggp.compiler.abstract import UNSET, Abstract, Exceptional, Fixed, Runtime
from ggp.compiler.library import Beyond
from ggp.compiler.specialization import Activation, Specializer, Target, WatchedTry
from ggp.compiler.types import BOOL, STATUS


def raise_(s: Specializer, each: core.Raise, scope: Activation) -> None:
    """Run a `raise` statement."""
    if each.error is None:
        if not scope.caught:
            raise s.refuse("a raise without an exception outside a handler is not compiled")
        again(s, scope.caught[-1])
        return
    error = created(s, s.value(each.error, scope))
    if each.cause is not None:
        cause = created(s, s.value(each.cause, scope))
        if s.env is not None and isinstance(cause, Fixed) and not _is_cause(cause.value):
            s.fails(TypeError)
    if s.env is None:
        return
    if isinstance(error, Fixed) and isinstance(error.value, type) and issubclass(error.value, BaseException):
        cls = error.value
    elif isinstance(error, Exceptional):
        cls = error.cls
    elif isinstance(error, Fixed) and isinstance(error.value, BaseException):
        cls = type(error.value)
    elif isinstance(error, Runtime) and error.kind == STATUS:
        again(s, error)
        return
    else:
        s.fails(TypeError)
        return
    if cls is Beyond:
        s.stop()
    else:
        s.fails(cls)


def created(s: Specializer, error: Abstract) -> Abstract:
    """Return the exception to raise. For a class that the author wrote, this is a new instance, as in Python."""
    cls = error.value if isinstance(error, Fixed) else None
    if s.env is not None and isinstance(cls, type) and issubclass(cls, BaseException):
        made: Abstract = s.rules.callables.new_exception(s, cls, [], {})
        return error if isinstance(made, Exceptional) else made
    return error


def _is_cause(value: object) -> bool:
    cls = value if isinstance(value, type) else type(value)
    return value is None or issubclass(cls, BaseException)


def again(s: Specializer, status: Runtime) -> None:
    """Raise again the exception that a handler has caught."""
    if s.reordered:
        s.left_to_python += 1
        s.stop()
        return
    s.put(core.Raise(status.atom, s.line))
    s.raises = True
    s.env = None


def classes(s: Specializer, value: Abstract | None) -> tuple[type[BaseException], ...]:
    """Return the classes that a handler catches."""
    if value is None:
        return (BaseException,)
    if not isinstance(value, Fixed):
        raise s.refuse("except is compiled only with classes that are known when compiling")
    caught = value.value if isinstance(value.value, tuple) else (value.value,)
    return tuple(caught)


def run_try(s: Specializer, each: core.Try, scope: Activation) -> None:
    """Run a `try` statement."""
    after = scope.liveness.after[id(each)]

    def whole(target: Target) -> None:
        if each.final:
            _with_final(s, each, scope, target)
        else:
            _with_handlers(s, each, scope, target)
        scope.live = after

    s.labelled(whole, "try")
    scope.live = after


def _with_final(s: Specializer, each: core.Try, scope: Activation, target: Target) -> None:
    after = scope.liveness.after[id(each)]

    def final() -> None:
        s.run(each.final, scope)

    def body() -> None:
        s.finals.append(final)
        _with_handlers(s, each, scope, None)
        s.finals.pop()

    def handler(status: Runtime) -> None:
        scope.caught.append(status)  # what `raise` alone raises
        final()
        scope.caught.pop()
        if s.env is not None:
            again(s, status)

    _attempt(s, each, scope, body, handler)
    scope.live = after
    if s.env is not None:
        final()


def _with_handlers(s: Specializer, each: core.Try, scope: Activation, target: Target | None) -> None:
    if not each.handlers:
        s.run(each.body, scope)
        if s.env is not None:
            s.run(each.otherwise, scope)
        return

    def inside(done: Target) -> None:
        def handler(status: Runtime) -> None:
            _dispatch(s, each.handlers, status, scope)
            if s.env is not None:
                s.leave(done)

        _attempt(s, each, scope, lambda: s.run(each.body, scope), handler)
        if s.env is not None:
            s.run(each.otherwise, scope)

    s.labelled(inside, "handled")


def _dispatch(s: Specializer, handlers: list[core.Handler], status: Runtime, scope: Activation) -> None:
    if not handlers:
        again(s, status)
        return
    first = handlers[0]
    s.run(first.test, scope)
    caught_classes = classes(s, s.value(first.classes, scope) if first.classes is not None else None)
    test = s.emit("is_caught", status, kind=BOOL, detail=caught_classes)

    def caught() -> None:
        if first.name:
            s.set(first.name, status, scope)
        scope.caught.append(status)
        s.run(first.body, scope)
        scope.caught.pop()
        if first.name and s.env is not None:
            s.set(first.name, UNSET, scope)

    s.branch(test, caught, lambda: _dispatch(s, handlers[1:], status, scope))


def _attempt(
    s: Specializer, each: core.Try, scope: Activation, body: Callable[[], None], handler: Callable[[Runtime], None]
) -> None:
    """Write a `try` statement; the values that its body assigns are stored in variables that the handler can read."""
    assert s.env is not None
    site = s.below(("attempt", id(each), id(code_of(handler))))
    needed = scope.liveness.caught[id(each)]
    scope.live = needed
    outer, s.path = s.path, site
    before = dict(s.env)
    head = s._carried(site)
    start, s.env = s.env, before  # the body does not read what it keeps for the handler: its names may share a value
    status = s.fresh(STATUS, "status")
    block = s.block
    s.block = []
    inner = s.block
    watched = s.watched
    s.watched = [*watched, WatchedTry(site, head, start, frozenset(s.scopes), scope.path, needed)]
    reordered, s.reordered = s.reordered, 0  # the handler sees what is raised
    body()
    s.reordered = reordered
    s.watched = watched
    ends = [(s.env, s.block)] if s.env is not None else []
    s.block = []
    after = s.block
    s.env = dict(start)
    handler(Runtime(core.Local(status), STATUS))
    if s.env is not None:
        ends.append((s.env, s.block))
    s.block = block
    s.path = outer
    s.put(core.Attempt(inner, status, after, s.line))
    s.env = s.merged(ends)
