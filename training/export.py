#!/usr/bin/env python3
"""A trained model -> models/static.bin and static.json, int8 with a scale per row. Prints the figures of the quantised model.

usage: export.py MODEL.npz MODELS_FOLDER [--bench FOLDER] [--corpora WORK]
"""
import argparse
import hashlib
import json
import os

import numpy as np
import torch

from evaluate import Bench, pieces_of

FORMAT = 1


def main():
    p = argparse.ArgumentParser()
    p.add_argument("model")
    p.add_argument("folder")
    p.add_argument("--bench", default="")
    p.add_argument("--corpora", default="")
    options = p.parse_args()
    model = np.load(options.model, allow_pickle=True)
    training = json.load(open(options.model.replace(".npz", ".json")))
    vectors, words, buckets = model["vectors"], list(model["words"]), int(model["buckets"])
    # Rows keep their learned length, which acts as a weight; the scale only uses the full range of int8.
    scales = np.abs(vectors).max(1) / 127
    scales[scales == 0] = 1
    whole = np.rint(vectors / scales[:, None]).astype(np.int8)
    query, passage = model["queryWeights"], model["passageWeights"]
    n = len(words)
    parts = [whole.tobytes(), scales.astype("<f4").tobytes(), query[:n].astype("<f4").tobytes(), passage[:n].astype("<f4").tobytes(), "\n".join(words).encode()]
    at = np.concatenate([[0], np.cumsum([len(x) for x in parts])]).tolist()
    data = b"".join(parts)
    digest = hashlib.sha256(data).hexdigest()
    header = {
        "format": FORMAT, "id": f"sextant-static-{FORMAT}-{digest[:8]}", "termsVersion": json.load(open(os.path.join(training["settings"]["work"], "tokens", "meta.json")))["termsVersion"],
        "dims": int(vectors.shape[1]), "words": n, "buckets": buckets,
        "unknownQueryWeight": float(query[n]), "unknownPassageWeight": float(passage[n]),
        "sections": dict(zip(("vectors", "scales", "queryWeights", "passageWeights", "vocabulary", "end"), at)),
        "sha256": digest,
        "training": {"pairs": training["pairs"], "settings": {k: v for k, v in training["settings"].items() if k not in ("work", "out", "bench", "wheel", "every")}, "teacher": "all-MiniLM-L6-v2" if training["settings"]["wheel"] else None, "steps": training["log"][-1]["step"]},
    }
    if options.corpora:
        summary = json.load(open(os.path.join(options.corpora, "pairs.json")))
        header["training"] |= {"packages": summary["packages"], "languages": summary["languages"], "kinds": summary["kinds"]}
    if options.bench:
        bench = Bench(options.bench, words, buckets, pieces_of)
        back = torch.from_numpy(whole.astype(np.float32) * scales[:, None].astype(np.float32))
        header["figures"] = bench.score(back, torch.from_numpy(query), torch.from_numpy(passage), detail=True)
    with open(os.path.join(options.folder, "static.bin"), "wb") as out:
        out.write(data)
    with open(os.path.join(options.folder, "static.json"), "w", encoding="utf8") as out:
        out.write(json.dumps(header, indent=2, ensure_ascii=False) + "\n")
    print(json.dumps({"bytes": len(data), "id": header["id"], **header.get("figures", {})}, indent=1))


if __name__ == "__main__":
    main()
