"""Draws the targets of Sources and their dependencies as an SVG, in layers by the longest path to the bottom.

usage: targets.py TITLE [AREA] < MANIFEST

MANIFEST is the output of `swift package dump-package`. With an AREA, such as "database", these are the targets of
that area and those that have a line from one of them. A dependency that another dependency always has too gets no
line. The same manifest gives the same bytes.
"""

import html
import itertools
import json
import math
import random
import sys

# The manifest has no areas. Each has a title, a column from the left, and its targets.
AREAS = {
    "model": ("Model files", 0, "BoxModel BoxMerge BoxRecovery BoxModelTool BoxSources BoxGenerator BoxGenerateTool "
              "BoxGenerateCLI GenerateBindings BoxEntityCheck CheckEntities"),
    "data": ("Data", 1, "BoxConvert BoxFoundation BoxDump BoxSQLite BoxMigration BoxStoreTool BoxBrowse BoxServer"),
    "database": ("Database", 2, "BoxStorage BoxEngine BoxVector BoxStore BoxStoreMigration BoxStoreTesting BoxSync"),
    "shared": ("Shared", 0, "BoxJSON BoxHash BoxReport BoxSystem BoxWorkspace BoxTerminal BoxJointCLI"),
}
AREA = {name: area for area, (_, _, names) in AREAS.items() for name in names.split()}
KINDS = {"regular": "library", "executable": "program", "plugin": "plugin"}

WIDTH, MARGIN, HEAD = 960, 20, 116
BOX, HEIGHT, PITCH = 156, 40, 80
# The width of a line that passes a layer, the space beside a box, the space between two ends of lines at a box,
# and how far from the middle of a box lines may end.
LANE, GAP, PORT, REACH = 14, 18, 14, 62
STARTS = 80
# The boxes of a layer: those beyond them lie a layer higher than they could.
MOST = 4

STYLE = """\
<style>
text { font: 11px system-ui, sans-serif; fill: #59636e }
.title { font-size: 16px; font-weight: 600 } .soft, .key { font-size: 13px }
.name { font-size: 13px; font-weight: 600 } .name, .note { text-anchor: middle }
.title, .key, .name { fill: #1f2328 } .optional { font-style: italic }
.ground { fill: #ffffff } .line, .halo { fill: none; stroke: #818b98; stroke-width: 1.25 }
.halo { stroke: #ffffff; stroke-width: 4 } .line.optional { stroke-dasharray: 4 3 }
.model { fill: #ddf0ff; stroke: #2f7fd6 } .data { fill: #fff1d6; stroke: #bf7a10 }
.database { fill: #d9f5e8; stroke: #1a7f64 } .shared { fill: #f2f4f6; stroke: #818b98 }
.box { stroke-width: 1.25 } .program { stroke-width: 2.5 } .plugin { fill: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #9ca7b3 } .title, .key, .name { fill: #e6edf3 } .ground { fill: #0d1117 }
.line { stroke: #7d8590 } .halo { stroke: #0d1117 }
.model { fill: #10294a; stroke: #4c9aff } .data { fill: #3b2a0a; stroke: #d29922 }
.database { fill: #0f3529; stroke: #3fb68b } .shared { fill: #1c222a; stroke: #7d8590 }
.plugin { fill: #0d1117 }
}
</style>"""


class Graph:
    """The targets with their layers, the lines between them, and the libraries of others that they use."""

    def __init__(self, manifest, area=None):
        targets = {target["name"]: target for target in manifest["targets"]}
        defaults = {trait for each in manifest["traits"] if each["name"] == "default"
                    for trait in each["enabledTraits"]}
        self.kinds = {name: KINDS[target["type"]] for name, target in targets.items()
                      if target["type"] in KINDS and target.get("path", "Sources/").startswith("Sources/")}
        if self.kinds.keys() != AREA.keys():
            sys.exit("targets: the areas in scripts/pictures/targets.py do not fit the manifest: "
                     + ", ".join(sorted(self.kinds.keys() ^ AREA.keys())))
        # For each target those that it depends on, and whether it does only with a trait that is not a default.
        self.direct = {name: {} for name in self.kinds}
        self.libraries = {name: {} for name in self.kinds}
        for name in self.kinds:
            for dependency in targets[name]["dependencies"]:
                (other, *_, condition), = dependency.values()
                traits = set((condition or {}).get("traits", []))
                is_optional = bool(traits) and not traits & defaults
                if other in self.kinds:
                    self.direct[name][other] = is_optional
                elif library := system_name(targets[other]) if other in targets else other:
                    self.libraries[name][library] = is_optional
        self.visit_all()
        if area:
            drawn = {end for line in self.lines if AREA[line[0]] == area for end in line}
            self.kinds = {name: kind for name, kind in self.kinds.items() if name in drawn}
            self.direct = {name: {other: is_optional for other, is_optional in self.direct[name].items()
                                  if other in drawn} for name in self.kinds}
            self.visit_all()

    def visit_all(self):
        """Finds the layers, and the lines, of the targets."""
        self.layer, self.reached = {}, {}
        for name in self.kinds:
            self.visit(name)
        self.lines = [(name, other) for name, direct in self.direct.items() for other in direct
                      if not any(other in self.reached[each] for each in direct if not direct[each])]

    def visit(self, name):
        """Finds the layer of a target, and everything that it always depends on."""
        if name in self.layer:
            return
        self.reached[name] = set()
        for other, is_optional in self.direct[name].items():
            self.visit(other)
            if not is_optional:
                self.reached[name] |= {other} | self.reached[other]
        layer = 1 + max((self.layer[other] for other in self.direct[name]), default=-1)
        while list(self.layer.values()).count(layer) >= MOST:
            layer += 1
        self.layer[name] = layer


def system_name(target):
    """The name of a library of the system; nothing for headers of our own."""
    for provider in target.get("providers", []):
        for names in provider.get("brew", []):
            return names[0]
    return target.get("pkgConfig")


# A point is a tuple: of the name of a target, or of both ends of a line and the layer that it passes.
def is_box(point):
    return len(point) == 1


def half(point):
    return (BOX if is_box(point) else LANE) / 2


def distance(left, right):
    return half(left) + half(right) + (GAP if is_box(left) or is_box(right) else 0)


class Drawing:
    """The order of the points in each layer, from the bottom up, and their places."""

    def __init__(self, graph):
        self.layers = [[] for _ in range(1 + max(graph.layer.values()))]
        for name in sorted(graph.kinds):
            self.layers[graph.layer[name]].append((name,))
        self.chains = {}
        self.above, self.below = {}, {}
        for upper, lower in sorted(graph.lines):
            passed = [(upper, lower, layer) for layer in range(graph.layer[upper] - 1, graph.layer[lower], -1)]
            for point in passed:
                self.layers[point[2]].append(point)
            chain = self.chains[upper, lower] = [(upper,), *passed, (lower,)]
            for point, other in zip(chain, chain[1:]):
                self.below.setdefault(point, []).append(other)
                self.above.setdefault(other, []).append(point)
        self.links = [link for chain in self.chains.values() for link in zip(chain, chain[1:])]
        # How far from each other the ends of a link may be so that it can still be vertical.
        self.slack = {}
        for link in self.links:
            sides = [(point, links[point]) for point, links in zip(link, (self.below, self.above))]
            self.slack[link] = sum(REACH - PORT * (len(beside) - 1) / 2 for point, beside in sides if is_box(point))
        self.layers, self.places = self.best()

    def best(self):
        """The order and the places with the fewest crossings and bends that were found from several starts."""
        # Of this generator, random() alone is the same in every version of Python.
        generator = random.Random(0)
        found = {}
        for _ in range(STARTS):
            def start(point):
                ends = [AREAS[AREA[name]][1] for name in point[:2]]
                return sum(ends) / len(ends) + generator.random()
            layers = self.ordered([sorted(layer, key=start) for layer in self.layers])
            found[tuple(map(tuple, layers))] = self.crossings(layers)
        least = min(found.values())
        drawings = []
        for layers, crossings in found.items():
            if crossings <= least + 2:
                places = self.straightened(self.placed(layers), layers)
                # Weighed by eye: areas that lie together are worth a crossing or a bend.
                cost = self.bends(self.links, places) + 20 * crossings + 120 * inversions(layers)
                drawings.append((cost, layers, places))
        return min(drawings, key=lambda drawing: drawing[:2])[1:]

    def crossings(self, layers):
        index = {point: number for layer in layers for number, point in enumerate(layer)}
        return sum(crossed(*pair, index, self.below) for layer in layers
                   for pair in itertools.combinations(layer, 2))

    def ordered(self, layers):
        """The layers with fewer crossings: sorted by barycentres, down and up, then neighbours exchanged."""
        index = {point: number for layer in layers for number, point in enumerate(layer)}

        def sort(layer, links):
            layer.sort(key=lambda point: sum(index[end] for end in links[point]) / len(links[point])
                       if point in links else index[point])
            index.update((point, number) for number, point in enumerate(layer))

        def exchange(layer):
            is_better = False
            for number in range(len(layer) - 1):
                left, right = layer[number:number + 2]
                if (crossed(left, right, index, self.above) + crossed(left, right, index, self.below)
                        > crossed(right, left, index, self.above) + crossed(right, left, index, self.below)):
                    layer[number:number + 2] = right, left
                    index[right], index[left] = number, number + 1
                    is_better = True
            return is_better

        best, least = layers, self.crossings(layers)
        for _ in range(4):
            for order, links in ((layers[::-1], self.above), (layers, self.below)):
                for layer in order:
                    sort(layer, links)
                while any([exchange(layer) for layer in layers]):
                    pass
                self.untangle(layers, index)
            if (crossings := self.crossings(layers)) < least:
                best, least = [list(layer) for layer in layers], crossings
        return best

    def untangle(self, layers, index):
        """Takes out the crossings of lines with one end in common, by exchange of their parts up to that end."""
        for chain, other in itertools.combinations(self.chains.values(), 2):
            for first, second in ((chain, other), (chain[::-1], other[::-1])):
                if first[0] == second[0]:
                    *passed, (left, right) = zip(first[1:], second[1:])
                    for point, beside in passed:
                        if (index[point] < index[beside]) != (index[left] < index[right]):
                            index[point], index[beside] = index[beside], index[point]
                            layers[point[2]][index[point]] = point
                            layers[point[2]][index[beside]] = beside

    def placed(self, layers):
        """Each point as near as possible to the middle of those that it has lines to, and long lines straight."""
        places = {point: WIDTH / 2 for layer in layers for point in layer}
        for turn in range(60):
            for layer in layers if turn % 2 else layers[::-1]:
                wishes = []
                for point in layer:
                    ends = self.above.get(point, []) + self.below.get(point, [])
                    weights = [(8, 2, 1)[is_box(point) + is_box(end)] for end in ends]
                    total = math.fsum(places[end] * weight for end, weight in zip(ends, weights))
                    wishes.append((total / sum(weights), sum(weights)) if ends else (places[point], 1))
                distances = [distance(*pair) for pair in zip(layer, layer[1:])]
                low, high = MARGIN + half(layer[0]), WIDTH - MARGIN - half(layer[-1])
                if low + sum(distances) > high:
                    sys.exit("targets: a layer is wider than the picture; make WIDTH of targets.py larger")
                places.update(zip(layer, spaced(wishes, distances, low, high)))
        return {point: round(place) for point, place in places.items()}

    def bends(self, links, places):
        """The cost of lines: for each its shift, and more if it cannot be vertical."""
        total = 0
        for link in links:
            shift = abs(places[link[0]] - places[link[1]])
            excess = shift - self.slack[link]
            total += shift / 8 + (80 + excess / 2 if excess > 0 else 0)
        return total

    def straightened(self, places, layers):
        """The places after all moves of points and lines that lower the cost."""
        links = {point: [link for link in self.links if point in link] for point in places}
        right = {point: (layer, number) for layer in layers for number, point in enumerate(layer)}
        left = {point: (layer[::-1], len(layer) - 1 - number) for point, (layer, number) in right.items()}

        def moved(points, step):
            """The places that a move changes, which pushes neighbours; nothing if there is no space."""
            new, sign = {}, 1 if step > 0 else -1
            for point in points:
                layer, number = (right if step > 0 else left)[point]
                new[point] = new.get(point, places[point]) + step
                for pushing, pushed in zip(layer[number:], layer[number + 1:]):
                    place = sign * new[pushing] + distance(pushing, pushed)
                    if place <= sign * new.get(pushed, places[pushed]):
                        break
                    new[pushed] = sign * place
            if all(MARGIN + half(point) <= place <= WIDTH - MARGIN - half(point) for point, place in new.items()):
                return new
            return {}

        groups = [[point] for point in places] + [list(link) for link in self.links]
        for chain in self.chains.values():
            groups += [chain[1:-1], chain[:-1], chain[1:], chain]
        is_better = True
        while is_better:
            is_better = False
            for group in groups:
                # Also to where a line becomes vertical.
                shifts = [abs(places[end] - places[start]) for point in group for start, end in links[point]]
                steps = dict.fromkeys(shift for shift in (64, 16, 4, 1, *shifts) if shift)
                for step in (sign * step for step in steps for sign in (1, -1)):
                    new = moved(group, step)
                    changed = list(dict.fromkeys(link for point in new for link in links[point]))
                    if self.bends(changed, {**places, **new}) < self.bends(changed, places):
                        places.update(new)
                        is_better = True
        return places

    def ports(self):
        """Where each link leaves its upper point and meets its lower one: vertical if possible, apart from others."""
        places = self.places
        at = {}
        for upper, lower in self.links:
            free = [REACH * is_box(point) for point in (upper, lower)]
            middle = (places[upper] * free[1] + places[lower] * free[0]) / (sum(free) or 1)
            for point, reach in zip((upper, lower), free):
                at[upper, lower, point] = min(max(middle, places[point] - reach), places[point] + reach)
        ends = [(point, [(point, end, point) for end in links[point]] if links is self.below
                 else [(end, point, point) for end in links[point]])
                for links in (self.below, self.above) for point in links if is_box(point)]
        for _ in range(20):
            for point, keys in ends:
                low, high = places[point] - REACH, places[point] + REACH
                others = {key: key[0] if key[1] == point else key[1] for key in keys}
                keys = sorted(keys, key=lambda key: places[others[key]])
                wishes = [(min(max(at[key[0], key[1], others[key]], low), high), 1) for key in keys]
                at.update(zip(keys, spaced(wishes, [PORT] * (len(keys) - 1), low, high)))
        return at


def crossed(left, right, index, links):
    """How many lines of two points of a layer cross, if one is left of the other."""
    return sum(index[first] > index[second] for first in links.get(left, ()) for second in links.get(right, ()))


def inversions(layers):
    """How many pairs of targets of a layer are not in the order of their areas."""
    return sum(AREAS[AREA[left]][1] > AREAS[AREA[right]][1] for layer in layers
               for (left,), (right,) in itertools.combinations(filter(is_box, layer), 2)
               if "shared" not in (AREA[left], AREA[right]))


def spaced(wishes, distances, low, high):
    """The places nearest to the wishes, each a place and a weight, that keep distances: an isotonic regression."""
    offsets = list(itertools.accumulate(distances, initial=0))
    blocks = []
    for (wish, weight), offset in zip(wishes, offsets):
        blocks.append((wish - offset, weight, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (first, weight, count), (second, other, more) = blocks[-2:]
            mean = (first * weight + second * other) / (weight + other)
            blocks[-2:] = [(mean, weight + other, count + more)]
    means = [mean for mean, _, count in blocks for _ in range(count)]
    return [min(max(mean, low), high - offsets[-1]) + offset for mean, offset in zip(means, offsets)]


def box(x, y, width, height, area, kind):
    radius = min(5, height // 3) if kind == "library" else height / 2
    return (f'<rect class="box {area} {kind}" x="{x:g}" y="{y:g}" width="{width}" height="{height}" '
            f'rx="{radius:g}"/>')


def width(text):
    """About as wide as the text of a legend."""
    return sum(4 if letter in "filrt " else 8 for letter in text)


def legend(graph, y):
    x = MARGIN
    areas = {AREA[name] for name in graph.kinds}
    for area, (title, _, _) in AREAS.items():
        if area not in areas:
            continue
        yield box(x, y - 11, 20, 13, area, "library")
        yield f'<text class="key" x="{x + 28}" y="{y}">{title}</text>'
        x += 52 + width(title)
    x += 20
    for kind in KINDS.values():
        if kind not in graph.kinds.values():
            continue
        yield box(x, y - 11, 28, 13, "shared", kind)
        yield f'<text class="key" x="{x + 36}" y="{y}">{kind}</text>'
        x += 56 + width(kind)
    if not any(graph.direct[upper][lower] for upper, lower in graph.lines):
        return
    yield f'<path class="line optional" d="M{x} {y - 4.5}h28"/>'
    yield f'<text class="key optional" x="{x + 36}" y="{y}">only with a trait</text>'


def drawn(graph):
    drawing = Drawing(graph)
    places, at = drawing.places, drawing.ports()
    top = {point: HEAD + PITCH * number for number, layer in enumerate(drawing.layers[::-1]) for point in layer}
    for (upper, lower), chain in drawing.chains.items():
        path = []
        for link in zip(chain, chain[1:]):
            (x1, x2), y1, y2 = (round(at[(*link, point)]) for point in link), top[link[0]] + HEIGHT, top[link[1]]
            middle = (y1 + y2) // 2
            path += [f"V{y1}" if path else f"M{x1} {y1}",
                     f"V{y2}" if x1 == x2 else f"C{x1} {middle} {x2} {middle} {x2} {y2}"]
        path = "".join(step for step, after in zip(path, [*path[1:], ""])
                       if not (step.startswith("V") and after.startswith("V")))
        style = "line optional" if graph.direct[upper][lower] else "line"
        yield f'<path class="halo" d="{path}"/><path class="{style}" d="{path}"/>'
    for point in top:
        if not is_box(point):
            continue
        (name,), x, y = point, places[point], top[point]
        yield box(x - BOX / 2, y, BOX, HEIGHT, AREA[name], graph.kinds[name])
        libraries = graph.libraries[name]
        yield f'<text class="name" x="{x}" y="{y + (17 if libraries else 25)}">{html.escape(name)}</text>'
        if libraries:
            words = [f'<tspan class="optional">{html.escape(library)}</tspan>' if is_optional
                     else html.escape(library) for library, is_optional in libraries.items()]
            yield f'<text class="note" x="{x}" y="{y + 32}">{", ".join(words)}</text>'


def main():
    title = html.escape(sys.argv[1])
    graph = Graph(json.load(sys.stdin), *sys.argv[2:])
    height = HEAD + PITCH * max(graph.layer.values()) + HEIGHT + MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
          f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">')
    print(STYLE)
    print('<rect class="ground" width="100%" height="100%"/>')
    print(f'<text class="title" x="{MARGIN}" y="{MARGIN + 12}">{title}</text>')
    print(f'<text class="soft" x="{MARGIN}" y="{MARGIN + 32}">Lines lead down to dependencies; those that '
          'another dependency brings along are left out. Small: external libraries.</text>')
    print("\n".join(legend(graph, MARGIN + 62)))
    print("\n".join(drawn(graph)))
    print("</svg>")


main()
