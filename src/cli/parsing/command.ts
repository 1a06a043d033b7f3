/**
 * The form of a command: one record from which parsing, help, completions, validation and docs/cli.md derive. A
 * command's `run` gets typed flags and operands and a Session; it never sees argv.
 */
import type { Session } from '../running/command-session.ts';

interface FlagBase {
  readonly help: string;
  /** One letter, used with a single dash. */
  readonly short?: string;
}
export interface BooleanFlag extends FlagBase {
  readonly kind: 'boolean';
  /** `--no-NAME` also exists and means false. */
  readonly negatable?: boolean;
}
export interface StringFlag extends FlagBase {
  readonly kind: 'string';
  /** The value's name in help: PATH, REF. */
  readonly value: string;
  readonly choices?: readonly string[];
  /** Values that completions offer; other values are accepted, too. */
  readonly suggests?: readonly string[];
  readonly completes?: 'folder' | 'file';
  /** An empty value is allowed and has a meaning of its own. */
  readonly mayBeEmpty?: boolean;
}
export interface NumberFlag extends FlagBase {
  readonly kind: 'integer' | 'number';
  readonly value: string;
  readonly min: number;
  readonly max: number;
}
export interface ListFlag extends FlagBase {
  readonly kind: 'list';
  readonly value: string;
  /** Values may be joined by commas; the flag may also be repeated. */
  readonly commas?: boolean;
  readonly choices?: readonly string[];
  readonly suggests?: readonly string[];
}
export type FlagSpec = BooleanFlag | StringFlag | NumberFlag | ListFlag;
export type Flags = Readonly<Record<string, FlagSpec>>;

export interface OperandSpec {
  readonly value: string;
  readonly help: string;
  readonly required?: boolean;
  /** Takes all remaining words, joined by spaces. */
  readonly rest?: boolean;
  /** Takes all remaining words, one by one. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: 'folder' | 'file' | 'command';
}
export type Operands = Readonly<Record<string, OperandSpec>>;

type FlagValue<F extends FlagSpec> = F extends BooleanFlag
  ? boolean
  : F extends NumberFlag
    ? number
    : F extends { readonly choices: readonly (infer C)[]; readonly kind: 'string' }
      ? C
      : F extends ListFlag
        ? readonly string[]
        : string;
type OperandValue<O extends OperandSpec> = O extends { readonly many: true }
  ? readonly string[] | undefined
  : O extends { readonly required: true }
    ? string
    : string | undefined;

export type FlagValues<F extends Flags> = { readonly [K in keyof F]: FlagValue<F[K]> | undefined };
export type OperandValues<O extends Operands> = { readonly [K in keyof O]: OperandValue<O[K]> };

/** A field of a command's JSON answer; `hits[].path` names a field of the members of a list. */
export interface JsonField {
  readonly field: string;
  readonly meaning: string;
}

interface Example {
  readonly line: string;
  readonly meaning: string;
}

export const GROUPS = {
  ask: 'Ask',
  workspaces: 'Projects and workspaces',
  index: 'Index',
  memory: 'Memory',
  serve: 'Serve agents',
  fleet: 'Fleet of repositories',
  setup: 'Set up',
} as const;
export type Group = keyof typeof GROUPS;

interface CommandFacts<F extends Flags, O extends Operands> {
  /** "search", or "memory list" for a command below another word. */
  readonly name: string;
  readonly group: Group;
  readonly summary: string;
  /** Details beyond the summary, for `--help` and docs/cli.md. */
  readonly details?: string;
  readonly operands: O;
  readonly flags: F;
  readonly examples: readonly Example[];
  /** The fields that `--format json` prints; absent if the command prints no JSON. */
  readonly json?: readonly JsonField[];
}

export interface ParsedCall {
  readonly flags: Readonly<Record<string, boolean | number | string | readonly string[] | undefined>>;
  readonly operands: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Command extends CommandFacts<Flags, Operands> {
  /** Resolves to the exit code. */
  invoke(call: ParsedCall, session: Session): Promise<number>;
}

/** Defines a command. `run` may return an exit code; without one, it is 0. */
export function defineCommand<const F extends Flags, const O extends Operands>(
  facts: CommandFacts<F, O> & {
    run(
      call: { readonly flags: FlagValues<F>; readonly operands: OperandValues<O> },
      session: Session,
      // biome-ignore lint/suspicious/noConfusingVoidType: a run without a code to return is the usual case
    ): Promise<number | void>;
  },
): Command {
  const { run, ...rest } = facts;
  return {
    ...rest,
    async invoke(call, session) {
      // parse-arguments.ts fills flags and operands from these records, so the types hold.
      const typed = call as { flags: FlagValues<F>; operands: OperandValues<O> };
      return (await run(typed, session)) ?? 0;
    },
  };
}
