/** Sextant's own edges: all calls of a tree, resolved. */
import { type CallEdges, EdgeTable } from './edges.ts';
import type { OpenGraph } from './open-graph.ts';

export function sextantEdges({ reader, view, graph, at }: OpenGraph): CallEdges {
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
        targets: targets.map(at),
      });
    }
  }
  return table;
}
