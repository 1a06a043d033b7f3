/** A map of the repository within a token budget: modules, entry points, and the files that most others name, with their main symbols. */
import { FileFlag } from '../model/source-file.ts';
import { nameKey } from '../model/terms.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../store/store.ts';
import type { SymbolGraph } from './symbol-graph.ts';

export interface MapInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly title: string;
  readonly moduleOf: (path: string) => string;
  readonly maxTokens: number;
}

const ENTRY = /(?:^|\/)(?:main|index|app|server|cli|__main__|manage|Program|Main|Application|lib|mod)\.[A-Za-z]+$/;
const CHARACTERS_PER_TOKEN = 4;

export function drawMap({ graph, reader, view, title, moduleOf, maxTokens }: MapInput): string {
  const budget = maxTokens * CHARACTERS_PER_TOKEN;
  const product = view.files.flatMap((file, index) =>
    (file.flags & (FileFlag.Test | FileFlag.Example | FileFlag.Generated | FileFlag.Vendored)) === 0 ? [index] : [],
  );
  const rank = pageRank(graph, product);
  const central = [...product].sort((a, b) => rank.get(b)! - rank.get(a)! || a - b);
  const modules = new Map<string, { files: number; lines: number }>();
  for (const { path, lines } of view.files) {
    const name = moduleOf(path) || '(root)';
    const module = modules.get(name) ?? { files: 0, lines: 0 };
    module.files++;
    module.lines += lines;
    modules.set(name, module);
  }
  const parts = [
    `# ${title}`,
    '',
    `${view.files.length} files, ${view.info.lineCount} lines, ${view.info.symbolCount} symbols.`,
    '',
    '## Modules',
    '',
  ];
  for (const [name, { files, lines }] of [...modules]
    .sort((a, b) => b[1].lines - a[1].lines || (a[0] < b[0] ? -1 : 1))
    .slice(0, 30))
    parts.push(`- ${name}: ${files} files, ${lines} lines`);
  const entries = product
    .filter((index) => ENTRY.test(view.files[index]!.path))
    .sort((a, b) => view.files[a]!.path.length - view.files[b]!.path.length || a - b)
    .slice(0, 15);
  if (entries.length > 0)
    parts.push('', '## Entry points', '', ...entries.map((index) => `- ${view.files[index]!.path}`));
  parts.push('', '## Central files', '');
  for (const index of central) {
    if (parts.join('\n').length > budget) break;
    const entry = view.files[index]!;
    const { symbols } = reader.detail(view.contentOf[index]!);
    const shown = symbols
      .filter((symbol) => symbol.visibility !== 'private' && !['field', 'variable', 'property'].includes(symbol.kind))
      .map((symbol) => ({
        symbol,
        uses: reader.postings('reference', nameKey(symbol.name) || symbol.name).docs.length,
      }))
      .sort((a, b) => b.uses - a.uses || a.symbol.startLine - b.symbol.startLine)
      .slice(0, 6);
    if (shown.length === 0) continue;
    const importers = reader.postings(
      'reference',
      IMPORT_MARK + nameKey(entry.path.slice(entry.path.lastIndexOf('/') + 1).replace(/\..*$/, '')),
    ).docs.length;
    parts.push(
      `- ${entry.path}${importers > 0 ? ` (named by ${importers} imports)` : ''}`,
      ...shown.map(({ symbol }) => `  - ${symbol.startLine}: ${symbol.signature.slice(0, 120)}`),
    );
  }
  const text = parts.join('\n');
  return text.length <= budget ? `${text}\n` : `${text.slice(0, text.lastIndexOf('\n', budget))}\n`;
}

/** PageRank over imports: a file matters when files that matter import it. */
function pageRank(graph: SymbolGraph, files: readonly number[]): Map<number, number> {
  const members = new Set(files);
  const links = new Map(files.map((file) => [file, [...graph.importedBy(file)].filter((other) => members.has(other))]));
  let rank = new Map(files.map((file) => [file, 1 / files.length]));
  for (let round = 0; round < 15; round++) {
    const next = new Map(files.map((file) => [file, 0.15 / files.length]));
    for (const [file, targets] of links)
      for (const target of targets) next.set(target, next.get(target)! + (0.85 * rank.get(file)!) / targets.length);
    rank = next;
  }
  return rank;
}
