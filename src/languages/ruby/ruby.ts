import type { ImportRecord, SymbolKind, SymbolRecord, Visibility } from '../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../language.ts';
import { rubyImports } from './imports.ts';
import { rubyNames } from './names.ts';
import { rubyPaths } from './paths.ts';
import { rubyTests } from './test-runner.ts';

/** Keywords that the grammar reads as calls: declarations and control flow. */
const NOT_CALLS = new Set(
  (
    'private public protected module_function private_class_method private_constant public_class_method ' +
    'attr_accessor attr_reader attr_writer ' +
    'include extend prepend require require_relative autoload load raise lambda proc puts p print loop ' +
    'block_given? belongs_to has_many has_one scope alias_method define_method binding'
  ).split(' '),
);

export const ruby: LanguageDescriptor = {
  id: 'ruby',
  name: 'Ruby',
  aliases: ['rb'],
  extensions: ['.rb', '.rake', '.gemspec', '.ru', '.rbw', '.jbuilder', '.podspec', '.thor', '.rbi'],
  fileNames: [
    'Rakefile',
    'Gemfile',
    'Guardfile',
    'Capfile',
    'Vagrantfile',
    'Podfile',
    'Fastfile',
    'Appfile',
    'Brewfile',
    'Dangerfile',
    'Thorfile',
    'Puppetfile',
    'Berksfile',
  ],
  paths: rubyPaths,
  interpreters: ['ruby', 'jruby', 'rake'],
  family: 'code',
  comments: 'hash',
  grammar: 'ruby',
  separator: '::',
  lineComment: '#',
  blockComment: ['=begin', '=end'],
  doc: 'comment-before',
  commentNodes: ['comment'],
  wrapperNodes: [],
  bodyNodes: ['body_statement'],
  markedKinds: ['method', 'property'],
  visibilityOf: (declaration) =>
    (/^(private|protected)\b/.exec(declaration)?.[1] as Visibility | undefined) ?? 'public',
  kindOf: (kind, _name, parentKind) => (kind === 'method' && parentKind === null ? 'function' : kind),
  nameOf: (raw) => raw.replace(/^:?["']?|["']$/g, '').replace(/\s+/g, ' '),
  qualify,
  readImports,
  keepReference: (name, receiver) => receiver !== '' || !NOT_CALLS.has(name),
  refine,
  names: rubyNames,
  imports: rubyImports,
  tests: rubyTests,
  strings: { multiline: true, interpolation: /#\{/g },
};

/**
 * The notation of Ruby's documentation: `A::B` for modules and constants, `A::B#m` for instance methods, `A::B.m` for
 * class methods.
 */
function qualify(outer: string, receiver: string, name: string, kind: SymbolKind): string {
  if (receiver && kind === 'method') {
    const owner = receiver === 'self' ? outer : receiver;
    return owner ? `${owner}.${name}` : name;
  }
  const path = [outer, receiver].filter(Boolean).join('::');
  if (!path) return name;
  return kind === 'method' || kind === 'property' ? `${path}#${name}` : `${path}::${name}`;
}

function readImports(statement: string): Omit<ImportRecord, 'line'>[] {
  const match = /^(\w+)[\s(]+(?::(\w+),\s*)?(?:["']([^"'#]+)["']|File\.(?:expand_path|join)\(\s*["']([^"']+)["'])/.exec(
    statement,
  );
  if (!match) return [];
  const written = match[3] ?? match[4]!;
  // A relative path gets `./`, as in other languages.
  const source = match[1] === 'require_relative' && !written.startsWith('.') ? `./${written}` : written;
  return [{ source, alias: '', names: match[2] ? [{ name: match[2], local: match[2] }] : [] }];
}

const LATER =
  /^[ \t]*(private|protected|public|private_class_method|private_constant|module_function)[ (]+(:["\w][^\n]*)$/gm;

/**
 * Removes from signatures the `end` of an empty body and the block of a defining call, and applies `private :a, :b`,
 * which follows the definitions.
 */
function refine(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  const trimmed = symbols.map((symbol) => {
    const signature = symbol.signature
      .replace(/^((?:define_(?:singleton_)?method|scope|task)\b.*?)(?:\s*\{.*|\s+do\b.*)$/, '$1')
      .replace(/,?\s*->$|[;\s]+end$|;$/, '');
    return signature === symbol.signature ? symbol : { ...symbol, signature };
  });
  return applyLaterVisibility(trimmed, text);
}

function applyLaterVisibility(symbols: readonly SymbolRecord[], text: string): readonly SymbolRecord[] {
  if (!text.includes('private ') && !text.includes('protected :') && !text.includes('private_')) return symbols;
  const changes = new Map<number, Visibility>();
  let line = 1;
  let at = 0;
  for (const match of text.matchAll(LATER)) {
    for (; at < match.index; at++) if (text.charCodeAt(at) === 10) line++;
    const word = match[1]!;
    if (word === 'module_function') continue;
    const visibility: Visibility = word.startsWith('private') ? 'private' : (word as Visibility);
    const names = new Set([...match[2]!.matchAll(/:["']?([\w?!=]+)/g)].map((name) => name[1]!));
    const isSingleton = word === 'private_class_method';
    symbols.forEach((symbol, index) => {
      const parent = symbols[symbol.parent];
      const inScope = parent ? parent.startLine <= line && line <= parent.endLine : true;
      const isOfClass = symbol.qualifiedName.endsWith(`.${symbol.name}`);
      const fits =
        word === 'private_constant'
          ? symbol.kind !== 'method'
          : symbol.kind !== 'constant' && isOfClass === isSingleton;
      if (inScope && fits && names.has(symbol.name)) changes.set(index, visibility);
    });
  }
  if (changes.size === 0) return symbols;
  return symbols.map((symbol, index) => (changes.has(index) ? { ...symbol, visibility: changes.get(index)! } : symbol));
}
