/** Our own edges: the tree is indexed into a data folder of its own, and every call in it is resolved. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStaticModel } from '../../src/embed/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { SymbolGraph } from '../../src/graph/index.ts';
import { openReader } from '../../src/store/index.ts';
import { engineConfig } from '../../test/engine-config.ts';
import { type CallEdges, EdgeTable } from './edges.ts';

export async function sextantEdges(folder: string): Promise<CallEdges> {
  const root = realpathSync(folder);
  const home = mkdtempSync(join(tmpdir(), 'sextant-graph-'));
  const config = engineConfig(home);
  const engine = createEngine(config);
  try {
    await engine.index(root);
    const { storeFolder } = await engine.project(root);
    const { id, dims } = loadStaticModel(config.modelFolder);
    const reader = openReader({ folder: storeFolder, modelId: id, dims });
    const view = reader.openTree({ root, ref: 'live' })!;
    const graph = new SymbolGraph(reader, view);
    const table = new EdgeTable();
    for (let file = 0; file < view.files.length; file++) {
      const { path } = view.files[file]!;
      table.addFile(path);
      for (const reference of reader.detail(view.contentOf[file]!).references) {
        if (reference.kind !== 'call') continue;
        const { confidence, targets } = graph.resolve({ file, reference });
        table.add(path, {
          name: reference.name,
          line: reference.line,
          column: reference.column,
          sure: confidence === 'exact',
          decided: confidence !== 'ambiguous' && targets.length > 0,
          targets: targets.map((place) => `${view.files[place.file]!.path}:${graph.symbol(place).nameLine}`),
        });
      }
    }
    reader.close();
    return table;
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
}
