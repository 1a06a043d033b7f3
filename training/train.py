#!/usr/bin/env python3
"""Trains the static model: teacher's word vectors, then contrastive learning on the pairs. Writes OUT.npz and OUT.json (settings, log).

usage: train.py WORK OUT [--wheel FILE] [--bench FOLDER] [--setting value …]
"""
import argparse
import json
import os
import time

import numpy as np
import torch

from corpus import Corpus, Vocabulary


def settings():
    p = argparse.ArgumentParser()
    p.add_argument("work")
    p.add_argument("out")
    p.add_argument("--wheel", default="", help="the teacher; without it words start at random")
    p.add_argument("--teach", type=int, default=10**9, help="at most so many new words through the teacher; the rest start at random")
    p.add_argument("--bench", default="", help="recorded benchmark chunks, for the log only")
    p.add_argument("--words", type=int, default=48_000)
    p.add_argument("--buckets", type=int, default=8192)
    p.add_argument("--dims", type=int, default=256)
    p.add_argument("--batch", type=int, default=1024)
    p.add_argument("--epochs", type=float, default=1.0)
    p.add_argument("--rate", type=float, default=0.001)
    p.add_argument("--weight-rate", type=float, default=0.01)
    p.add_argument("--temperature", type=float, default=0.05)
    p.add_argument("--drop", type=float, default=0.2)
    p.add_argument("--by-package", type=float, default=0.9)
    p.add_argument("--group", type=int, default=64)
    p.add_argument("--sif", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--every", type=int, default=250)
    p.add_argument("--minutes", type=float, default=1e9, help="stop here; the rate falls to zero by then")
    return p.parse_args()


def start_vectors(vocabulary, options):
    """Unit rows: the teacher's, rotated and cut by PCA, the common direction removed; buckets as the mean of the words they occur in."""
    rng = np.random.default_rng(options.seed)
    rows = vocabulary.size + vocabulary.buckets
    vectors = rng.standard_normal((rows, options.dims)).astype(np.float32)
    if options.wheel:
        from teacher import taught_vectors

        taught = taught_vectors(options.wheel, [vocabulary.surfaces[t] for t in vocabulary.chosen], os.path.join(options.work, "teacher.npz"), options.teach)
        known = np.abs(taught).sum(1) > 0
        taught[known] -= taught[known].mean(0)
        _, _, axes = np.linalg.svd(taught[known][:20_000], full_matrices=False)
        vectors[: vocabulary.size] = np.where(known[:, None], taught @ axes[: options.dims].T, vectors[: vocabulary.size])
        sums = np.zeros((vocabulary.buckets, options.dims), np.float32)
        counts = np.zeros(vocabulary.buckets, np.float32)
        for row, term in enumerate(vocabulary.chosen):
            if not known[row]:
                continue
            pieces = vocabulary.pieces[vocabulary.pieces_at[term]: vocabulary.pieces_at[term + 1]]
            np.add.at(sums, pieces, vectors[row])
            np.add.at(counts, pieces, 1)
        vectors[vocabulary.size:] = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], vectors[vocabulary.size:] * 0.05)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    return torch.from_numpy(vectors)


class Adam:
    """Adam that only touches the rows of the batch."""

    def __init__(self, values, betas=(0.9, 0.99)):
        self.values, self.betas = values, betas
        self.first = torch.zeros_like(values)
        self.second = torch.zeros(values.shape[:1]) if values.dim() > 1 else torch.zeros_like(values)
        self.steps = torch.zeros(values.shape[0])

    @torch.no_grad()
    def step(self, rows, gradient, rate):
        """One second moment per row, not per number: half the memory and the same result in our runs."""
        self.steps[rows] += 1
        age = self.steps[rows]
        wide = (lambda x: x[:, None]) if self.values.dim() > 1 else (lambda x: x)
        square = gradient.pow(2).mean(-1) if self.values.dim() > 1 else gradient.pow(2)
        first = self.first[rows].mul_(self.betas[0]).add_(gradient, alpha=1 - self.betas[0])
        second = self.second[rows].mul_(self.betas[1]).add_(square, alpha=1 - self.betas[1])
        self.first[rows], self.second[rows] = first, second
        corrected = first / wide(1 - self.betas[0] ** age)
        scale = (second / (1 - self.betas[1] ** age)).sqrt_().add_(1e-9)
        self.values[rows] -= rate * corrected / wide(scale)


def main():
    options = settings()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    began = time.time()
    vocabulary = Vocabulary(options.work, options.words, options.buckets)
    corpus = Corpus(options.work, vocabulary, options.seed)
    print(f"{corpus.pairs} pairs, {vocabulary.size} words, {time.time() - began:.0f} s", flush=True)
    vectors = start_vectors(vocabulary, options)
    print(f"start vectors, {time.time() - began:.0f} s", flush=True)
    share = vocabulary.df[vocabulary.chosen] / vocabulary.df.sum()
    weight = np.log(options.sif / (options.sif + share))
    weight = np.concatenate([weight, [0.0]]).astype(np.float32)  # the last one is for unknown words
    weights = {"query": torch.from_numpy(weight.copy()), "passage": torch.from_numpy(weight.copy())}
    adam = {"vectors": Adam(vectors), **{side: Adam(weights[side]) for side in weights}}
    bench = None
    if options.bench:
        from evaluate import Bench, pieces_of

        bench = Bench(options.bench, vocabulary.words, vocabulary.buckets, pieces_of)
    log = []

    def full(side):
        w = torch.exp(weights[side])
        return torch.cat([w[:-1], w[-1:].expand(vocabulary.buckets)])

    def report(step, loss):
        entry = {"step": step, "minutes": round((time.time() - began) / 60, 1), "loss": loss}
        if bench:
            entry |= bench.score(vectors, full("query"), full("passage"))
        log.append(entry)
        print(json.dumps(entry), flush=True)

    def save():
        np.savez(options.out + ".npz", vectors=vectors.numpy(), queryWeights=full("query").numpy(), passageWeights=full("passage").numpy(),
                 words=np.array(vocabulary.words, dtype=object), buckets=vocabulary.buckets)
        json.dump({"settings": vars(options), "pairs": corpus.pairs, "words": vocabulary.size, "log": log}, open(options.out + ".json", "w"), indent=1)

    report(0, None)
    steps = int(options.epochs * corpus.pairs / options.batch)
    step, losses, queue = 0, [], []
    labels = None
    trained = time.time()
    while step < steps:
        if not queue:
            queue = corpus.batches(options.batch, rng, options.by_package, options.group)
        pairs = queue.pop()
        progress = max(step / steps, (time.time() - trained) / 60 / options.minutes)
        if progress >= 1:
            break
        factor = min(1, (step + 1) / 50) * max(0.02, 1 - progress)
        q_rows, q_factors, q_at = corpus.query.batch(pairs, options.drop, rng)
        p_rows, p_factors, p_at = corpus.passage.batch(pairs)
        used, inverse = np.unique(np.concatenate([q_rows, p_rows]), return_inverse=True)
        rows = torch.from_numpy(used.astype(np.int64))
        part = vectors[rows].requires_grad_()
        sides = {}
        for side, r, f, inv in (("query", q_rows, q_factors, inverse[: len(q_rows)]), ("passage", p_rows, p_factors, inverse[len(q_rows):])):
            which = np.minimum(r, vocabulary.size)
            w_used, w_inverse = np.unique(which, return_inverse=True)
            w_rows = torch.from_numpy(w_used.astype(np.int64))
            w = weights[side][w_rows].requires_grad_()
            sides[side] = (torch.from_numpy(inv), torch.from_numpy(f) * torch.exp(w)[torch.from_numpy(w_inverse)], w, w_rows)
        bag = lambda side, at: torch.nn.functional.normalize(
            torch.nn.functional.embedding_bag(sides[side][0], part, torch.from_numpy(at), mode="sum", per_sample_weights=sides[side][1]), dim=-1)
        logits = bag("query", q_at) @ bag("passage", p_at).T / options.temperature
        if labels is None or len(labels) != len(pairs):
            labels = torch.arange(len(pairs))
        loss = (torch.nn.functional.cross_entropy(logits, labels) + torch.nn.functional.cross_entropy(logits.T, labels)) / 2
        loss.backward()
        adam["vectors"].step(rows, part.grad, options.rate * factor)
        for side in weights:
            adam[side].step(sides[side][3], sides[side][2].grad, options.weight_rate * factor)
        losses.append(float(loss))
        step += 1
        if step % options.every == 0:
            report(step, round(float(np.mean(losses[-options.every:])), 4))
            save()
    report(step, round(float(np.mean(losses[-100:])), 4) if losses else None)
    save()


if __name__ == "__main__":
    main()
