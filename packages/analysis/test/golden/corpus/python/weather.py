from enum import Enum


class Kind(Enum):
    RAIN = 1
    SNOW = 2


def describe(reading):
    match reading:
        case {"kind": Kind.RAIN, "amount": amount} if amount > 10 and amount < 100:
            return "heavy rain"
        case {"kind": Kind.RAIN | Kind.SNOW}:
            return "wet"
        case [first, *rest]:
            if rest:
                return describe(first)
            return "one"
        case str() as text:
            return text
        case _:
            return "unknown"


def kind_of(value):
    match value:
        case 0:
            return "none"
        case other:
            return str(other)


def sign(value):
    return 1 if value > 0 else (-1 if value < 0 else 0)


def mean(values):
    values = [v for v in values if v is not None]
    if not values:
        return None
    return sum(values) / len(values)


def smooth(values, width=3):
    result = []
    for index in range(len(values)):
        low = max(0, index - width)
        part = values[low : index + width]
        if len(part) < width or any(v is None for v in part):
            continue
        result.append(sum(part) / len(part))
    return result


def first_above(values, limit):
    index = 0
    while index < len(values):
        if values[index] > limit:
            break
        index += 1
    else:
        return -1
    return index


def read_lines(path):
    with open(path) as source:
        while (line := source.readline()) and not line.isspace():
            if line.startswith("#"):
                continue
            yield line.rstrip()


async def collect(stations, timeout=5.0):
    found = {}
    async for station in stations:
        try:
            async with station.connect(timeout) as link:
                found[station.name] = await link.read()
        except (OSError, TimeoutError):
            continue
        except ValueError:
            found[station.name] = None
    return found


async def together(tasks):
    try:
        await tasks.run()
    except* OSError as group:
        print(group.exceptions)


def is_storm(wind, pressure, gusts):
    return wind > 20 and pressure < 990 or gusts > 30 and wind > 15


def is_calm(wind, gusts, waves):
    return wind < 2 and not (gusts > 5 or waves > 1) and (wind >= 0 and gusts >= 0)


def level(temperature):
    if temperature < -10:
        return "arctic"
    elif temperature < 0:
        return "frost"
    elif temperature < 25:
        return "mild"
    else:
        return "hot"


def fetch(load, times):
    for attempt in range(times):
        try:
            return load()
        except TimeoutError:
            if attempt + 1 == times:
                raise
        except OSError as error:
            print(error)


def table(rows):
    lines = []
    for row in rows:
        cells = []
        for cell in row:
            if cell is None:
                cells.append("-")
            elif isinstance(cell, float):
                cells.append(f"{cell:.1f}")
            else:
                cells.append(str(cell))
        lines.append(" ".join(cells))
    return "\n".join(lines)


def make_station(name):
    class Station:
        limit = 3 if name == "hill" else 5

        def check(self, value):
            if value > self.limit:
                return "high"
            return "fine"

    return Station()


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def wind_chill(temperature, wind):
    return 13.12 + 0.6215 * temperature - 11.37 * wind**0.16


def nested(values):
    for a in values:
        while a:
            with a:
                if a.ok:
                    try:
                        a.run()
                    except Exception:
                        return a
            a = a.next


double = lambda value: value * 2 if value else 0


def switch(kind, value):
    actions = {
        "add": lambda x: x + 1,
        "keep": lambda x: x if x > 0 else 0,
    }
    return actions.get(kind, lambda x: x)(value)
