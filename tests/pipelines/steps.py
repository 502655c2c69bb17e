"""Makes random steps from the list that `imgtool ops --json` prints, so that a new operation is tested without a change
here."""

COLORS = ["transparent", "white", "black", "red", "#80c04080", "#123", "#ffffff00"]
COUNTS = range(1, 26)  # possible numbers of values of an option


class Step:
    """An operation and the values of its options, as pairs; a flag is a name without a value."""

    def __init__(self, operation, values):
        self.operation, self.values = operation, values

    def text(self):
        words = [self.operation]
        words += [name if value is None else f"{name}={value}" for name, value in self.values]
        return " ".join(words)

    def arguments(self):
        return [self.operation] + [f"--{name}" if value is None else f"--{name}={value}"
                                   for name, value in self.values]

    def without(self, at):
        return Step(self.operation, self.values[:at] + self.values[at + 1:])


def pipeline_text(steps):
    return " | ".join(step.text() for step in steps)


class Drawer:
    """Draws steps. `accepts(text)` returns true if a pipeline runs on a small picture. `files` are names for options of
    type file. The number of values of an option and its kind of file are found by trials."""

    def __init__(self, operations, accepts, files):
        self.operations = [one for one in operations if one["kind"] == "operation"]
        self.accepts, self.files = accepts, files
        self.known = {}

    def learn(self):
        for operation in self.operations:
            for option in operation["options"]:
                if option["type"] == "numbers":
                    tries = [",".join(["1"] * count) for count in COUNTS] + ["0,0,9,1,8,7,1,9"]
                elif option["type"] == "file":
                    tries = self.files
                else:
                    continue
                name = option["name"]
                self.known[operation["name"], name] = [
                    text for text in tries
                    if self.accepts(f"{operation['name']} {name}={text}")]

    def _integer(self, draw, option):
        low, high = option["minimum"], option["maximum"]
        if low < 0:
            return draw.randint(max(low, -30), min(high, 60))
        reach = draw.choice([3, 20, 20, 100, 300])
        return draw.randint(low, min(high, low + reach))

    def _decimal(self, draw, option):
        low, high = option["minimum"], option["maximum"]
        if draw.random() < 0.1:
            value = draw.choice([low, high])
        else:
            near = min(high, low + 4) if low >= 0 else high
            value = draw.uniform(max(low, -400), min(draw.choice([high, near]), 400))
        value = round(value, draw.randint(0, 3))
        return f"{min(max(value, low), high):.3f}".rstrip("0").rstrip(".")

    def _size(self, draw, option):
        low, high = option["minimum"], min(option["maximum"], 120)
        across, down = draw.randint(low, high), draw.randint(low, high)
        return draw.choice([f"{across}x{down}", f"{across}x{down}", f"{across}", f"x{down}",
                            f"{draw.randint(10, 250)}%"])

    def _numbers(self, draw, operation, option):
        known = self.known[operation["name"], option["name"]]
        if not known:
            return None
        count = draw.choice(known).count(",") + 1
        if option["default"].count(",") == count - 1 and count > 3 and draw.random() < 0.7:
            values = [float(text) + draw.uniform(-0.5, 0.5) for text in option["default"].split(",")]
        elif count == 8:  # corners of a quadrilateral
            values = [draw.uniform(-9, 60) for _ in range(count)]
        else:
            values = [draw.uniform(-2, 4) for _ in range(count)]
        return ",".join(f"{value:.{draw.randint(0, 3)}f}" for value in values)

    def _value(self, draw, operation, option):
        kind = option["type"]
        if option["choices"] and (kind == "choice" or draw.random() < 0.3):
            return draw.choice(option["choices"])
        if kind == "integer":
            return self._integer(draw, option)
        if kind == "decimal":
            return self._decimal(draw, option)
        if kind == "color":
            return draw.choice(COLORS)
        if kind == "size":
            return self._size(draw, option)
        if kind == "ratio":
            return f"{draw.randint(1, 20)}:{draw.randint(1, 20)}"
        if kind == "range":  # from the minimum on, so that no result is too bad
            return draw.randint(option["minimum"], option["maximum"])
        if kind == "numbers":
            return self._numbers(draw, operation, option)
        if kind == "file":
            known = self.known[operation["name"], option["name"]]
            return draw.choice(known) if known else None
        raise SystemExit(f"{operation['name']}: {option['name']}: an option of type {kind}, "
                         "which steps.py cannot draw")

    def draw(self, draw):
        operation = draw.choice(self.operations)
        values = []
        for option in operation["options"]:
            if draw.random() < 0.45:
                continue
            if option["flags"] and draw.random() < 0.3:
                values.append((draw.choice(option["flags"]), None))
                continue
            value = self._value(draw, operation, option)
            if value is not None:
                values.append((option["name"], str(value)))
        return Step(operation["name"], values)
