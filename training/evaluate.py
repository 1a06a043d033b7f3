#!/usr/bin/env python3
"""NDCG@10 of a model alone on the recorded benchmark chunks (bench-chunks.ts): for the ten nearest chunks, and for the best chunk per file.

usage: evaluate.py BENCH_CHUNKS MODEL.npz
"""
import glob
import json
import math
import os
import sys
from collections import defaultdict

import numpy as np
import torch


def hits(result, target):
    """Does a (path, start, end) answer a target: the same path or a suffix of one another, and overlapping lines where the target names some."""
    path = target if isinstance(target, str) else target["path"]
    file, start, end = result
    if not (file == path or file.endswith("/" + path) or path.endswith("/" + file)):
        return False
    if isinstance(target, str):
        return True
    first = target.get("start_line", target.get("startLine"))
    last = target.get("end_line", target.get("endLine"))
    return first is None or (start <= (last or first) and end >= first)


def ndcg(results, targets):
    ranks = set()
    for target in targets:
        for rank, result in enumerate(results[:10], 1):
            if hits(result, target):
                ranks.add(rank)
                break
    ideal = sum(1 / math.log2(r + 1) for r in range(1, min(len(targets), 10) + 1))
    return sum(1 / math.log2(r + 1) for r in ranks) / ideal


class Bench:
    """Recorded repositories with terms as rows of the given model."""

    def __init__(self, folder, words, buckets, pieces_of):
        row_of = {w: i for i, w in enumerate(words)}
        cache = {}

        def rows(terms, weights):
            out_rows, out_factors = [], []
            for term, weight in zip(terms, weights):
                row = row_of.get(term)
                if row is not None:
                    out_rows.append(row)
                    out_factors.append(weight)
                    continue
                pieces = cache.get(term)
                if pieces is None:
                    pieces = cache[term] = [len(words) + p for p in pieces_of(term, buckets)]
                out_rows += pieces
                out_factors += [weight / len(pieces)] * len(pieces)
            return out_rows, out_factors

        self.repos = []
        for name in sorted(glob.glob(os.path.join(folder, "*.json"))):
            repo = json.load(open(name, encoding="utf8"))
            if not repo["chunks"]:
                continue
            all_rows, all_factors, at = [], [], []
            for chunk in repo["chunks"]:
                r, f = rows(chunk["terms"], chunk["weights"])
                at.append(len(all_rows))
                all_rows += r
                all_factors += f
            queries = []
            for q in repo["queries"]:
                counts = defaultdict(int)
                for t in q["terms"]:
                    counts[t] += 1
                r, f = rows(list(counts), [1 + math.log(n) for n in counts.values()])
                queries.append((r, f, q))
            self.repos.append({
                "name": repo["name"], "language": repo["language"],
                "rows": torch.tensor(all_rows), "factors": torch.tensor(all_factors, dtype=torch.float32), "at": torch.tensor(at),
                "places": [(c["file"], c["start"], c["end"]) for c in repo["chunks"]], "queries": queries,
            })

    @torch.no_grad()
    def score(self, vectors, query_weights, passage_weights, detail=False, transform=None):
        """vectors: rows x dims; weights: one per row."""
        plain, per_file = [], []
        by = defaultdict(list)
        for repo in self.repos:
            factors = repo["factors"] if transform is None else transform(repo["factors"])
            chunks = torch.nn.functional.embedding_bag(repo["rows"], vectors, repo["at"], mode="sum", per_sample_weights=factors * passage_weights[repo["rows"]])
            chunks = torch.nn.functional.normalize(chunks, dim=-1)
            for r, f, q in repo["queries"]:
                r = torch.tensor(r, dtype=torch.long)
                vector = (vectors[r] * (torch.tensor(f) * query_weights[r])[:, None]).sum(0) if len(r) else torch.zeros(vectors.shape[1])
                order = torch.topk(chunks @ vector, min(400, len(chunks))).indices.tolist()
                targets = list(q["relevant"]) + list(q.get("secondary") or [])
                places = [repo["places"][i] for i in order]
                value = ndcg(places[:10], targets)
                plain.append(value)
                seen, distinct = set(), []
                for place in places:
                    if place[0] not in seen:
                        seen.add(place[0])
                        distinct.append(place)
                per_file.append(ndcg(distinct[:10], targets))
                by["category " + q["category"]].append(value)
                by["language " + repo["language"]].append(value)
        figures = {"ndcg": float(np.mean(plain)), "ndcgPerFile": float(np.mean(per_file)), "queries": len(plain)}
        if detail:
            figures |= {k: round(float(np.mean(v)), 3) for k, v in sorted(by.items())}
        return figures


def pieces_of(word, buckets):
    """src/embed/static/subwords.ts in Python; src/embed/static/subwords.test.ts compares both."""
    units = [int.from_bytes(f"<{word}>".encode("utf-16-le")[i:i + 2], "little") for i in range(0, 2 * len(f"<{word}>".encode("utf-16-le")) // 2, 2)]

    def fnv(part):
        value = 0x811C9DC5
        for unit in part:
            value = ((value ^ (unit & 0xFF)) * 0x01000193) & 0xFFFFFFFF
            value = ((value ^ (unit >> 8)) * 0x01000193) & 0xFFFFFFFF
        return value % buckets

    if len(units) <= 4:
        return [fnv(units)]
    pieces = len(units) - 3
    taken = min(pieces, 12)
    return [fnv(units[s:s + 4]) for s in (pieces - 1 if i == taken - 1 else i for i in range(taken))]


def main():
    model = np.load(sys.argv[2], allow_pickle=True)
    bench = Bench(sys.argv[1], list(model["words"]), int(model["buckets"]), pieces_of)
    figures = bench.score(*(torch.from_numpy(model[k]) for k in ("vectors", "queryWeights", "passageWeights")), detail=True)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
