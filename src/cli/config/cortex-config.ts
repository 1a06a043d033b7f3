/**
 * Settings of the cortex profile: the chunk folder and the embedding service, from `.cortex/config.yml`, overridden by
 * the environment. A file in a repository may name only an embedding service on this machine: a cloned repository must
 * not send queries to another machine.
 */
import { join, resolve } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { FileRefused, isMissing, readRepositoryFile } from '../../model/runtime/repository-file.ts';
import { isWithin } from '../../model/text/is-within.ts';
import { MAX_SETTINGS_LENGTH } from './settings.ts';

export interface CortexConfig {
  readonly chunksDir: string;
  /** The folder that the chunk folder must lie in; null if the user named the chunk folder. */
  readonly within: string | null;
  /** The variable or file that names the folder; null for the default. */
  readonly namedBy: string | null;
  readonly endpoint: string;
  readonly dimensions: number;
}

const CHUNKS_DIR = 'CORTEX_CHUNKS_DIR';
const ENDPOINT = 'CORTEX_EMBEDDING_ENDPOINT';
const DEFAULTS = { chunksDir: '.cortex/chunks', endpoint: 'http://localhost:8121/embed', dimensions: 384 } as const;
const MAX_DIMENSIONS = 16_384;

/** Throws invalid_config. */
export async function loadCortexConfig(
  workspace: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CortexConfig> {
  const file = join(workspace, '.cortex', 'config.yml');
  const { embedding, server } = await readSections(workspace, file);
  const refuse = (reason: string) => new EngineError('invalid_config', { path: file, reason });
  const text = (value: unknown, name: string): string | undefined => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value === '') throw refuse(`\`${name}\` must be text.`);
    return value;
  };
  const dir = text(server.chunks_dir, 'server.chunks_dir');
  const fileEndpoint = text(embedding.endpoint, 'embedding.endpoint');
  const endpoint = environment[ENDPOINT] || fileEndpoint;
  if (!environment[ENDPOINT] && fileEndpoint !== undefined && !isLocal(fileEndpoint))
    throw refuse(`\`embedding.endpoint\` is not on this machine; set ${ENDPOINT} to use it nevertheless.`);
  const dimensions = embedding.dimensions ?? DEFAULTS.dimensions;
  if (!Number.isInteger(dimensions) || (dimensions as number) < 1 || (dimensions as number) > MAX_DIMENSIONS)
    throw refuse(`\`embedding.dimensions\` must be a whole number from 1 to ${MAX_DIMENSIONS}.`);
  const namedFolder = environment[CHUNKS_DIR] || dir;
  const chunksDir = resolve(workspace, namedFolder ?? DEFAULTS.chunksDir);
  if (!environment[CHUNKS_DIR] && !isWithin(chunksDir, resolve(workspace)))
    throw refuse(`\`server.chunks_dir\` leads out of the project; set ${CHUNKS_DIR} to use it nevertheless.`);
  return {
    chunksDir,
    within: environment[CHUNKS_DIR] ? null : workspace,
    namedBy: environment[CHUNKS_DIR] ? CHUNKS_DIR : dir === undefined ? null : file,
    endpoint: endpoint ?? DEFAULTS.endpoint,
    dimensions: dimensions as number,
  };
}

interface Sections {
  readonly embedding: Readonly<Record<string, unknown>>;
  readonly server: Readonly<Record<string, unknown>>;
}

async function readSections(workspace: string, file: string): Promise<Sections> {
  let text: string;
  try {
    const options = { maxBytes: MAX_SETTINGS_LENGTH, links: 'inside' } as const;
    text = readRepositoryFile(workspace, join('.cortex', 'config.yml'), options).bytes.toString('utf8');
  } catch (error) {
    if (isMissing(error)) return { embedding: {}, server: {} };
    throw new EngineError('invalid_config', { path: file, reason: refusalOf(error as Error) }, error);
  }
  const { parseSettings } = await import('./parse-yaml.ts');
  let content: unknown;
  try {
    ({ content } = parseSettings(text));
  } catch (error) {
    throw new EngineError('invalid_config', { path: file, reason: `${(error as Error).message}.` }, error);
  }
  const whole = sectionOf(content, file, 'the file') ?? {};
  return {
    embedding: sectionOf(whole.embedding, file, '`embedding`') ?? {},
    server: sectionOf(whole.server, file, '`server`') ?? {},
  };
}

function refusalOf(error: Error): string {
  if (!(error instanceof FileRefused)) return error.message;
  if (error.reason !== 'too_large') return 'it is no regular file of the project.';
  return `its length is ${error.bytes}; settings take no more than ${MAX_SETTINGS_LENGTH} characters.`;
}

function sectionOf(value: unknown, path: string, section: string): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new EngineError('invalid_config', { path, reason: `${section} must hold settings.` });
}

function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
