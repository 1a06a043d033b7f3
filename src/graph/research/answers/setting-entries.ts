/**
 * Answers "where is X configured" for the name of a setting: its entry in code or a configuration file, its readers.
 */
import { FileFlag } from '../../../model/records/source-file.ts';
import { nameKey, textTerms } from '../../../model/text/terms.ts';
import { VALUE_KINDS } from '../../resolving/kinds.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { findPlaces } from '../find-places.ts';
import { callersOf, USES } from '../walk.ts';

interface Entry {
  readonly file: number;
  readonly line: number;
  readonly rank: number;
  readonly text: string;
}

const MAX_FILES = 400;
const MAX_ENTRIES = 6;
const MAX_READERS = 12;
const MAX_TEXT = 120;
const ASIDE = FileFlag.Test | FileFlag.Example | FileFlag.Vendored | FileFlag.Documentation;
const KEY = /^[`"']?(?:--)?([A-Za-z][\w.-]*\w)[`"']?$/;

/** Rank of an assignment among the entries in code. */
const ASSIGNMENT_RANK = 1;
const SETTINGS = /(?:^|[/_.-])(?:settings|config|configuration|defaults|options|conf)\b/i;

/** No lines where the question names no setting that the index has. */
export async function describeSetting(trail: EvidenceTrail, question: string): Promise<string[]> {
  const key = KEY.exec(question)?.[1];
  if (!key) return [];
  const entries = findEntries(trail, key);
  const fields = fieldsOf(trail, key, entries);
  // A plain word is a key in some file nearly always. It counts as a setting only if the program has a value of this
  // name, or if both a table in code and a configuration file have an entry for it.
  const isSetting = fields.length > 0 || /[-_.\d]|[a-z][A-Z]/.test(key) || isInBoth(trail, entries);
  if (entries.length === 0 || !isSetting) return [];
  const shown = entries.slice(0, MAX_ENTRIES);
  if (entries.length > shown.length) trail.truncated = true;
  const at = ({ file, line }: Entry) => `${trail.path(file)}:${line}`;
  for (const { file, line } of shown) {
    trail.fileNode(file, 0);
    trail.prove(file, line, `${key} is set here`, 0);
  }
  await trail.hop(0, trail.depth, shown.length);
  return [
    `${key} has its entry at ${at(shown[0]!)}:`,
    ...shown.map((entry) => `- ${at(entry)}: ${entry.text}`),
    ...fields.flatMap((field) => describeReaders(trail, field, new Set(shown.map(at)))),
  ];
}

function isInBoth({ input: { view } }: EvidenceTrail, entries: readonly Entry[]): boolean {
  const isConfiguration = ({ file }: Entry) => isConfigurationFile(view.files[file]!);
  return entries.some(isConfiguration) && entries.some((entry) => entry.rank <= 0 && !isConfiguration(entry));
}

function isConfigurationFile({ flags, path }: { readonly flags: number; readonly path: string }): boolean {
  return (flags & FileFlag.Config) !== 0 || /\.conf$/.test(path);
}

function findEntries({ input: { reader, view } }: EvidenceTrail, key: string): Entry[] {
  let files: Set<number> | null = null;
  for (const term of new Set(textTerms(key))) {
    const holders = new Set<number>();
    for (const chunk of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[chunk] ?? -1;
      if (file >= 0 && (!files || files.has(file))) holders.add(file);
    }
    files = holders;
  }
  const literal = key.replace(/[.-]/g, '\\$&');
  const quoted = `["'\`](?:--)?${literal}["'\`]\\s*`;
  // In order of rank: the key of a table row, an assignment, an element of a list.
  const code = [
    new RegExp(`[({]\\s*${quoted},|(?:^|[{,])\\s*${quoted}[:=](?!=)`),
    new RegExp(`^(?:(?:export|const|let|var|static|public|final) )*${literal}(?:: [^=]+)? ?=(?!=)`),
    new RegExp(`(?:^|[[,])\\s*${quoted},`),
  ];
  const copiesValue = new RegExp(`${quoted}:\\s*(?:[\\w.]+\\.)?${literal}\\b`);
  const configuration = [
    new RegExp(`^\\s*["']?${literal}["']?(?:\\s*[:=]|\\s+\\S)`),
    new RegExp(`^#\\s?${literal}(?:\\s*[:=]\\s*\\S+|\\s+\\S+)\\s*$`),
  ];
  const product = [...(files ?? [])].filter((file) => (view.files[file]!.flags & ASIDE) === 0).sort((a, b) => a - b);
  return product
    .slice(0, MAX_FILES)
    .flatMap((file) => {
      const isConfiguration = isConfigurationFile(view.files[file]!);
      const patterns = isConfiguration ? configuration : code;
      const lines = reader.text(view.contentOf[file]!).split('\n');
      return lines.flatMap((text, i): Entry[] => {
        const rank = text.includes(key) ? patterns.findIndex((pattern) => pattern.test(text)) : -1;
        if (rank < 0 || (!isConfiguration && /^\s*(?:\/?\*|\/\/|#)/.test(text))) return [];
        const entry = { file, line: i + 1, text: text.trim().slice(0, MAX_TEXT) };
        if (isConfiguration) return [{ ...entry, rank: rank + 1 }];
        // `DEBUG = False` in a settings file is the entry; `"DEBUG": settings.DEBUG` only copies the value.
        if (rank === ASSIGNMENT_RANK && SETTINGS.test(view.files[file]!.path)) return [{ ...entry, rank: -1 }];
        return [{ ...entry, rank: copiesValue.test(text) ? code.length : rank }];
      });
    })
    .sort((a, b) => a.rank - b.rank);
}

/** Constants, variables and fields of the setting's name, in any case and with any separators. */
function fieldsOf(trail: EvidenceTrail, key: string, entries: readonly Entry[]): SymbolPlace[] {
  const { graph } = trail.input;
  const plain = (name: string) => nameKey(name).replace(/[-_.]/g, '') || name.toLowerCase().replace(/[-_.]/g, '');
  const named = entries.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []);
  const names = new Set([...named, key, key.replace(/[-.]/g, '_')].filter((name) => plain(name) === plain(key)));
  const isValue = (place: SymbolPlace) => VALUE_KINDS.has(graph.symbol(place).kind);
  return [...names]
    .flatMap((name) => findPlaces(trail.input, name, isValue).places.filter(isValue))
    .filter((place, i, all) => all.findIndex((other) => trail.at(other) === trail.at(place)) === i)
    .slice(0, 3);
}

/** The functions that read the value, each with its first line that does. */
function describeReaders(trail: EvidenceTrail, field: SymbolPlace, entries: ReadonlySet<string>): string[] {
  const { graph } = trail.input;
  const lines = new Map<string, string>();
  for (const { next, edge, confidence } of callersOf(graph, field, USES, true)) {
    const { file, reference } = edge.site;
    const at = `${trail.path(file)}:${reference.line}`;
    if (confidence === 'ambiguous' || graph.isTest(edge.site) || entries.has(at)) continue;
    const reader = next ? trail.name(next) : trail.path(file);
    if (lines.has(reader)) continue;
    lines.set(reader, `- ${reader} at ${at}${hedge(confidence)}`);
    if (lines.size > MAX_READERS) continue;
    if (next)
      trail.edge(trail.node(next, 1), trail.node(field, 0), 'uses', confidence, trail.path(file), reference.line);
    trail.prove(file, reference.line, `${reader} uses ${trail.name(field)}${hedge(confidence)}`, 1);
  }
  const shown = [...lines.values()].slice(0, MAX_READERS);
  const rest = lines.size - shown.length;
  if (rest > 0) trail.truncated = true;
  const head = `It is kept in ${trail.name(field)} (${trail.at(field)})`;
  return lines.size > 0
    ? [`${head}, which these${rest > 0 ? ` and ${rest} more` : ''} use:`, ...shown]
    : [`${head}; ${describeReadersByName(trail, field).join('\n')}`];
}

/** Reads such as `settings.DEBUG`, of an object that loads its fields on demand: only the spelling links them. */
function describeReadersByName(trail: EvidenceTrail, field: SymbolPlace): string[] {
  const { graph, reader, view } = trail.input;
  const { name } = graph.symbol(field);
  const read = new RegExp(
    `\\b(?:\\w*(?:settings|config|configuration|options)|conf|cfg|opts|env)(?:\\(\\))?\\.${name}\\b(?!\\s*=[^=])`,
    'i',
  );
  const lines = new Map<string, string>();
  const files = new Set<number>();
  for (const chunk of reader.postings('text', textTerms(name)[0] ?? name).docs)
    files.add(view.fileOfChunk[chunk] ?? -1);
  for (const file of [...files].sort((a, b) => a - b)) {
    if (file < 0 || (view.files[file]!.flags & ASIDE) !== 0) continue;
    const { symbols } = reader.detail(view.contentOf[file]!);
    reader
      .text(view.contentOf[file]!)
      .split('\n')
      .forEach((text, i) => {
        if (!text.includes(name) || !read.test(text) || /^\s*(?:#|\/\/|\*)/.test(text)) return;
        const around = symbols.findLast(({ startLine, endLine }) => startLine <= i + 1 && i + 1 <= endLine);
        const owner = around?.qualifiedName ?? trail.path(file);
        if (!lines.has(owner)) lines.set(owner, `- ${owner} at ${trail.path(file)}:${i + 1} (likely)`);
      });
  }
  if (lines.size === 0) return ['no use of it could be resolved.'];
  const shown = [...lines.values()].slice(0, MAX_READERS);
  const rest = lines.size - shown.length;
  return [`these${rest > 0 ? ` and ${rest} more` : ''} read it by its name from an object of settings:`, ...shown];
}
