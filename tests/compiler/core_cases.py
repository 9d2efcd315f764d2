"""Small functions in which the order of evaluation, scopes or control flow are unusual; each is tried on pairs."""

# ruff: noqa
# These functions are written as nobody should write.

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import attrs

Value: TypeAlias = int | float | str | None


class Point(NamedTuple):
    x: int
    y: int = 0


class Loud:
    """A number that logs what is done to it."""

    log: list[str] = []

    def __init__(self, value: Value) -> None:
        self.value = value

    def __bool__(self) -> bool:
        self.log.append(f"bool {self.value}")
        return bool(self.value)

    def __lt__(self, other: "Loud | Value") -> "Loud":
        self.log.append(f"{self.value} < {getattr(other, 'value', other)}")
        return Loud(self.value < getattr(other, "value", other))

    def __add__(self, other: "Loud | Value") -> "Loud":
        self.log.append(f"{self.value} + {other}")
        return Loud(self.value + getattr(other, "value", other))

    def __iadd__(self, other: "Loud | Value") -> "Loud":
        self.log.append(f"{self.value} += {other}")
        self.value += getattr(other, "value", other)
        return self

    def __eq__(self, other: object) -> "Loud":  # type: ignore[override]
        self.log.append(f"{self.value} == {other}")
        return Loud(self.value == other)

    __hash__ = None  # type: ignore[assignment]


class Private:
    __secret = 3

    def __init__(self, a):
        self.__a = a

    def read(self, b):
        __local = self.__a
        return [__local, self.__secret, (lambda __x: __x + b)(1)]

    def __hidden(self, *, __word=2):
        return self.__a * __word

    def calls(self, b):
        return self.__hidden(_Private__word=b)


class Twice(Private):
    def read(self, b):
        return super().read(b) * 2, [super(Twice, self).read(b) for _ in range(1)], self.more(b)

    def more(self, b):
        inner = lambda me: super().read(me) if False else me
        return inner(b)


@attrs.define
class Record:
    a: object
    b: object = 0


class Odd:
    __match_args__ = ("value", "missing")

    def __init__(self, value: object) -> None:
        self.value = value


COUNTER = 0


def counted():
    global COUNTER
    COUNTER += 1
    return COUNTER


def loud(a, b):
    """Return what happens to two numbers that log."""
    Loud.log.clear()
    return Loud(a), Loud(b), Loud.log


def c01(a, b):
    p, q, log = loud(a, b)
    return (p and q).value, (p or q or p).value, not p, log


def c02(a, b):
    p, q, log = loud(a, b)
    return ("yes" if p and q else "no"), ("yes" if not (p or q) else "no"), log


def c03(a, b):
    p, q, log = loud(a, b)
    return bool(p < q < p), (1 if p < q < p < 3 else 2), log


def c04(a, b):
    p, q, log = loud(a, b)
    return [x for x in (p, q) if x if not x or q], log


def c05(a, b):
    return (x := a) + (x := b) * x, x


def c06(a, b):
    return [a, (a := b), a, a + (a := 1)], a


def c07(a, b):
    return {**{1: a}, 2: b, **{2: a, 3: b}}, {1: a, **{1: b}}, {**{}}, {**{a: 1}, b: 2, a: 3}, {1: b, 2: 3, **{2: a}}


def c08(a, b):
    return [*range(a), b, *"xy"], (*range(a), a), {*range(a), b}, {b, *[a]}, [*[]], (*[],)


def c09(a, b):
    return max(*range(a), b, key=lambda x: -x, default=b) if not a else max(*[a, 2], b, *(3,))


def c10(a, b):
    return dict(x=a, **{"y": b}), dict(**{"x": a}, **{"x": b})


def c11(a, b):
    return f"{a!r:>{a + 3}}|{b:}|{a=}|{{}}|{Point(a)!s:<12}|{b!a}{a:+}"


def c12(a, b):
    return a if b else (b if a else None), (a or b) and (b or a), not (a and not b)


def c13(a, b):
    return 1 < a < b != 3 in (3, 4), a == a is not b, not a < b


def c14(a, b):
    return [[x * y for x in range(a) if x != b] for y in range(b) if y], [i for i in "ab" for j in i * 2]


def c15(a, b):
    return sorted((x for x in range(a)), key=lambda x: (x * b) % 3), sum((i for i in range(b)), a)


def c16(a, b):
    return [f() for f in [lambda: i + a for i in range(3)]], [f(1) for f in [lambda x, i=i: i + x for i in range(3)]]


def c17(a, b):
    return (lambda *p, k=a, **w: (p, k, w))(a, *[b], **{"z": a}), (lambda a, /, b=b: (a, b))(b)


def c18(a, b):
    return any((hit := x) > a for x in range(b)), hit


def c19(a, b):
    return {x: y for x, y in [(a, b), (b, a)]}, {x % 3 for x in range(a)}, [x for x in range(3)][a:b:b]


def c20(a, b):
    return Private(a).read(b), Twice(a).read(b), Private(a).calls(b)


def c21(a, b):
    return -(a**2), (-a) ** 2, a**-b if a else b, not -a, --a, +-a


def c22(a, b):
    return [y for y in [x for x in range(a)] if y < b], [x for x in (x for x in range(b))]


def c23(a, b):
    return undefined_name if a else b


def c24(a, b):
    return a.real + b.imag, (a, b)[0].conjugate(), "x".join(map(str, (a, b)))


def c25(a, b):
    return ((((a + b) - 1) * 2) % 5, -a, +b, ~a, -(-3), -(2**a), a << 2 | 1, a @ b if a is None else 0)


def c26(a, b):
    return counted() + counted() * 0 - COUNTER, COUNTER - counted() - COUNTER + counted()


def c27(a, b):
    log = []
    note = lambda x: log.append(x) or x
    target = {}
    target[note(1)], target[note(2)] = note(a), note(b)
    target[note(3)] = target[note(4)] = note(a)
    (target[note(5)], *rest), last = (note(a), note(b), note(6)), note(7)
    target[note(8)] = target.get(note(9), 0)
    target[note(8)] += note(10)
    return log, target, rest, last


def c28(a, b):
    log = []

    def note(x):
        log.append(x)
        return x

    note(a) < note(b) < note(3) and note(9)
    note(log)[note(0) : note(1)] = note([note(5)])
    del log[note(0)], log[note(0) : note(1)]
    return note(a) + note(b) * note(3), note(x=2) or dict(k=note(4), **{"z": note(5)}), print, log


def c29(a, b):
    x = a

    def change(to=7):
        nonlocal x
        x, before = to, x
        return before

    return (
        -9 < x < change(-8),
        -9 < x < (x := 7),
        x + change(8) + x,
        [x, change(9), x],
        x < change(1) < x,
        f"{x}{change(b)}{x}",
        (x, x := change(3)),
        x,
    )


def c30(a, b):
    x = [a]

    def rebind():
        nonlocal x
        x = [b]
        return 0

    x[rebind()] = 5
    x[rebind()] += 6
    x.append(rebind())
    y, x = x, [1]
    return x, y


def c31(a, b):
    if a:
        late = 1
    try:
        return late + counted_up(b)
    except NameError:
        return "no value"


def counted_up(b):
    if b:
        raise ValueError(b)
    return 1


def c32(a, b):
    log = []
    try:
        log.append("before")
        return unset + log.append("after")
    except UnboundLocalError:
        unset = 1
        return log, unset
    finally:
        log.append("finally")
        unset = 2


def c33(a, b):
    for i in range(a):
        for j in range(b):
            if i == j == 1:
                break
            if j > i:
                continue
        else:
            continue
        return i, j
    else:
        return "never"
    return "left"


def c34(a, b):
    found = []
    while a:
        a -= 1
        if a == b:
            continue
        if a == 2 and b:
            found.append("break")
            break
        found.append(a)
        if len(found) > 6:
            return found
    else:
        found.append("else")
    while a and b or not a and a != b and len(found) < 4:
        found += [a]
        a += 1
        b -= 1 if b else 0
        if len(found) > 9:
            break
    return found


def c35(a, b):
    log = []
    for i in range(4):
        try:
            log.append(i)
            if i == a:
                continue
            if i == b:
                break
            1 // (i - 2)
        except ZeroDivisionError as error:
            log.append(type(error).__name__)
            if a:
                continue
        except (TypeError, ValueError):
            log.append("type")
        else:
            log.append("else")
        finally:
            log.append("finally")
            if a == 3:
                break
    else:
        log.append("done")
    return log


def c36(a, b):
    error = "kept"
    try:
        try:
            raise KeyError(a) if b else ValueError(a)
        except KeyError as error:
            x = error.args
            if a:
                raise TypeError from error
        except ValueError as error:
            x = str(error)
    except TypeError as other:
        return other.__cause__.args
    try:
        return x, error
    except NameError:
        return x, "unset"


def c37(a, b):
    try:
        raise ValueError(a)
    except ValueError as error:
        kept = lambda: error
        value = kept().args
    try:
        return value, kept()
    except NameError:
        return value, "unset"


def c38(a, b):
    errors = [TypeError, ZeroDivisionError]

    def run():
        try:
            return a // b
        finally:
            log.append("inner")

    log = []
    try:
        run()
    except errors[1:][0] as error:
        log.append(type(error).__name__)
    return log


def c39(a, b):
    try:
        return a // b
    except (ZeroDivisionError, does_not_exist.Error)[0]:
        return "never"
    except errors.Unknown:
        return "nor this"


def c40(a, b):
    x = 1
    try:
        if a:
            return x
        if b:
            raise KeyError(x)
    finally:
        x += 1
        if a == 2:
            return ("finally", x)
    return x


def c41(a, b):
    match a:
        case 0 | None:
            return "nothing"
        case bool(x):
            return "truth", x
        case int() | float() if (half := a // 2) > b if b is not None else False:
            return "half", half
        case int(x):
            return "number", x
        case str(text):
            return "text", text
    return "no case"


def c42(a, b):
    found = []
    for value in (
        (a, b),
        [a],
        (),
        [a, [b, 2, 3]],
        {"k": a, "z": b},
        Point(a, b),
        Record(a, b),
        Odd(a),
        range(a or 0),
        "ab",
    ):
        x = y = z = "unbound"
        match value:
            case []:
                found.append("empty")
            case Point(x=1, y=y) | Point(2, y):
                found.append(("point", y))
            case Point(x, 0 | 1 as y):
                found.append(("low", x, y))
            case [x]:
                found.append(("one", x))
            case [x, [y, *z]]:
                found.append(("nested", x, y, z))
            case (0, y) | (y, 0):
                found.append(("zero", y))
            case [x, *_, y] if x != y:
                found.append(("ends", x, y))
            case [_, *_]:
                found.append(("some", x, y, z))
            case {"k": 1, **z} | {"z": z}:
                found.append(("mapping", z))
            case {**z} if a:
                found.append(("rest", z))
            case Record(b=0, a=x) | Record(a=x, b=1):
                found.append(("record", x))
            case Odd(x):
                found.append(("odd", x))
            case Odd(x, y):
                found.append("never")
            case _ as z:
                found.append(("else", type(z).__name__))
    return found


def c43(a, b):
    x = "before"
    match (a, b):
        case (x, 1):
            pass
        case (0, y) if x := y:
            pass
        case other if other == (1, 2):
            return other, x
    return x


def c44(a, b):
    match Odd(a):
        case Odd(1, 2):
            return 1
        case Odd(x, missing=y):
            return y
        case Odd(value=v):
            return v


def c45(a, b):
    match a:
        case Point(1, 2, 3):
            return "never"
        case {}:
            return "mapping"
        case [*all] | all:
            return all


def c46(a, b):
    first, *middle, last = range(a)
    (p, q), [r, *s] = (a, b), [a, b]
    a, b = b, a
    i, items = 0, [1, 2, 3]
    i, items[i] = 2, a
    items[i], i = i, items[i]
    return first, middle, last, p, q, r, s, a, b, i, items


def c47(a, b):
    x: int = a
    y: "int"
    z: list = [x]
    z[0]: int
    z[0]: int = b
    try:
        return y, z
    except UnboundLocalError:
        return z


def c48(a, b):
    record = Record(a)
    record.b = record.a = b
    record.a += 1
    record.b, record.a = record.a, record.b
    alias = record
    alias.a = [alias.a] * 2
    alias.a += [a]
    alias.a *= 2
    del alias.b
    return record.a, hasattr(record, "b")


def c49(a, b):
    import itertools as tools
    import os.path
    import os.path as other
    from collections import Counter
    from os import path as somewhere

    return Counter("ab" * a).total(), somewhere is os.path is other, list(tools.islice("abc", a))


def c50(a, b):
    def gen(n):
        try:
            for i in range(n):
                x = yield_from(i)
                yield x
                if i == b:
                    return
        finally:
            log.append("closed")

    def yield_from(i):
        return i * 10

    log = []
    found = [x for x in gen(a)]
    for x in gen(a):
        found.append(x)
        if x > 10:
            break
    return found, list(zip(gen(a), gen(2))), log


def c51(a, b):
    yield a
    yield from range(b)
    if not a:
        return
    yield from (x for x in "xy" if x)
    yield


def c52(a, b):
    functions = []
    for i in range(3):
        functions += [lambda x: x + i + j for j in range(2)]
        functions.append(lambda x, i=i: (x, i))
    return [f(a) for f in functions]


def c53(a, b):
    kept = []
    for row in ([1, 2], [3]):
        kept += [(x + y for x in [y, a]) for y in row]
        kept.append(any(x == y for x in row for y in [a, b]))
    return [each if isinstance(each, bool) else list(each) for each in kept]


def c54(a, b):
    def fact(n):
        return 1 if not n or n < 2 else n * fact(n - 1)

    def even(n):
        return n <= 0 or odd(n - 1)

    def odd(n):
        return n > 0 and even(n - 1)

    return fact(min(a, 9)), even(abs(a)), odd(b and abs(b) * 2), itself(a)


def itself(n):
    return n if isinstance(n, str) or not n or n < 1 else itself(n - 1)


def c55(a, b):
    x = 1

    def outer():
        x = 2

        def inner():
            nonlocal x
            x += a
            return x, [x for x in range(b)], {x: x for x in "z"}

        return inner(), x, lambda x: x

    return outer()[:2], x


def c56(a, b):
    items = [1, 2, 3]
    del items[a:b], a
    try:
        return items, a
    except UnboundLocalError:
        del b
        (a, b) = 1, 2
        del (a, [b])
        return items


def c57(a, b):
    total = 0
    for total in range(a):
        for total in range(total):
            pass
    for [x, (y, *z)] in [[1, (2, 3)], [a, (b,)]]:
        total += x + y + len(z)
    point = Record(0)
    for point.a in range(a):
        total += point.a
    return total


def c58(a, b):
    assert a != b, f"{a} is {b}"
    assert a or b
    return a


def c59(a, b):
    if a:
        raise ValueError(a) from KeyError(b) if b else None
    if b:
        raise Point
    try:
        raise KeyError
    except KeyError:
        raise


def c60(a, b):
    items = list(range(5))
    items[a:b] = [9, 9]
    items[:1] += [8]
    items[::2]
    items[a]
    a
    return items[-2:], items[b:a:-1], [items[slice(1)], "abc"[-a:]]


def c61(a, b):
    class_of = type(a)
    return class_of, callable(class_of), [print for _ in range(a)], __debug__, __name__


def c62(a, b):
    t1 = a
    left = t1 + b
    x_1 = [x for x in range(t1)]
    x = 5
    return t1, left, x_1, [x for x in range(2)], x, {len: 1}, [len for len in range(a)], len(x_1)


def c63(a, b):
    def keyword(x, *, y=a, **z):
        return x, y, sorted(z)

    x, y, z = 1, 2, 3
    return keyword(x=x, y=y, z=z), keyword(b, w=1), keyword(*[y], **{"v": z})


def c64(a, b):
    log = []

    def note(x):
        log.append(x)
        return x

    def noted(items):
        for each in items:
            log.append(("item", each))
            yield each

    max(*noted([1, 2]), note(3), *noted([4]))
    max(*noted([1, 2]), key=note(None))
    dict(**{"a": note(1)}, b=note(2))
    [*noted([5]), note(6)], {*noted([7]), note(8)}, (*noted("x"), note(9))
    {**{note(1): note(2)}, note(3): note(4), **dict(noted([(5, 6)]))}
    first, second = noted([a, b])
    note(first), (note(second))
    return log


def c65(a, b):
    try:
        first, second = range(a)
    except ValueError:
        try:
            first, *second = b
        except TypeError:
            return "not iterable"
        return "one", first
    return first, second


def c66(a, b):
    n = 0
    while True:
        n += 1
        try:
            if n > a:
                break
            try:
                if n == b:
                    raise ValueError
                continue
            finally:
                n += 1
        except ValueError:
            n += 10
        finally:
            n += 100
    return n


def c67(a, b):
    for i in range(3):
        try:
            raise KeyError(i)
        finally:
            if i < a:
                continue
            if b:
                break
            return i
    return "dropped", i


def c68(a, b):
    e = 1
    for _ in range(2):
        try:
            raise ValueError(e)
        except ValueError as e:
            pass
        e = a
    return e


def c69(a, b):
    if False:
        never = 1
    while False:
        never = 2
    if not a:
        return 0
        yield_ = 3
    x = 1 if True else never
    return x, "constant" if None else b


def c70(a, b):
    for i in (0, 1):
        try:
            if i == a:
                continue
        except ValueError:
            pass
        else:
            b = [b, "else"]
        x = [b, i]
        try:
            for j in range(2):
                if j == a:
                    break
            else:
                continue
        finally:
            b = [b, "finally"]
        b = [b, "end"]
    return b


def c71(a, b):
    count, log = 0, []
    while count < 3:
        count += 1
        try:
            log.append(count)
            if count == a:
                break
            try:
                if count == b:
                    break
                raise KeyError
            finally:
                if a is None:
                    continue
                log.append("inner")
        except KeyError:
            log.append("caught")
        finally:
            if a:
                continue
            log.append("outer")
    else:
        log.append("end")
    for i in range(2):
        for j in range(2):
            try:
                if j == a:
                    break
                return log, i, j
            finally:
                if b != 2:
                    continue
        else:
            log.append("else")
    return log, count


def c72(a, b):
    x = a
    match x:
        case y if (x := 5) == b:
            return "first", y
        case z:
            return z, x


def c73(a, b):
    try:
        items = (x for x in a)
    except TypeError:
        items = "at once"
    try:
        made = [b]
    except KeyError:
        return "never"
    else:
        try:
            a.real
        except AttributeError:
            made.append("no number")
        else:
            try:
                {}[b] if b else made[1]
            except KeyError:
                made.append("key")
            else:
                made[5]
            finally:
                return made, list(items)


def c74(a, b):
    try:
        found = 1 // (a or 1)
    except (ZeroDivisionError, IndexError):
        return "handled"
    else:
        return [found][b]


def c75(a, b):
    base = Point if b else object

    class Inner(base):
        """Of one base or another."""

        count = 2
        both = count, 3

        def value(self, more=count):
            return a, b, more, type(self) is Inner, super().__eq__(self)

        @property
        def twice(self):
            return self.value(self.both), a + a

        @staticmethod
        def made():
            return Inner.__qualname__, Inner.__doc__, isinstance(Inner(1), tuple)

    try:
        return Inner().twice, Inner.made()
    except TypeError:
        return Inner(b).twice, Inner.made()


def c76(a, b):
    def maker(c):
        class Inner:
            def both(self):
                return a, c

        return Inner()

    one, other = maker(b), maker(a)
    return one.both(), other.both(), type(one) is type(other)


VALUES: tuple[Value, ...] = (0, 1, 2, 3, 5, -1, None, True, "go", 2.5)
CASES: dict[str, Callable[..., object]] = {
    name: each for name, each in globals().items() if name[0] == "c" and name[1:].isdigit()
}
ROWS = [(a, b) for a in VALUES for b in VALUES]
