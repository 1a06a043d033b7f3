/** Indexes a repository into a data folder of its own and opens its graph. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStaticModel } from '../../src/embed/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { SymbolGraph, type SymbolPlace } from '../../src/graph/index.ts';
import { openReader } from '../../src/store/index.ts';
import { engineConfig } from '../../test/engine-config.ts';

export type OpenGraph = Awaited<ReturnType<typeof openGraph>>;

/** `kept`: the data folder to update and keep; without it a temporary one is used and removed. */
export async function openGraph(folder: string, kept?: string) {
  const root = realpathSync(folder);
  const home = kept ?? mkdtempSync(join(tmpdir(), 'sextant-graph-'));
  const config = engineConfig(home);
  const engine = createEngine(config);
  await engine.index(root);
  const { storeFolder } = await engine.project(root);
  const { id, dims } = loadStaticModel(config.modelFolder);
  const reader = openReader({ folder: storeFolder, modelId: id, dims });
  const view = reader.openTree({ root, ref: 'live' })!;
  const graph = new SymbolGraph(reader, view);
  return {
    root,
    engine,
    reader,
    view,
    graph,
    /** `path:line` of a symbol's name, as judges write places. */
    at: (place: SymbolPlace) => `${view.files[place.file]!.path}:${graph.symbol(place).nameLine}`,
    async close() {
      reader.close();
      await engine.close();
      if (!kept) rmSync(home, { recursive: true, force: true });
    },
  };
}
