/**
 * Entry point of the room: turns text into a ParsedFile. Owns parsers, grammars and budgets; knows nothing of paths,
 * files or the store. Invariants: `parse` never throws for any text; every tree is deleted before it returns; a file
 * whose budget ran out has a problem entry.
 */

import { Parser, type Tree } from 'web-tree-sitter';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import type { ParsedFile, ParseProblem, Reference, SymbolRecord } from '../../model/records/symbol.ts';
import { cpuMs } from '../../model/runtime/cpu-time.ts';
import type { LanguageDescriptor } from '../language.ts';
import { languageById, PLAIN_TEXT } from '../registry.ts';
import { Collector } from './extract/collect.ts';
import { extract } from './extract/extract.ts';
import { runQuery } from './extract/match.ts';
import { type Grammar, type GrammarFolders, loadGrammar } from './grammar/grammar.ts';
import { PACKAGE_BUFFER, PackageRuntime } from './grammar/package-runtime.ts';
import { SyntaxTree } from './grammar/syntax-node.ts';
import { LineIndex } from './line-index.ts';
import { scanDefinitions } from './recovery/generic-scan.ts';
import { syntaxProblems } from './recovery/problems.ts';
import { recoverDefinitions } from './recovery/recover.ts';

export interface ParseInput {
  readonly language: LanguageDescriptor | null;
  readonly text: string;
  /** Offsets of line starts, if the caller knows them. */
  readonly lineStarts?: Int32Array;
  /** Budgets of CPU time for each file. A parse over budget is given up, a query over budget is cut. */
  readonly parseBudgetMs?: number;
  readonly queryBudgetMs?: number;
}

export interface SourceParser {
  /**
   * Loads the grammar of a language, or of the dialect that the text needs. Returns at once if it is loaded, or if
   * there is none.
   */
  load(language: LanguageDescriptor | null, text?: string): Promise<void>;
  /** A loaded language is read through the package's own, slower nodes. */
  readsSlowly(language: LanguageDescriptor): boolean;
  /** Synchronous; the language must be loaded. */
  parse(input: ParseInput): ParsedFile;
  close(): void;
}

const PARSE_BUDGET_MS = 5000;
const QUERY_BUDGET_MS = 2000;
const EMPTY = { package: '', symbols: [], references: [], imports: [], sections: [], tags: [], problems: [] } as const;

interface Loaded {
  readonly grammar: Grammar;
  readonly parser: Parser;
}

/** `readMemory: false` reads every tree through the package's own nodes, as if the self-check failed. */
export function createParser(folders: GrammarFolders, { readMemory = true, selfCheck = true } = {}): SourceParser {
  const loading = new Map<string, Promise<void>>();
  const loaded = new Map<string, Loaded>();

  async function loadLanguage(language: LanguageDescriptor): Promise<void> {
    const grammar = await loadGrammar(language, folders, { selfCheck }).catch((error: unknown) => {
      throw grammarMissing(language, error);
    });
    const parser = new Parser();
    parser.setLanguage(grammar.language);
    loaded.set(language.id, { grammar: { ...grammar, readsMemory: readMemory && grammar.readsMemory }, parser });
  }

  return {
    async load(language, text = '') {
      if (!language?.grammar) return;
      const dialect = dialectOf(language, text);
      let pending = loading.get(dialect.id);
      if (!pending) {
        pending = loadLanguage(dialect);
        loading.set(dialect.id, pending);
      }
      await pending;
    },
    readsSlowly: ({ id }) => loaded.get(id)?.grammar.readsMemory === false,
    parse(input) {
      const { language } = input;
      if (!language?.grammar) return parseWithoutGrammar(input);
      const dialect = dialectOf(language, input.text);
      const tools = loaded.get(dialect.id);
      if (!tools)
        throw new EngineError('internal_error', {
          reason: `the grammar of ${dialect.id} was used before it was loaded`,
        });
      const parsed = parseWithGrammar(tools, dialect, input);
      return dialect === language ? parsed : { ...parsed, language: language.id };
    },
    close() {
      for (const { parser, grammar } of loaded.values()) {
        parser.delete();
        grammar.query.delete();
      }
      loaded.clear();
      loading.clear();
    },
  };
}

/**
 * A missing or damaged grammar makes its language unsupported; running out of memory or file handles stays the error
 * that it is.
 */
function grammarMissing({ name }: LanguageDescriptor, error: unknown): EngineError {
  const known = toEngineError(error);
  if (known.code === 'unsupported' || known.code === 'out_of_memory') return known;
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineError('unsupported', { what: `The grammar of ${name}`, reason }, error);
}

/** The language whose grammar and query read the text best; nearly always the file's own. */
function dialectOf(language: LanguageDescriptor, text: string): LanguageDescriptor {
  const { dialect } = language;
  return (dialect?.mark.test(text) && languageById(dialect.id)) || language;
}

function parseWithoutGrammar({ language, text, lineStarts }: ParseInput): ParsedFile {
  const { lineCount } = new LineIndex(text, lineStarts);
  const id = language?.id ?? PLAIN_TEXT;
  if (language?.scan) return { language: id, lineCount, ...language.scan(linesOf(text)) };
  const symbols = !language || language.family === 'code' ? scanDefinitions(text) : [];
  // A file in an unknown language without definitions is read as prose.
  const prose = symbols.length === 0 ? languageById(PLAIN_TEXT)?.scan?.(linesOf(text)) : undefined;
  return { ...EMPTY, ...prose, language: id, lineCount, symbols };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  // A final line break ends the last line and begins no new one.
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

function parseWithGrammar({ grammar, parser }: Loaded, language: LanguageDescriptor, input: ParseInput): ParsedFile {
  const { text } = input;
  const lines = new LineIndex(text, input.lineStarts);
  const base = { ...EMPTY, language: language.id, lineCount: lines.lineCount };
  const parseBudgetMs = input.parseBudgetMs ?? PARSE_BUDGET_MS;
  const seen = language.mask ? language.mask(text) : text;
  const tree = parseWithin(parser, seen, parseBudgetMs);
  if (!tree) {
    const problem = {
      line: 1,
      message: `parsing took more than ${parseBudgetMs} ms of CPU time; definitions were found by pattern`,
    };
    return { ...base, symbols: scanDefinitions(text, language), problems: [problem] };
  }
  try {
    const queryBudgetMs = input.queryBudgetMs ?? QUERY_BUDGET_MS;
    const deadlineMs = cpuMs() + queryBudgetMs;
    const syntax = syntaxOf(grammar, tree);
    const collector = new Collector(syntax, grammar.roles);
    const root = syntax.wrap(tree.rootNode);
    const stoppedAt = runQuery(grammar, syntax, root, seen, deadlineMs, collector);
    const found = extract({
      descriptor: language,
      text,
      seen,
      lines,
      found: collector.found,
      broken: root.hasError,
      // Matches that were found before the deadline must still be read.
      deadlineMs: Math.max(deadlineMs, cpuMs() + queryBudgetMs / 4),
    });
    const problems: ParseProblem[] = [];
    let symbols: readonly SymbolRecord[] = found.symbols;
    let references: readonly Reference[] = found.references;
    if (root.hasError) {
      const errors = syntaxProblems(root, text);
      problems.push(...errors.problems);
      if (language.family === 'code')
        ({ symbols, references } = recoverDefinitions(text, errors.broken, symbols, references, language));
    }
    if (stoppedAt >= 0) {
      const message = `reading the syntax tree took more than ${queryBudgetMs} ms of CPU time; symbols are partial`;
      problems.push({ line: lines.lineAt(stoppedAt), message });
      symbols = [...symbols, ...scannedAfter(text, symbols, language)];
    } else if (found.hurried)
      problems.push({ line: 1, message: 'definitions are nested too deeply; symbols are partial' });
    return {
      ...base,
      package: found.package,
      symbols,
      references,
      imports: found.imports,
      sections: found.sections,
      problems,
    };
  } finally {
    tree.delete();
  }
}

function syntaxOf({ runtime, buffer, language, query, readsMemory }: Grammar, tree: Tree): SyntaxTree {
  return readsMemory
    ? new SyntaxTree(runtime, buffer, tree, language)
    : new SyntaxTree(new PackageRuntime(query, tree), PACKAGE_BUFFER, tree, language);
}

/** After the offset at which a query was cut, the rest of the text is scanned by patterns. */
function scannedAfter(
  text: string,
  symbols: readonly SymbolRecord[],
  { typedHeads }: LanguageDescriptor,
): SymbolRecord[] {
  const fromLine = symbols.reduce((line, symbol) => Math.max(line, symbol.nameLine), 0) + 1;
  return scanDefinitions(text, { fromLine, typedHeads }).map((symbol) => ({
    ...symbol,
    parent: symbol.parent < 0 ? -1 : symbol.parent + symbols.length,
  }));
}

function parseWithin(parser: Parser, text: string, budgetMs: number): Tree | null {
  const deadline = cpuMs() + budgetMs;
  const tree = parser.parse(text, null, { progressCallback: () => cpuMs() > deadline });
  if (!tree) parser.reset();
  return tree;
}
