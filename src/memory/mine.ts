/** What the repository itself says: decisions in ADRs, rules in guides and configuration, issues in comments and history. Each with its source and a confidence below 1. */
import type { Discovery, DiscoveryType, Evidence } from '../model/discovery.ts';
import type { StoreReader, TreeView } from '../store/store.ts';
import type { Commit } from '../walk/index.ts';
import { newDiscoveryId } from './discovery-file.ts';
import { sensitiveKind } from './sensitive.ts';

export interface MineInput {
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly commits: readonly Commit[];
  readonly moduleOf: (path: string) => string;
}

const DECISION_PATH =
  /(?:^|\/)(?:adrs?|decisions?|architecture-decisions|rfcs?|design(?:-docs?)?|proposals?)\/[^/]+\.(?:md|mdx|rst|txt|adoc)$/i;
const GUIDE_PATH =
  /(?:^|\/)(?:CONTRIBUTING|AGENTS|CLAUDE|GEMINI|CONVENTIONS|STYLE|STYLEGUIDE|HACKING|DEVELOPMENT|copilot-instructions|\.cursorrules|\.windsurfrules)(?:\.\w+)?$|(?:^|\/)\.cursor\/rules\//i;
const NORMATIVE =
  /\b(?:must|should|shall|never|always|do not|don't|avoid|prefer|required?|mandatory|only use|use .+ instead|please|ensure|make sure|cannot|not allowed)\b/i;
const MARKER = /\b(TODO|FIXME|HACK|XXX|BUG)\b[:(\s]\s*(.{8,300})/;
const DEPRECATED = /(?:@deprecated|\[Deprecated\]|#\[deprecated|DEPRECATED:?)\s*(.{0,200})/;
const MAX_PER_SOURCE = 2_000;
const MAX_RULES_PER_FILE = 60;

export function mine(input: MineInput): Discovery[] {
  const found = [...decisions(input), ...rules(input), ...configuration(input), ...comments(input), ...history(input)];
  const byId = new Map<string, Discovery>();
  for (const discovery of found)
    if (!byId.has(discovery.id) && sensitiveKind(discovery.content) === null) byId.set(discovery.id, discovery);
  return [...byId.values()];
}

function discovered(
  input: MineInput,
  type: DiscoveryType,
  content: string,
  origin: string,
  confidence: number,
  evidence: Evidence,
  dateMs: number,
): Discovery {
  const folded = content.replace(/\s+/g, ' ').trim();
  return {
    id: newDiscoveryId(type, `${folded}\n${evidence.path ?? evidence.commit ?? ''}`),
    type,
    content: folded,
    module: evidence.path ? input.moduleOf(evidence.path) : '',
    session: '',
    dateMs,
    origin,
    confidence,
    evidence: [evidence],
    contradicts: [],
    supersededBy: null,
  };
}

function* filesMatching(
  { view, reader }: MineInput,
  pattern: RegExp,
): Generator<{ path: string; text: string; mtimeMs: number }> {
  for (let index = 0; index < view.files.length; index++) {
    const { path, mtimeMs } = view.files[index]!;
    if (pattern.test(path)) yield { path, text: reader.text(view.contentOf[index]!), mtimeMs };
  }
}

/** An ADR: its title, its status and the first words of its decision. One that a later one replaces says so. */
function decisions(input: MineInput): Discovery[] {
  const made: { discovery: Discovery; number: string; superseder: string | null }[] = [];
  for (const { path, text, mtimeMs } of filesMatching(input, DECISION_PATH)) {
    const lines = text.split(/\r?\n/);
    const titleLine = lines.findIndex((line) => /^#\s+\S/.test(line) || (/^\S/.test(line) && !/^---/.test(line)));
    const title = lines[titleLine]?.replace(/^#+\s*/, '').trim() ?? '';
    if (title === '' || /^(?:readme|index|template)\b/i.test(path.slice(path.lastIndexOf('/') + 1))) continue;
    const status =
      /^(?:[-*]\s*)?(?:\*\*)?status(?:\*\*)?\s*[:\n]\s*(.+)$/im.exec(text)?.[1]?.replace(/[*_`]/g, '').trim() ??
      sectionOf(lines, /status/i)?.text.split('. ')[0] ??
      '';
    const body =
      sectionOf(lines, /decision|solution|proposal|summary/i) ?? sectionOf(lines, /context|background|motivation/i);
    const line = body?.line ?? titleLine + 1;
    const words = body?.text.slice(0, 600) ?? '';
    const superseder = /superseded?\s+by\s+(?:\[?[^\d\]]*)?(\d+)/i.exec(text)?.[1] ?? null;
    const content = `${title}${status ? ` (${status.slice(0, 60)})` : ''}${words ? `: ${words}` : ''}`;
    const number = /(\d{2,})/.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? '';
    made.push({
      discovery: discovered(
        input,
        'decision',
        content,
        'adr',
        0.9,
        { path, startLine: titleLine + 1, endLine: line + 1 },
        mtimeMs,
      ),
      number,
      superseder,
    });
  }
  return made.map(({ discovery, superseder }) => {
    const replaced =
      superseder === null
        ? undefined
        : made.find(({ number }) => number !== '' && Number(number) === Number(superseder));
    return replaced ? { ...discovery, supersededBy: replaced.discovery.id, confidence: 0.5 } : discovery;
  });
}

function sectionOf(lines: readonly string[], heading: RegExp): { text: string; line: number } | null {
  const at = lines.findIndex(
    (line) => (/^#{1,4}\s/.test(line) || /^\*\*.+\*\*:?$/.test(line.trim())) && heading.test(line),
  );
  if (at < 0) return null;
  const text: string[] = [];
  for (const line of lines.slice(at + 1)) {
    if (/^#{1,4}\s/.test(line)) break;
    text.push(line);
    if (text.join(' ').length > 800) break;
  }
  const folded = text.join(' ').replace(/\s+/g, ' ').trim();
  return folded === '' ? null : { text: folded, line: at + 1 };
}

/** Sentences and list items of guides that tell what to do. */
function rules(input: MineInput): Discovery[] {
  const made: Discovery[] = [];
  for (const { path, text, mtimeMs } of filesMatching(input, GUIDE_PATH)) {
    let heading = '';
    let count = 0;
    let fenced = false;
    text.split(/\r?\n/).forEach((line, i) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
      const title = /^#{1,4}\s+(.+)/.exec(line)?.[1];
      if (title) heading = title.trim();
      if (fenced || title || count >= MAX_RULES_PER_FILE) return;
      const sentence = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
      if (sentence.length < 15 || sentence.length > 600 || !NORMATIVE.test(sentence)) return;
      count++;
      made.push(
        discovered(
          input,
          'rule',
          heading ? `${heading}: ${sentence}` : sentence,
          'guide',
          0.8,
          { path, startLine: i + 1, endLine: i + 1 },
          mtimeMs,
        ),
      );
    });
  }
  return made;
}

const TOOLS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:\.eslintrc[.\w]*|eslint\.config\.\w+)$/, 'JavaScript and TypeScript are linted with ESLint'],
  [/(?:^|\/)biome\.jsonc?$/, 'Code is linted and formatted with Biome'],
  [/(?:^|\/)\.prettierrc[.\w]*$/, 'Code is formatted with Prettier'],
  [/(?:^|\/)\.?ruff\.toml$/, 'Python is linted with Ruff'],
  [/(?:^|\/)\.golangci\.ya?ml$/, 'Go is linted with golangci-lint'],
  [/(?:^|\/)\.?rustfmt\.toml$/, 'Rust is formatted with rustfmt settings of the project'],
  [/(?:^|\/)\.?clippy\.toml$/, 'Rust is linted with Clippy settings of the project'],
  [/(?:^|\/)\.clang-format$/, 'C and C++ are formatted with clang-format'],
  [/(?:^|\/)\.rubocop\.ya?ml$/, 'Ruby is linted with RuboCop'],
  [/(?:^|\/)phpcs\.xml(?:\.dist)?$|(?:^|\/)\.php-cs-fixer[.\w]*$/, 'PHP code style is checked'],
  [/(?:^|\/)\.swiftlint\.ya?ml$/, 'Swift is linted with SwiftLint'],
  [/(?:^|\/)\.pre-commit-config\.ya?ml$/, 'Checks run before each commit (pre-commit)'],
];

function configuration(input: MineInput): Discovery[] {
  const made: Discovery[] = [];
  for (const { path, mtimeMs } of input.view.files) {
    for (const [pattern, sentence] of TOOLS)
      if (pattern.test(path))
        made.push(
          discovered(
            input,
            'rule',
            `${sentence} (${path}).`,
            'config',
            0.7,
            { path, startLine: 1, endLine: 1 },
            mtimeMs,
          ),
        );
  }
  for (const { path, text, mtimeMs } of filesMatching(input, /(?:^|\/)\.editorconfig$/)) {
    const settings = text
      .split(/\r?\n/)
      .filter((line) => /^\s*(?:indent_style|indent_size|max_line_length|end_of_line|charset)\s*=/.test(line))
      .map((line) => line.trim());
    if (settings.length > 0)
      made.push(
        discovered(
          input,
          'rule',
          `Editor settings: ${[...new Set(settings)].join(', ')}.`,
          'config',
          0.7,
          { path, startLine: 1 },
          mtimeMs,
        ),
      );
  }
  return made;
}

/** Markers in comments, found through the postings: only chunks that contain one are read. */
function comments(input: MineInput): Discovery[] {
  const { reader, view } = input;
  const files = new Set<number>();
  for (const term of ['todo', 'fixm', 'hack', 'xxx', 'deprecat']) {
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      if (file >= 0) files.add(file);
    }
  }
  const made: Discovery[] = [];
  for (const file of [...files].sort((a, b) => a - b)) {
    const { path, mtimeMs } = view.files[file]!;
    if (made.length >= MAX_PER_SOURCE) break;
    reader
      .text(view.contentOf[file]!)
      .split('\n')
      .forEach((line, i) => {
        if (line.length > 1000 || !/(?:\/\/|#|\/\*|\*|--|<!--|;|%|@|\[)/.test(line)) return;
        const marker = MARKER.exec(line);
        const deprecated = marker ? null : DEPRECATED.exec(line);
        const evidence = { path, startLine: i + 1, endLine: i + 1 };
        if (marker)
          made.push(
            discovered(
              input,
              'issue',
              `${marker[1]} in ${path}: ${marker[2]!.replace(/\*\/\s*$/, '')}`,
              'comment',
              0.6,
              evidence,
              mtimeMs,
            ),
          );
        else if (deprecated)
          made.push(
            discovered(
              input,
              'issue',
              `Deprecated in ${path}: ${(deprecated[1] || line).replace(/\*\/\s*$/, '').trim()}`,
              'comment',
              0.5,
              evidence,
              mtimeMs,
            ),
          );
      });
  }
  return made;
}

const FIX =
  /^(?:fix|bugfix|hotfix)\b|\bfix(?:es|ed)?\b.*\b(?:bug|crash|leak|race|deadlock|regression|panic|overflow|issue|error)\b|\b(?:crash|leak|race condition|deadlock|regression)\b/i;
const CHOICE =
  /\b(?:switch(?:ed)? (?:to|from)|replac(?:e|ed) .+ (?:with|by)|migrat(?:e|ed)|drop(?:ped)? support|adopt(?:ed)?|move(?:d)? (?:to|away)|deprecat(?:e|ed)|decid(?:e|ed)|in favou?r of|instead of)\b/i;

/** Reverts and fixes are issues that were seen before; switches and replacements are decisions. */
function history(input: MineInput): Discovery[] {
  const made: Discovery[] = [];
  for (const { id, dateMs, subject, body, isMerge } of input.commits) {
    if (made.length >= MAX_PER_SOURCE) break;
    const reverted = /^revert\b/i.test(subject);
    const type: DiscoveryType | null =
      reverted || FIX.test(subject) ? 'issue' : CHOICE.test(subject) ? 'decision' : null;
    if (!type || (isMerge && body.trim() === '')) continue;
    const why =
      body
        .split(/\n\s*\n/)
        // Git writes this sentence by itself; the reason comes after it.
        .find((paragraph) => !/^\s*This reverts commit \S+\s*$/.test(paragraph))
        ?.replace(/^(?:Signed-off-by|Co-authored-by|Change-Id|PiperOrigin).*$/gim, '')
        .trim() ?? '';
    made.push(
      discovered(
        input,
        type,
        why ? `${subject}: ${why.slice(0, 500)}` : subject,
        'commit',
        reverted ? 0.7 : 0.5,
        { commit: id },
        dateMs,
      ),
    );
  }
  return made;
}
