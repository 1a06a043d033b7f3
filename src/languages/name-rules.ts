/** How names work in a language, as far as resolving them goes. A language without an entry has only its files and their imports. */

export interface Traits {
  /** Languages that see each other's definitions. */
  readonly family: string;
  /** A bare name may be a member of the type around it. */
  readonly implicitSelf: boolean;
  /**
   * What is visible without an import: the files of the folder (Go), of the declared package, of the target (Swift), everything that has
   * a name at the top (C, Ruby, shell), or nothing.
   */
  readonly visible: 'folder' | 'package' | 'target' | 'global' | 'none';
  /** Types and functions may have several definitions of one name that differ in their parameters. */
  readonly overloads: boolean;
  /** A type may be continued in other files: extensions, impl blocks, partial and reopened classes, methods outside of their type. */
  readonly openTypes: boolean;
  /** How a variable says its type. */
  readonly declares: 'name-colon-type' | 'type-name' | 'name-type' | 'assignment';
}

const trait = (
  family: string,
  visible: Traits['visible'],
  declares: Traits['declares'],
  features: Partial<Pick<Traits, 'implicitSelf' | 'overloads' | 'openTypes'>> = {},
): Traits => ({ family, visible, declares, implicitSelf: false, overloads: false, openTypes: false, ...features });

const SCRIPT = trait('script', 'none', 'name-colon-type');
const TRAITS: Readonly<Record<string, Traits>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  jsx: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  python: trait('python', 'none', 'name-colon-type'),
  go: trait('go', 'folder', 'name-type', { openTypes: true }),
  rust: trait('rust', 'none', 'name-colon-type', { openTypes: true }),
  java: trait('jvm', 'package', 'type-name', { implicitSelf: true, overloads: true }),
  kotlin: trait('jvm', 'package', 'name-colon-type', { implicitSelf: true, overloads: true, openTypes: true }),
  scala: trait('jvm', 'package', 'name-colon-type', { implicitSelf: true, overloads: true, openTypes: true }),
  csharp: trait('csharp', 'package', 'type-name', { implicitSelf: true, overloads: true, openTypes: true }),
  c: trait('c', 'global', 'type-name', { openTypes: true }),
  cpp: trait('c', 'global', 'type-name', { implicitSelf: true, overloads: true, openTypes: true }),
  swift: trait('swift', 'target', 'name-colon-type', { implicitSelf: true, overloads: true, openTypes: true }),
  php: trait('php', 'package', 'type-name'),
  ruby: trait('ruby', 'global', 'assignment', { implicitSelf: true, openTypes: true }),
  elixir: trait('elixir', 'none', 'assignment', { overloads: true }),
  lua: trait('lua', 'global', 'assignment', { openTypes: true }),
  zig: trait('zig', 'none', 'name-colon-type', { implicitSelf: true }),
  dart: trait('dart', 'none', 'type-name', { implicitSelf: true, openTypes: true }),
  haskell: trait('haskell', 'none', 'assignment'),
  bash: trait('bash', 'global', 'assignment'),
  // Mixins: whoever is imported before sees them.
  css: trait('css', 'global', 'assignment'),
};

const OTHERS = new Map<string, Traits>();

export function traitsOf(language: string): Traits {
  const known = TRAITS[language] ?? OTHERS.get(language);
  if (known) return known;
  const made = trait(language, 'none', 'assignment');
  OTHERS.set(language, made);
  return made;
}
