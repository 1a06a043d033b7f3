/**
 * Source files that a seed makes up: plausible enough to give symbols, references and sections, different enough to be
 * told apart.
 */
import type { Random } from './scale.ts';

const NOUNS = ['order', 'cart', 'price', 'stock', 'parcel', 'label', 'route', 'refund', 'ledger', 'batch'];
const VERBS = ['load', 'save', 'merge', 'count', 'check', 'plan', 'send', 'close', 'split', 'trace'];
export const EXTENSIONS = ['ts', 'py', 'go', 'rs', 'md', 'json'] as const;
export type Extension = (typeof EXTENSIONS)[number];

function name(random: Random): string {
  return `${random.pick(VERBS)}_${random.pick(NOUNS)}_${random.below(500)}`;
}

export function madeUpFile(random: Random, extension: Extension, size = 6): string {
  const parts = Array.from({ length: 1 + random.below(size) }, () => part(random, extension));
  if (extension === 'json') return `{\n${parts.join(',\n')}\n}\n`;
  const head = extension === 'go' ? 'package made\n\n' : '';
  return `${head}${parts.join('\n')}`;
}

function part(random: Random, extension: Extension): string {
  const one = name(random);
  const other = name(random);
  const number = random.below(1000);
  switch (extension) {
    case 'ts':
      return `/** Will ${one.replaceAll('_', ' ')}. */\nexport function ${one}(a: number): number {\n  return ${other}(a) + ${number};\n}\n`;
    case 'py':
      return `def ${one}(a):\n    """Will ${one.replaceAll('_', ' ')}."""\n    return ${other}(a) + ${number}\n`;
    case 'go':
      return `// ${one} does what it says.\nfunc ${one}(a int) int {\n\treturn ${other}(a) + ${number}\n}\n`;
    case 'rs':
      return `/// Will ${one.replaceAll('_', ' ')}.\npub fn ${one}(a: i64) -> i64 {\n    ${other}(a) + ${number}\n}\n`;
    case 'md':
      return `## ${one.replaceAll('_', ' ')}\n\nSee ${other.replaceAll('_', ' ')}, which costs ${number}.\n`;
    case 'json':
      return `  "${one}_${number}": "${other}"`;
  }
}
