/** Computes candidates and features of every question with the code that answers searches. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Question } from '../bench/quality/set.ts';
import { loadStaticModel } from '../src/embed/index.ts';
import { createEngine } from '../src/engine/index.ts';
import { addMentions, findCandidates, loadSynonyms, Ranker, synonymTerms, understand } from '../src/search/index.ts';
import { openReader } from '../src/store/index.ts';
import { engineConfig } from '../test/engine-config.ts';

export interface Sample {
  readonly intent: string;
  readonly paths: readonly string[];
  readonly rows: Float32Array;
  /** The sample of a question that is asked of another repository, where nothing answers it. */
  readonly foreign: { readonly intent: string; readonly rows: Float32Array; readonly paths: readonly string[] };
}

const UNTRAINED = new Ranker({
  version: 0,
  weights: {},
  calibration: { confidence: { bias: 0, weights: {} }, gap: { offset: 0, slope: 1 } },
  floor: 0,
});
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function collectCandidates(
  questions: readonly Question[],
  layout: string,
  home: string,
): Promise<Sample[]> {
  const models = join(root, 'models');
  const engine = createEngine(engineConfig(home));
  const embedder = loadStaticModel(models);
  const synonyms = loadSynonyms(join(models, 'synonyms.tsv'));
  const folders = new Map<string, { folder: string; root: string }>();
  for (const repository of new Set(questions.map((q) => q.repository))) {
    const { project } = await engine.index(join(layout, repository));
    folders.set(repository, { folder: project.storeFolder, root: project.root });
  }
  await engine.close();
  const samples: Sample[] = [];
  const open = new Map<string, ReturnType<typeof openReader>>();
  for (const { repository, query } of questions) {
    const place = folders.get(repository)!;
    let reader = open.get(repository);
    if (!reader) {
      for (const [name, other] of open) {
        other.close();
        open.delete(name);
      }
      reader = openReader({ folder: place.folder, modelId: embedder.id, dims: embedder.dims });
      open.set(repository, reader);
    }
    const view = reader.openTree({ root: place.root, ref: 'live' })!;
    const ask = async (text: string) => {
      const understood = understand(text);
      const [vector] = await embedder.embed([understood.text], 'query');
      const { files, rows } = findCandidates({
        reader,
        view,
        moduleOf: () => '',
        request: { query: text },
        understood,
        related: understood.intent === 'natural_language' ? synonymTerms(understood, synonyms, { reader, view }) : [],
        vector: vector!,
        ranker: UNTRAINED,
      });
      addMentions({ reader, view }, rows, files, [...files.keys()]);
      return { intent: understood.intent, paths: files.map((file) => view.files[file]!.path), rows };
    };
    // Half of the questions away in the list is another repository, most often of another language.
    const stranger = questions[(samples.length + Math.floor(questions.length / 2)) % questions.length]!;
    samples.push({ ...(await ask(query)), foreign: await ask(stranger.query) });
  }
  for (const reader of open.values()) reader.close();
  return samples;
}
