"""Tokenised pairs in the form of training: rows of the model instead of terms, unknown words as their sub-words."""
import json
import os

import numpy as np


class Vocabulary:
    """Maps terms to rows of their own or to sub-word buckets."""

    def __init__(self, work, size, buckets, least=4):
        folder = os.path.join(work, "tokens")
        load = lambda name, kind: np.fromfile(os.path.join(folder, name), kind)
        self.terms = open(os.path.join(folder, "terms.txt"), encoding="utf8").read().split("\n")
        self.surfaces = open(os.path.join(folder, "surfaces.txt"), encoding="utf8").read().split("\n")
        self.df = load("df.i32", np.int32)
        self.pieces = (load("pieces.u32", np.uint32).astype(np.int64) % buckets).astype(np.int32)
        self.pieces_at = load("pieces-at.i32", np.int32)
        order = np.argsort(-self.df, kind="stable")
        chosen = [t for t in order[: size * 2] if self.df[t] >= least and not self.terms[t].isdigit()][:size]
        self.chosen = np.array(chosen, np.int64)
        self.size = len(chosen)
        self.buckets = buckets
        self.row = np.full(len(self.terms), -1, np.int32)
        self.row[self.chosen] = np.arange(self.size, dtype=np.int32)
        self.words = [self.terms[t] for t in chosen]

    def expand(self, ids, as_unknown=None):
        """(index of the id it came from, row, coefficient) for every row that the ids stand for."""
        row = self.row[ids]
        unknown = row < 0
        if as_unknown is not None:
            unknown = unknown | as_unknown
        count = np.where(unknown, self.pieces_at[ids + 1] - self.pieces_at[ids], 1)
        source = np.repeat(np.arange(len(ids), dtype=np.int64), count)
        first = np.cumsum(count) - count
        within = np.arange(len(source), dtype=np.int64) - first[source]
        is_piece = unknown[source]
        piece = self.pieces[np.minimum(self.pieces_at[ids[source]] + within, len(self.pieces) - 1)] + self.size
        return source, np.where(is_piece, piece, row[source]).astype(np.int32), (1 / count[source]).astype(np.float32)


class Side:
    """One side of all pairs, expanded: rows and factors of pair i are [at[i], at[i + 1])."""

    def __init__(self, vocabulary, ids, at, counts, shared, rng):
        # Some rare words are trained through their sub-words too, so that the sub-words get a meaning.
        rare = vocabulary.df[ids] < 400
        as_unknown = rare & (rng.random(len(ids), dtype=np.float32) < 0.12)
        source, self.rows, factor = vocabulary.expand(ids, as_unknown)
        damped = 1 + np.log(counts.astype(np.float32)) if counts is not None else np.ones(len(ids), np.float32)
        self.factors = factor * damped[source]
        pair_of = np.repeat(np.arange(len(at) - 1), np.diff(at))
        sizes = np.bincount(pair_of[source], minlength=len(at) - 1)
        self.at = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.shared = shared[source] if shared is not None else None

    def batch(self, pairs, drop=0.0, rng=None):
        """Rows, factors and bag starts of the given pairs; words shared with the other side are dropped at random."""
        starts, ends = self.at[pairs], self.at[pairs + 1]
        sizes = ends - starts
        total = int(sizes.sum())
        bag = np.repeat(np.arange(len(pairs)), sizes)
        index = np.arange(total) - np.repeat(np.cumsum(sizes) - sizes, sizes) + starts[bag]
        if drop > 0:
            keep = ~(self.shared[index] & (rng.random(total, dtype=np.float32) < drop))
            # The first entry stays, so that no bag is empty.
            empty = np.bincount(bag[keep], minlength=len(pairs)) == 0
            keep |= empty[bag]
            index, bag = index[keep], bag[keep]
        offsets = np.searchsorted(bag, np.arange(len(pairs)))
        return self.rows[index], self.factors[index], offsets


class Corpus:
    def __init__(self, work, vocabulary, seed=1):
        folder = os.path.join(work, "tokens")
        load = lambda name, kind: np.fromfile(os.path.join(folder, name), kind)
        self.meta = json.load(open(os.path.join(folder, "meta.json")))
        rng = np.random.default_rng(seed)
        query, query_at = load("query.i32", np.int32), load("query-at.i32", np.int32)
        passage, passage_at = load("passage.i32", np.int32), load("passage-at.i32", np.int32)
        counts = load("passage-n.u8", np.uint8)
        self.package, self.kind, self.language = load("package.i32", np.int32), load("kind.u8", np.uint8), load("language.u8", np.uint8)
        terms = len(vocabulary.terms)
        key = lambda ids, at: np.repeat(np.arange(len(at) - 1, dtype=np.int64), np.diff(at)) * terms + ids
        shared = np.isin(key(query, query_at), key(passage, passage_at))
        self.query = Side(vocabulary, query, query_at, None, shared, rng)
        self.passage = Side(vocabulary, passage, passage_at, counts, None, rng)
        self.pairs = len(self.package)
        order = np.lexsort((self.kind, self.package))
        group = self.package[order].astype(np.int64) * 16 + self.kind[order]
        borders = np.flatnonzero(np.diff(group)) + 1
        self.groups = np.split(order, borders)

    def batches(self, size, rng, by_package=0.5, group=32):
        """One epoch: batches of random pairs, and batches of groups from one package and kind each (the hard negatives)."""
        weight = rng.random(self.pairs)
        grouped, single = [], []
        for members in self.groups:
            members = rng.permutation(members)
            if len(members) < 8:
                single.append(members)
                continue
            pieces = [members[i:i + group] for i in range(0, len(members), group)]
            for piece in pieces:
                (grouped if len(piece) >= 8 and weight[piece[0]] < by_package else single).append(piece)
        rng.shuffle(grouped)
        batches, held, count = [], [], 0
        for piece in grouped:
            held.append(piece)
            count += len(piece)
            if count >= size:
                batches.append(np.concatenate(held)[:size])
                held, count = [], 0
        loose = rng.permutation(np.concatenate(single + held))
        batches += [loose[i:i + size] for i in range(0, len(loose) - size + 1, size)]
        rng.shuffle(batches)
        return batches
