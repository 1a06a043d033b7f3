#!/usr/bin/env python3
"""Writes synonyms and abbreviations that the static model learned to MODELS/synonyms.tsv.

Only frequent words: rare ones are mostly run-together names that resemble everything they contain, and very short ones resemble each other by their letters
alone. Two words are synonyms where each is among the other's
nearest and they are near enough; contrastive training has put opposites (add, remove; read, write) far apart. A short word whose letters stand in a longer one
in the same order, first letter first, is its abbreviation where the model finds them at all alike.
One line a word, sorted: the word, a tab, its abbreviations and synonyms with their similarity. Words are as src/model/terms.ts makes them.
usage: synonyms.py MODELS
"""
import json
import os
import sys

import numpy as np

FREQUENT = 6_000
NEAR = 0.48
MUTUAL = 6
ABBREVIATED = 0.2
LIKELY = 0.35
COMMONER = 0.04
MOST = 4
SHORT = 4


def load(folder):
    header = json.load(open(os.path.join(folder, "static.json"), encoding="utf8"))
    data = open(os.path.join(folder, "static.bin"), "rb").read()
    at, dims, rows = header["sections"], header["dims"], header["words"] + header["buckets"]
    vectors = np.frombuffer(data, np.int8, rows * dims, at["vectors"]).reshape(rows, dims)
    words = data[at["vocabulary"]: at["end"]].decode().split("\n")[:FREQUENT]
    vectors = vectors[: len(words)].astype(np.float32)
    return header["id"], words, vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def abbreviates(short, long):
    """`cfg` for `config`, `auth` for `authenticat`: the same beginning, then letters in order, and clearly shorter."""
    if len(short) < 2 or len(long) < max(5, len(short) + 2) or short[0] != long[0]:
        return False
    rest = iter(long)
    return all(letter in rest for letter in short)


def same_word(a, b):
    """Whether two words are forms or misspellings of one word, which are not synonyms."""
    shorter, longer = sorted((a, b), key=len)
    return len(longer) - len(shorter) <= 2 and longer[: len(shorter) - 1] == shorter[:-1] and len(shorter) > 3


def main():
    folder = sys.argv[1]
    model, words, vectors = load(folder)
    usable = np.array([word.isascii() and word.isalpha() and len(word) > 1 for word in words])
    found, abbreviations = {}, set()

    def note(a, b, similarity):
        for one, other in ((a, b), (b, a)):
            found.setdefault(one, {})[other] = max(similarity, found.get(one, {}).get(other, 0))

    similar = vectors @ vectors.T
    np.fill_diagonal(similar, -1)
    similar[:, ~usable] = -1
    order = np.argpartition(-similar, MUTUAL, axis=1)[:, :MUTUAL]
    nearest = {(row, int(column)) for row in range(len(words)) for column in order[row]}
    for row, column in nearest:
        value = float(similar[row, column])
        long = len(words[row]) >= SHORT and len(words[column]) >= SHORT
        if long and usable[row] and value >= NEAR and (column, row) in nearest and not same_word(words[row], words[column]):
            note(words[row], words[column], value)
    by_letter = {}
    for row, word in enumerate(words):
        if usable[row]:
            by_letter.setdefault(word[0], []).append(row)
    for row, word in enumerate(words):
        if not usable[row] or len(word) > 5:
            continue
        longer = [other for other in by_letter[word[0]] if abbreviates(word, words[other]) and similar[row, other] >= ABBREVIATED]
        # Among several expansions the most frequent one is chosen: rows are sorted by frequency.
        longer.sort(key=lambda other: COMMONER * np.log2(2 + other) - similar[row, other])
        for other in longer[:1] + [other for other in longer[1:3] if similar[row, other] >= LIKELY]:
            note(word, words[other], float(similar[row, other]))
            abbreviations.add((word, words[other]))
            abbreviations.add((words[other], word))
    lines = []
    for word in sorted(found):
        best = sorted(found[word].items(), key=lambda item: ((word, item[0]) not in abbreviations, -item[1], item[0]))[:MOST]
        lines.append(word + "\t" + " ".join(f"{other}:{value:.2f}" for other, value in best))
    with open(os.path.join(folder, "synonyms.tsv"), "w", encoding="utf8") as out:
        out.write("\n".join(lines) + "\n")
    print(f"{len(lines)} words with synonyms, from {model}")


if __name__ == "__main__":
    main()
