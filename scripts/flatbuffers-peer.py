"""Reads and writes FlatBuffers tables with the reference implementation, for FlatBuffersTests.

flatbuffers-peer.py read         reads lines "LAYOUT HEX", prints what is in each table
flatbuffers-peer.py write SEED N prints N lines "LAYOUT HEX CONTENT" of random tables

LAYOUT is the types of the slots with commas between them, "-" for a slot that is not in use and
"." for none. CONTENT is "slot:value" for every slot that is not null: numbers by their bits,
text in hexadecimal, a vector by its length and its elements.
"""

import math
import random
import struct
import sys

import flatbuffers
from flatbuffers import number_types as N
from flatbuffers.table import Table

SCALARS = {
    "bool": N.BoolFlags, "int8": N.Int8Flags, "uint8": N.Uint8Flags, "int16": N.Int16Flags,
    "uint16": N.Uint16Flags, "int32": N.Int32Flags, "uint32": N.Uint32Flags,
    "int64": N.Int64Flags, "uint64": N.Uint64Flags, "float": N.Float32Flags,
    "double": N.Float64Flags,
}
VECTORS = {
    "bytes": N.Uint8Flags, "bools": N.BoolFlags, "int16s": N.Int16Flags, "uint16s": N.Uint16Flags,
    "int32s": N.Int32Flags, "uint32s": N.Uint32Flags, "int64s": N.Int64Flags,
    "uint64s": N.Uint64Flags, "floats": N.Float32Flags, "doubles": N.Float64Flags,
}
TYPES = [*SCALARS, "string", *VECTORS, "strings"]


def number(flags, value):
    if flags in (N.Float32Flags, N.Float64Flags):
        if math.isnan(value):
            return "nan"
        form = ("<f", "<I") if flags is N.Float32Flags else ("<d", "<Q")
        return str(struct.unpack(form[1], struct.pack(form[0], value))[0])
    return str(int(value))


def content(layout, values):
    parts = []
    for slot, (kind, value) in enumerate(zip(layout, values)):
        if value is None:
            continue
        if kind in SCALARS:
            text = number(SCALARS[kind], value)
        elif kind == "string":
            text = value.hex()
        elif kind == "strings":
            text = ",".join([str(len(value)), *(element.hex() for element in value)])
        else:
            numbers = [number(VECTORS[kind], element) for element in value]
            text = ",".join([str(len(value)), *numbers])
        parts.append(f"{slot}:{text}")
    return " ".join(parts)


def read_table(layout, buffer):
    root = flatbuffers.encode.Get(N.UOffsetTFlags.packer_type, buffer, 0)
    table = Table(buffer, root)
    values = []
    for slot, kind in enumerate(layout):
        offset = table.Offset(4 + 2 * slot)
        if offset == 0 or kind == "-":
            values.append(None)
        elif kind in SCALARS:
            values.append(table.Get(SCALARS[kind], table.Pos + offset))
        elif kind == "string":
            values.append(table.String(table.Pos + offset))
        elif kind == "strings":
            start = table.Vector(offset)
            count = table.VectorLen(offset)
            values.append([table.String(start + 4 * place) for place in range(count)])
        else:
            flags = VECTORS[kind]
            start = table.Vector(offset)
            count = table.VectorLen(offset)
            values.append([table.Get(flags, start + flags.bytewidth * place)
                           for place in range(count)])
    return values


def random_number(flags):
    if flags is N.BoolFlags:
        return random.random() < 0.5
    if flags in (N.Float32Flags, N.Float64Flags):
        value = random.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 1.5,
                               random.uniform(-1e30, 1e30)])
        return struct.unpack("<f", struct.pack("<f", value))[0] if flags is N.Float32Flags else value
    return random.choice([0, flags.min_val, flags.max_val,
                          random.randint(flags.min_val, flags.max_val)])


def random_string():
    return "".join(random.choice("aB7 \0é語🙂\n") for _ in range(length())).encode()


def length():
    return random.choice([0, 1, 2, 3, 5, 8, random.randrange(300)])


def random_value(kind):
    if kind == "-" or random.random() < 0.25:
        return None
    if kind in SCALARS:
        return random_number(SCALARS[kind])
    if kind == "string":
        return random_string()
    if kind == "strings":
        return [random_string() for _ in range(min(40, length()))]
    return [random_number(VECTORS[kind]) for _ in range(length())]


def build(builder, kind, value):
    if kind == "string":
        return builder.CreateString(value)
    if kind == "strings":
        offsets = [builder.CreateString(element) for element in value]
        builder.StartVector(4, len(value), 4)
        for offset in reversed(offsets):
            builder.PrependUOffsetTRelative(offset)
        return builder.EndVector()
    flags = VECTORS[kind]
    builder.StartVector(flags.bytewidth, len(value), flags.bytewidth)
    for element in reversed(value):
        builder.Prepend(flags, element)
    return builder.EndVector()


def write_table(layout, values):
    builder = flatbuffers.Builder(0)
    # Zero is a value: only what is not set is null.
    builder.ForceDefaults(True)
    references = {
        slot: build(builder, kind, values[slot]) for slot, kind in enumerate(layout)
        if values[slot] is not None and kind not in SCALARS
    }
    builder.StartObject(len(layout))
    slots = [slot for slot, value in enumerate(values) if value is not None]
    random.shuffle(slots)
    for slot in slots:
        if slot in references:
            builder.PrependUOffsetTRelativeSlot(slot, references[slot], 0)
        else:
            builder.PrependSlot(SCALARS[layout[slot]], slot, values[slot], 0)
    builder.Finish(builder.EndObject())
    return bytes(builder.Output())


def main():
    if sys.argv[1] == "read":
        for line in sys.stdin:
            types, buffer = line.split()
            layout = [] if types == "." else types.split(",")
            print(content(layout, read_table(layout, bytearray.fromhex(buffer))))
        return
    random.seed(int(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        layout = [random.choice([*TYPES, "-"]) for _ in range(random.randrange(30))]
        values = [random_value(kind) for kind in layout]
        print(",".join(layout) or ".", write_table(layout, values).hex(), content(layout, values))


main()
