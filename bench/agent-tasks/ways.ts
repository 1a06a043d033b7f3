/**
 * Two ways to do a task, step by step until its facts are on screen: ripgrep and reading as an agent's own tools do it,
 * and Sextant over MCP.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { rgPath } = createRequire(import.meta.url)('@vscode/ripgrep') as { rgPath: string };
/** What an agent's own grep shows at most. */
const GREP_LINES = 100;
const INDEX_TIMEOUT_MS = 600_000;

interface Fact {
  readonly path: string;
  /** A name, or a text where the answer is no symbol. */
  readonly symbol: string;
}
type RipgrepStep =
  | { readonly rg: readonly string[] }
  | { readonly read: string; readonly from: number; readonly to: number };
interface SextantStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
export interface AgentTask {
  readonly repo: string;
  readonly kind: string;
  readonly task: string;
  readonly facts: readonly Fact[];
  readonly ripgrep: readonly RipgrepStep[];
  readonly sextant: readonly SextantStep[];
}

export interface Done {
  readonly tokens: number;
  readonly steps: number;
  /** Facts that never came on screen. */
  readonly missing: readonly string[];
}

export function tokensOf(text: string): number {
  return countTokens(text);
}

/** Runs steps until the facts are there: `step` gives what the agent sends and what it sees. */
async function until<T>(
  facts: readonly Fact[],
  steps: readonly T[],
  step: (each: T) => Promise<{ readonly sent: string; readonly seen: string }>,
): Promise<Done> {
  let screen = '';
  let tokens = 0;
  let taken = 0;
  const missing = () => facts.filter(({ path, symbol }) => !isShown(screen, path) || !isShown(screen, symbol));
  for (const each of steps) {
    if (missing().length === 0) break;
    const { sent, seen } = await step(each);
    screen += `\n${seen}`;
    tokens += tokensOf(sent) + tokensOf(seen);
    taken++;
  }
  return { tokens, steps: taken, missing: missing().map(({ path, symbol }) => `${path} ${symbol}`) };
}

/** As a word: `run` is not shown by `runner`. */
function isShown(screen: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(screen);
}

export async function doByRipgrep({ facts, ripgrep }: AgentTask, folder: string): Promise<Done> {
  return until(facts, ripgrep, async (step) => {
    const seen = 'rg' in step ? grep(step.rg, folder) : read(step, folder);
    return { sent: JSON.stringify(step), seen };
  });
}

function grep(args: readonly string[], folder: string): string {
  const { stdout } = spawnSync(
    rgPath,
    ['--sort', 'path', '--max-columns', '300', ...args, ...(hasPath(args, folder) ? [] : ['.'])],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const lines = stdout.trimEnd().replaceAll(/^\.\//gm, '').split('\n');
  return (
    lines.slice(0, GREP_LINES).join('\n') +
    (lines.length > GREP_LINES ? `\n… ${lines.length - GREP_LINES} more lines` : '')
  );
}

/** Without one, ripgrep in a process without a terminal reads its input. */
function hasPath(args: readonly string[], _folder: string): boolean {
  const operands = args.filter((arg, i) => !arg.startsWith('-') && !/^-(?:g|-max-count)$/.test(args[i - 1] ?? ''));
  return operands.length > 1;
}

function read(
  { read: path, from, to }: { readonly read: string; readonly from: number; readonly to: number },
  folder: string,
): string {
  const lines = readFileSync(join(folder, path), 'utf8').split('\n');
  const shown = lines.slice(from - 1, to).map((line, i) => `${from + i}\t${line}`);
  return [path, ...shown].join('\n');
}

export async function doBySextant(
  { facts, sextant }: AgentTask,
  client: Client,
  shows: 'structured' | 'text',
): Promise<Done> {
  return until(facts, sextant, async ({ tool, arguments: args }) => {
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    const [first] = result.content as { text?: string }[];
    const seen = shows === 'structured' ? JSON.stringify(result.structuredContent) : (first?.text ?? '');
    return { sent: JSON.stringify({ tool, ...args }), seen };
  });
}

/** The shipped command over stdio, with the project indexed. */
export async function openSextant(folder: string, home: string) {
  const client = new Client({ name: 'agent-tasks', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/main.js'), 'serve-mcp', '--workspace', folder],
      env: { ...process.env, SEXTANT_HOME: home } as Record<string, string>,
    }),
  );
  await client.callTool({ name: 'index_codebase', arguments: {} }, { timeout: INDEX_TIMEOUT_MS });
  return { client, close: () => client.close() };
}
