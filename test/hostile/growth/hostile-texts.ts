/**
 * Texts that a stranger would try on a scanner: one sign or two in turn without an end, openers that nothing closes, a real statement with
 * one place of it blown up. The same texts in every run.
 */
import type { MakeText } from './measure-growth.ts';
import type { Scanner } from './scanner.ts';

export interface HostileText {
  readonly name: string;
  readonly make: MakeText;
}

const SIGNS = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    'a',
    'A',
    '_',
    '0',
    'é',
    '\\',
    '/',
    '*',
    '#',
    '-',
    '=',
    ':',
    ';',
    ',',
    '.',
    '|',
    '&',
    '!',
    '?',
  ],
  ...['(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '`', '$', '@', '%', '~', '^', '+'],
  ...[
    '()',
    '[]',
    '{}',
    '<>',
    '""',
    "''",
    '``',
    '//',
    '/*',
    '*/',
    '<!--',
    '-->',
    '"""',
    "'''",
    '```',
    '---',
    '===',
    '::',
    '->',
    '=>',
    '${',
    '#{',
  ],
  ...[
    'a ',
    'a\n',
    'a.',
    'a:',
    'a: ',
    'a=',
    'a = ',
    'a,',
    'a(',
    'a[',
    'a<',
    'a{',
    '.a',
    '-a',
    '- ',
    '* ',
    '# ',
    '<a',
    '<a ',
    '</a',
    '&a',
    '\\"',
    '\\\n',
  ],
  ...[
    'a: a\n',
    'a = a\n',
    '[a]\n',
    '{\n',
    '}\n',
    '(\n',
    '"a\n',
    '- a\n',
    '# a\n',
    '<a>\n',
    '  a\n',
    '// a\n',
    '/* a\n',
    '-- a\n',
    ',\n',
    ';\n',
  ],
];
const PUMPS = [' ', '\n', 'a', 'a ', '(', '<', '{', '[', '"', "'", '.', ':', ',', '*', '-', '\\', '=', '/'];
const MAX_WORDS = 60;
const MAX_PAIRS = 60;
const MAX_PUMPED = 150;
const PUMPS_EACH = 4;

/** What can be made without a sample, and of the words and lines of one where there is one. */
export function hostileTexts(sample = ''): HostileText[] {
  const choose = chooser(sample.length);
  const words = choose([...new Set(sample.match(/[\w@#$%-]+|[^\w\s]+/g) ?? [])], MAX_WORDS);
  const units = [...SIGNS, ...words, ...words.map((word) => `${word} `), ...words.map((word) => `${word}\n`)];
  const pairs = Array.from({ length: MAX_PAIRS }, () => choose(units, 2).join(''));
  return [...new Set([...units, ...pairs])].map(repeated).concat(pumped(sample, choose));
}

/** Evenly chosen ones of all texts for a scanner, and those that it names itself. */
export function chosenTexts({ sample, repeats = [] }: Scanner, count: number): HostileText[] {
  const texts = hostileTexts(sample);
  const stride = Math.max(1, Math.ceil(texts.length / count));
  return [...texts.filter((_, i) => i % stride === 0), ...repeats.map(repeated)];
}

function repeated(unit: string): HostileText {
  return {
    name: `${JSON.stringify(unit)} repeated`,
    make: (size) => unit.repeat(Math.ceil(size / unit.length)),
  };
}

/** Real statements, alone and among the others, with one place between two words blown up. */
function pumped(sample: string, choose: Choose): HostileText[] {
  const lines = sample.split('\n').filter((line) => line.trim() !== '');
  const alone = choose(lines.flatMap(places), MAX_PUMPED);
  return [...alone, ...choose(places(sample), MAX_PUMPED)].flatMap(([before, after]) =>
    choose(PUMPS, PUMPS_EACH).map((pump) => ({
      name: `…${JSON.stringify(before.slice(-40))}, ${JSON.stringify(pump)} repeated, ${JSON.stringify(after.slice(0, 40))}…`,
      make: (size) => before + pump.repeat(Math.ceil(size / pump.length)) + after,
    })),
  );
}

/** Between any two words or signs, what stands before and after. */
function places(text: string): (readonly [before: string, after: string])[] {
  return [...text.matchAll(/\b|(?<=\W)(?=\W)|$/g)].map(({ index }) => [text.slice(0, index), text.slice(index)]);
}

type Choose = <T>(from: readonly T[], count: number) => T[];

/** Some of a list, in the same choice each time. */
function chooser(seed: number): Choose {
  let state = seed + 1;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  return (from, count) => {
    const rest = [...from];
    for (let i = rest.length - 1; i > 0; i--) {
      const other = Math.floor(next() * (i + 1));
      [rest[i], rest[other]] = [rest[other]!, rest[i]!];
    }
    return rest.slice(0, count);
  };
}
