"""Values of each type, few enough that some are equal, with those at the ends of their ranges."""

TEXTS = ["", "a", "b", "A", "é", "e\u0301", "ß", "a\u0000b", "line\nfeed", "😀", "true", "12", "x" * 40]


def of(element, schema, random):
    """A value of a property as a dump writes it."""
    if element.get("enum"):
        enum = schema["enums"][element.enum]
        raws = [case["raw"] for case in enum["cases"].values()] + [0, 7000]
        raw = random.choice(raws)
        return f"r{raw}" if enum["text"] else raw
    return of_type(element.type, random)


def of_type(type, random):
    if type.startswith("["):
        return [of_type(type[1:-1], random) for _ in range(random.randrange(4))]
    if type == "Bool":
        return random.random() < 0.5
    if type == "String":
        return random.choice(TEXTS)
    if type == "Data":
        return random.choice(["", "AAE=", "/w=="])
    if type in ("Float", "Double"):
        return random.choice([0.0, -0.0, 0.5, 0.1, -3.25, 1e30, "NaN", "Infinity"])
    if type == "Date":
        return random.choice([-5, 0, 1, 1709199000000])
    bits = int(type.strip("UInt"))
    low, high = (0, 2**bits - 1) if type.startswith("U") else (-(2**(bits - 1)), 2**(bits - 1) - 1)
    return random.choice([low, high, 0, 1, 2, 3, 4, 5])
