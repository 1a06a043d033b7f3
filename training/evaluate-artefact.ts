/**
 * NDCG@10 of the artefact in models/, embedded and quantised by the engine's own code, on the recorded benchmark
 * chunks: the model alone, ten chunks as they come. usage: node --import tsx training/evaluate-artefact.ts BENCH_CHUNKS
 * [MODELS]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadStaticModel, quantise } from '../src/embed/index.ts';

type Target = string | { readonly path: string; readonly start_line?: number; readonly end_line?: number };
interface Repo {
  readonly chunks: {
    readonly file: string;
    readonly start: number;
    readonly end: number;
    terms: string[];
    weights: number[];
  }[];
  readonly queries: { readonly query: string; readonly relevant: Target[]; readonly secondary?: Target[] }[];
}

const [folder, models = 'models'] = process.argv.slice(2) as [string, string?];
const model = loadStaticModel(models);
const { dims } = model;

function hits(chunk: Repo['chunks'][number], target: Target): boolean {
  const path = typeof target === 'string' ? target : target.path;
  const { file } = chunk;
  if (file !== path && !file.endsWith(`/${path}`) && !path.endsWith(`/${file}`)) return false;
  if (typeof target === 'string' || target.start_line === undefined) return true;
  return chunk.start <= (target.end_line ?? target.start_line) && chunk.end >= target.start_line;
}

function ndcg(results: Repo['chunks'], targets: Target[]): number {
  const ranks = new Set(targets.map((target) => results.findIndex((chunk) => hits(chunk, target)) + 1));
  ranks.delete(0);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(10, targets.length); rank++) ideal += 1 / Math.log2(rank + 1);
  return [...ranks].reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0) / ideal;
}

let total = 0;
let count = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const repo = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Repo;
  const vectors = new Int8Array(repo.chunks.length * dims);
  const vector = new Float32Array(dims);
  const norms = repo.chunks.map((chunk, i) => {
    model.embedTerms(chunk.terms, Float32Array.from(chunk.weights), 'passage', vector);
    quantise(vector, vectors, i * dims);
    return Math.hypot(...vectors.subarray(i * dims, (i + 1) * dims)) || 1;
  });
  for (const { query, relevant, secondary } of repo.queries) {
    const [asked] = await model.embed([query], 'query');
    const scores = norms.map((norm, i) => {
      let dot = 0;
      for (let d = 0; d < dims; d++) dot += asked![d]! * vectors[i * dims + d]!;
      return dot / norm;
    });
    const best = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
    total += ndcg(
      best.slice(0, 10).map((i) => repo.chunks[i]!),
      [...relevant, ...(secondary ?? [])],
    );
    count++;
  }
}
console.log(JSON.stringify({ model: model.id, ndcg: +(total / count).toFixed(4), queries: count }));
