/**
 * Parses argv into a command and its values. Flags may be anywhere; supported are `--flag value`, `--flag=value`, `-f
 * value`, grouped short flags, `--no-flag` for negatable flags, and `--` before words that begin with a dash.
 * Everything is checked against the records; nothing is guessed.
 */

import { nearestWord } from '../../model/text/nearest-word.ts';
import type { BooleanFlag, Command, FlagSpec, Flags, NumberFlag, Operands, ParsedCall } from './command.ts';
import { expandTilde } from './expand-tilde.ts';
import { GLOBAL_FLAGS, type GlobalValues } from './global-flags.ts';
import { quoted, UsageError } from './usage-error.ts';

export interface ParsedLine {
  /** Null if no command was named. */
  readonly command: Command | null;
  /** First words of a command group that are no command themselves ("memory"), for the group's help. */
  readonly prefix: string;
  readonly globals: GlobalValues;
  readonly call: ParsedCall;
}

type Value = boolean | number | string | readonly string[];

export function parseLine(argv: readonly string[], commands: readonly Command[]): ParsedLine {
  const { command, prefix, rest, unknown } = findCommand(argv, commands);
  // Reported before unknown flags: without a command, all flags are unknown.
  if (unknown !== null && !rest.some((word) => HELP.has(word)))
    throw prefix === '' ? unknownCommand(unknown, commands) : unknownSubcommand(prefix, unknown, commands);
  const flags: Flags = { ...GLOBAL_FLAGS, ...command?.flags };
  const where = command ? `sextant ${command.name}` : 'sextant';
  const { values, words } = readFlags(rest, flags, where);
  const globals = values as unknown as GlobalValues;
  const asksForHelp = globals.help === true || globals.version === true;
  if (!command && prefix === '' && words.length > 0 && !asksForHelp) throw unknownCommand(words[0]!, commands);
  if (!command && prefix !== '' && words.length > 0 && !asksForHelp)
    throw unknownSubcommand(prefix, words[0]!, commands);
  const operands = command && !asksForHelp ? readOperands(words, command.operands, where) : {};
  return { command, prefix, globals, call: { flags: values, operands } };
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/** The command is the longest run of leading words (flags skipped) that names one. */
function findCommand(argv: readonly string[], commands: readonly Command[]) {
  const names = new Map(commands.map((c) => [c.name, c]));
  const rest = [...argv];
  let prefix = '';
  let i = 0;
  while (i < rest.length) {
    const word = rest[i]!;
    if (word === '--') break;
    if (word.startsWith('-') && word !== '-') {
      i += takesNext(word, commands) ? 2 : 1;
      continue;
    }
    const name = prefix ? `${prefix} ${word}` : word;
    if (names.has(name)) {
      rest.splice(i, 1);
      return { command: names.get(name)!, prefix: '', rest, unknown: null };
    }
    if (!commands.some((c) => c.name.startsWith(`${name} `))) return { command: null, prefix, rest, unknown: word };
    prefix = name;
    rest.splice(i, 1);
  }
  return { command: null, prefix, rest, unknown: null };
}

/**
 * Before the command is known, a flag may belong to any command; a flag with a value takes the next word, whichever
 * command it belongs to.
 */
function takesNext(word: string, commands: readonly Command[]): boolean {
  const all = [GLOBAL_FLAGS as Flags, ...commands.map(({ flags }) => flags)].flatMap((flags) => Object.entries(flags));
  const named = all.filter(([name, spec]) => word === `--${name}` || word === `-${spec.short}`);
  return named.length > 0 && named.every(([, spec]) => spec.kind !== 'boolean');
}

function readFlags(argv: readonly string[], flags: Flags, where: string) {
  const values: Record<string, Value> = {};
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    for (const { name, spec, attached, negated } of flagsOf(word, flags, where)) {
      if (spec.kind === 'boolean') {
        if (attached !== undefined) throw new UsageError(`--${name} takes no value.`, helpFix(where));
        values[name] = !negated;
        continue;
      }
      const text = attached ?? argv[++i];
      if (text === undefined) throw new UsageError(`--${name} needs a value: --${name} ${spec.value}.`, helpFix(where));
      values[name] = readValue(name, spec, text, values[name], where);
    }
  }
  return { values, words };
}

interface Seen {
  readonly name: string;
  readonly spec: FlagSpec;
  readonly attached: string | undefined;
  readonly negated: boolean;
}

function flagsOf(word: string, flags: Flags, where: string): Seen[] {
  const equals = word.indexOf('=');
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  const bare = equals < 0 ? word : word.slice(0, equals);
  if (bare.startsWith('--')) {
    const name = bare.slice(2);
    const spec = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (spec) return [{ name, spec, attached, negated: false }];
    const positive = name.startsWith('no-') ? name.slice(3) : '';
    const opposite = Object.hasOwn(flags, positive) ? flags[positive] : undefined;
    if (opposite?.kind === 'boolean' && opposite.negatable)
      return [{ name: positive, spec: opposite, attached, negated: true }];
    throw unknownFlag(bare, flags, where);
  }
  const letters = [...bare.slice(1)];
  return letters.map((letter, index) => {
    const entry = Object.entries(flags).find(([, spec]) => spec.short === letter);
    if (!entry) throw unknownFlag(`-${letter}`, flags, where);
    const last = index === letters.length - 1;
    if (!last && entry[1].kind !== 'boolean')
      throw new UsageError(`-${letter} needs a value, so it must come last in ${quoted(bare)}.`, helpFix(where));
    return { name: entry[0], spec: entry[1], attached: last ? attached : undefined, negated: false };
  });
}

function readValue(
  name: string,
  spec: Exclude<FlagSpec, BooleanFlag>,
  text: string,
  before: Value | undefined,
  where: string,
): Value {
  if (isNumberFlag(spec)) {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const whole = spec.kind === 'number' || Number.isInteger(value);
    if (!Number.isFinite(value) || !whole || value < spec.min || value > spec.max)
      throw new UsageError(
        `--${name} must be a ${spec.kind === 'integer' ? 'whole ' : ''}number from ${spec.min} to ${spec.max}, ` +
          `not ${quoted(text)}.`,
        helpFix(where),
      );
    return value;
  }
  const empty = () => new UsageError(`--${name} needs a value: --${name} ${spec.value}.`, helpFix(where));
  if (text === '' && !(spec.kind === 'string' && spec.mayBeEmpty)) throw empty();
  if (spec.kind === 'string') {
    checkChoice(`--${name}`, spec.choices, text, where);
    return spec.completes ? expandTilde(text) : text;
  }
  const parts = spec.commas
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [text];
  // A list of commas only would not filter at all.
  if (parts.length === 0) throw empty();
  for (const part of parts) checkChoice(`--${name}`, spec.choices, part, where);
  return [...((before as readonly string[] | undefined) ?? []), ...parts];
}

function isNumberFlag(spec: FlagSpec): spec is NumberFlag {
  return spec.kind === 'integer' || spec.kind === 'number';
}

function checkChoice(what: string, choices: readonly string[] | undefined, text: string, where: string): void {
  if (!choices || choices.includes(text)) return;
  const near = nearestWord(text, choices);
  const hint = near ? ` Did you mean ${near}?` : '';
  throw new UsageError(`${what} must be one of ${choices.join(', ')}, not ${quoted(text)}.${hint}`, helpFix(where));
}

function readOperands(words: readonly string[], operands: Operands, where: string): ParsedCall['operands'] {
  const values: Record<string, string | readonly string[]> = {};
  let at = 0;
  for (const [name, spec] of Object.entries(operands)) {
    const taken = spec.rest || spec.many ? words.slice(at) : words.slice(at, at + 1);
    at += taken.length;
    if (taken.length === 0) {
      if (spec.required) throw new UsageError(`${spec.value} is missing: ${where} ${spec.value}.`, helpFix(where));
      continue;
    }
    const read = (text: string) => {
      checkChoice(spec.value, spec.choices, text, where);
      return spec.completes === 'folder' || spec.completes === 'file' ? expandTilde(text) : text;
    };
    values[name] = spec.many ? taken.map(read) : read(taken.join(' '));
  }
  if (at < words.length)
    throw new UsageError(`${where} does not know what to do with ${quoted(words[at]!)}.`, helpFix(where));
  return values;
}

function unknownCommand(word: string, commands: readonly Command[]): UsageError {
  const near = nearestWord(word, new Set(commands.map((c) => c.name.split(' ')[0]!)));
  // After `--`, every word is an operand of a command that was not named.
  if (near === word) return new UsageError('The command comes before --.', `Run \`sextant ${word} …\`.`);
  const hint = near ? ` Did you mean \`sextant ${near}\`?` : '';
  return new UsageError(`There is no command ${quoted(word)}.${hint}`, 'Run `sextant help` for the list of commands.');
}

function unknownSubcommand(prefix: string, word: string, commands: readonly Command[]): UsageError {
  const below = commands.filter((c) => c.name.startsWith(`${prefix} `)).map((c) => c.name.slice(prefix.length + 1));
  const near = nearestWord(word, below);
  const hint = near ? ` Did you mean \`sextant ${prefix} ${near}\`?` : '';
  return new UsageError(
    `There is no command ${quoted(`${prefix} ${word}`)}.${hint}`,
    `Use one of: ${below.map((name) => `sextant ${prefix} ${name}`).join(', ')}.`,
  );
}

/** Commands that serve or update an index take --workspace, others take --path: users try one in place of the other. */
const OTHER_WORD: Readonly<Record<string, string>> = { '--path': '--workspace', '--workspace': '--path' };

function unknownFlag(flag: string, flags: Flags, where: string): UsageError {
  const known = Object.entries(flags).flatMap(([name, spec]) =>
    spec.kind === 'boolean' && spec.negatable ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );
  const other = known.find((name) => name === OTHER_WORD[flag]);
  const near = other ?? (flag.startsWith('--') ? nearestWord(flag, known) : null);
  const hint = near ? ` Did you mean ${near}?` : '';
  return new UsageError(
    `${where} has no flag ${quoted(flag)}.${hint}`,
    `${helpFix(where)} Put -- before words that begin with a dash.`,
  );
}

function helpFix(where: string): string {
  return `Run \`${where} --help\` for its flags and examples.`;
}
