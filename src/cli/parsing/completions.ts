/** Generates shell completions from the records: commands, subcommands, flags, choices, folders and files. */
import type { Command, FlagSpec, Flags, OperandSpec } from './command.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === 'bash') return bash(commands);
  return shell === 'zsh' ? zsh(commands) : fish(commands);
}

function longFlags(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, spec]) =>
    spec.kind === 'boolean' && spec.negatable ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );
}

function choicesOf(spec: FlagSpec): readonly string[] {
  if (spec.kind !== 'string' && spec.kind !== 'list') return [];
  return spec.choices ?? spec.suggests ?? [];
}

function wordsOf(operand: OperandSpec, tree: ReadonlyMap<string, unknown>): readonly string[] {
  // Commands, and `configuration`, the one help page that is about no command.
  if (operand.completes === 'command') return [...tree.keys(), 'configuration'];
  return operand.choices ?? [];
}

/** Global flags that take a value: they may precede the command. */
const GLOBAL_WITH_VALUE = Object.entries(GLOBAL_FLAGS as Flags)
  .filter(([, spec]) => spec.kind !== 'boolean')
  .map(([name]) => `--${name}`);

/** Maps the first word of commands to the possible second words. */
function wordTree(commands: readonly Command[]) {
  const below = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first, second] = name.split(' ');
    if (!below.has(first!)) below.set(first!, []);
    if (second) below.get(first!)!.push(second);
  }
  return below;
}

function bash(commands: readonly Command[]): string {
  const tree = wordTree(commands);
  const cases = commands.map((command) => {
    const flags: Flags = { ...GLOBAL_FLAGS, ...command.flags };
    const words = Object.values(command.operands).flatMap((o) => wordsOf(o, tree));
    return `    '${command.name}') flags='${longFlags(flags).join(' ')}'; words='${words.join(' ')}' ;;`;
  });
  const values = new Map<string, string>();
  for (const command of commands)
    for (const [name, spec] of Object.entries({ ...GLOBAL_FLAGS, ...command.flags } as Flags)) {
      if (spec.kind === 'boolean') continue;
      const choices = choicesOf(spec);
      const completes = spec.kind === 'string' ? spec.completes : undefined;
      // For other values, offering files would be a wrong guess.
      const paths = completes ? `compgen ${completes === 'folder' ? '-d' : '-f'}` : 'compgen -W ""';
      values.set(`${command.name} --${name}`, choices.length > 0 ? `compgen -W '${choices.join(' ')}'` : paths);
    }
  const valueCases = [...values].map(
    ([key, how]) => `    '${key}') mapfile -t COMPREPLY < <(${how} -- "$cur"); return ;;`,
  );
  const subcommands = [...tree].filter(([, below]) => below.length > 0);
  return `# Sextant completions for bash. Load with: source <(sextant completions bash)
_sextant() {
  local cur prev command flags words i word
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  # bash takes --flag=value apart at the sign.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  command=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${GLOBAL_WITH_VALUE.join('|')})
        [[ \${COMP_WORDS[i+1]} == = ]] && ((i++))
        ((i++)); continue ;;
      -*) continue ;;
    esac
    if [[ -z $command ]]; then command=$word
    else
      case $command in
${subcommands.map(([first]) => `        '${first}') command="$command $word" ;;`).join('\n')}
      esac
      break
    fi
  done
  case "$command $prev" in
${valueCases.join('\n')}
  esac
  flags='${longFlags(GLOBAL_FLAGS).join(' ')}'; words=''
  case $command in
    '') words='${[...tree.keys()].join(' ')}' ;;
${subcommands.map(([first, below]) => `    '${first}') words='${below.join(' ')}' ;;`).join('\n')}
${cases.join('\n')}
  esac
  case $cur in
    -*) mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur") ;;
    *)
      if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
      else mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi ;;
  esac
}
complete -o filenames -F _sextant sextant
`;
}

function zsh(commands: readonly Command[]): string {
  const describe = (text: string) => text.replace(/'/g, '’').replace(/[[\]:\\]/g, (c) => `\\${c}`);
  const argument = (name: string, spec: FlagSpec): string[] => {
    const text = `[${describe(spec.help)}]`;
    if (spec.kind === 'boolean')
      return spec.negatable ? [`'--${name}${text}'`, `'--no-${name}${text}'`] : [`'--${name}${text}'`];
    const choices = choicesOf(spec);
    const completes = spec.kind === 'string' ? spec.completes : undefined;
    const action =
      choices.length > 0 ? `(${choices.join(' ')})` : completes === 'folder' ? '_files -/' : completes ? '_files' : '';
    const repeat = spec.kind === 'list' ? '*' : '';
    return [`'${repeat}--${name}=${text}:${spec.value.toLowerCase()}:${action}'`];
  };
  const tree = wordTree(commands);
  const functions = commands.map((command) => {
    const flags = Object.entries({ ...GLOBAL_FLAGS, ...command.flags } as Flags).flatMap(([n, s]) => argument(n, s));
    const operands = Object.values(command.operands).map((o) => {
      const words = wordsOf(o, tree);
      const action = words.length
        ? `(${words.join(' ')})`
        : o.completes === 'folder'
          ? '_files -/'
          : o.completes
            ? '_files'
            : '';
      return `'${o.rest || o.many ? '*' : ''}:${o.value.toLowerCase()}:${action}'`;
    });
    return `    '${command.name}') _arguments ${[...flags, ...operands].join(' ')} ;;`;
  });
  const globals = Object.entries(GLOBAL_FLAGS as Flags).flatMap(([n, s]) => argument(n, s));
  const subcommands = [...tree].filter(([, below]) => below.length > 0);
  const first = [...tree.keys()].map((name) => {
    const summary = commands.find((c) => c.name === name)?.summary ?? `${tree.get(name)!.join(', ')}`;
    return `'${name}:${describe(summary)}'`;
  });
  return `#compdef sextant
# Sextant completions for zsh. Save as _sextant in a folder of your $fpath, or: source <(sextant completions zsh)
_sextant() {
  local -a first
  local command
  first=(${first.join(' ')})
  # Flags may stand before the command.
  while (( CURRENT > 2 )) && [[ $words[2] == -* ]]; do
    if [[ $words[2] == (${GLOBAL_WITH_VALUE.join('|')}) ]]; then shift words; (( CURRENT-- )); fi
    shift words; (( CURRENT-- ))
  done
  if (( CURRENT < 2 )); then _files; return; fi
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then _arguments ${globals.join(' ')}; else _describe 'command' first; fi
    return
  fi
  command=$words[2]
  case $command in
${subcommands
  .map(
    ([name, below]) => `    '${name}')
      if (( CURRENT == 3 )); then compadd ${below.join(' ')}; return; fi
      command="$command $words[3]"; shift words; (( CURRENT-- )) ;;`,
  )
  .join('\n')}
  esac
  shift words; (( CURRENT-- ))
  case $command in
${functions.join('\n')}
  esac
}
# Out of a folder of $fpath this file is the function itself, called for the first time.
if [[ $funcstack[1] == _sextant ]]; then _sextant "$@"; else compdef _sextant sextant; fi
`;
}

function fish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
  const lines = [
    '# Sextant completions for fish. Save as ~/.config/fish/completions/sextant.fish',
    'complete -c sextant -f',
  ];
  const tree = wordTree(commands);
  for (const [name, below] of tree) {
    const summary = commands.find((c) => c.name === name)?.summary ?? below.join(', ');
    lines.push(`complete -c sextant -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`);
    if (below.length > 0)
      lines.push(
        `complete -c sextant -n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ` +
          `${below.join(' ')}' -a ${quote(below.join(' '))}`,
      );
  }
  const flagLine = (condition: string, name: string, spec: FlagSpec) => {
    const short = spec.short ? ` -s ${spec.short}` : '';
    const choices = choicesOf(spec);
    const completes = spec.kind === 'string' ? spec.completes : undefined;
    const value =
      spec.kind === 'boolean'
        ? ''
        : choices.length > 0
          ? ` -x -a ${quote(choices.join(' '))}`
          : completes === 'folder'
            ? " -x -a '(__fish_complete_directories)'"
            : completes
              ? ' -r -F'
              : ' -x';
    lines.push(`complete -c sextant${condition} -l ${name}${short}${value} -d ${quote(spec.help)}`);
    if (spec.kind === 'boolean' && spec.negatable)
      lines.push(`complete -c sextant${condition} -l no-${name} -d ${quote(spec.help)}`);
  };
  for (const [name, spec] of Object.entries(GLOBAL_FLAGS as Flags)) flagLine('', name, spec);
  for (const command of commands) {
    const [first, second] = command.name.split(' ');
    const seen = `__fish_seen_subcommand_from ${first}${second ? `; and __fish_seen_subcommand_from ${second}` : ''}`;
    for (const [name, spec] of Object.entries(command.flags)) flagLine(` -n '${seen}'`, name, spec);
    for (const operand of Object.values(command.operands)) {
      const words = wordsOf(operand, tree);
      if (words.length > 0) lines.push(`complete -c sextant -n '${seen}' -a ${quote(words.join(' '))}`);
      else if (operand.completes) lines.push(`complete -c sextant -n '${seen}' -F`);
    }
  }
  return `${lines.join('\n')}\n`;
}
