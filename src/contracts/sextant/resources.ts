/** Resources with sextant:// URIs: status, map, memory, skipped files, files and symbols. */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { CallContext, Resources } from '../contract.ts';
import { mimeTypeOf } from '../kit/file-links.ts';
import { readShownFile } from '../kit/read-shown-file.ts';
import { ANSWER_VIEW, readAnswerView } from './answer-view.ts';
import { presentDetail, presentDiscovery } from './present-answers.ts';
import { statusOf } from './tools/index-tools.ts';
import { project } from './tools/tool-kit.ts';

export const STATUS_URI = 'sextant://status';
export const MAP_URI = 'sextant://map';
const MEMORY_URI = 'sextant://memory';
const SKIPPED_URI = 'sextant://skipped';
const FILE_TEMPLATE = 'sextant://file/{+path}';
const SYMBOL_TEMPLATE = 'sextant://symbol/{name}';

const MAX_DISCOVERIES = 500;
const MAX_SKIPPED = 1000;

/**
 * `viewFile` is the view that shows answers. Clients find it through the tools, so the resource list does not contain
 * it.
 */
export function createResources(
  subscribe: (uri: string, changed: () => void) => () => void,
  viewFile: string | null,
): Resources {
  return {
    list: async () => [
      {
        uri: STATUS_URI,
        name: 'status',
        title: 'Index status',
        description: 'State, freshness and size of the index',
        mimeType: 'application/json',
      },
      {
        uri: MAP_URI,
        name: 'map',
        title: 'Repository map',
        description: 'Modules, their central files and symbols',
        mimeType: 'text/markdown',
      },
      {
        uri: MEMORY_URI,
        name: 'memory',
        title: 'Memory',
        description: 'Decisions, rules, patterns and issues, the newest first',
        mimeType: 'application/json',
      },
      {
        uri: SKIPPED_URI,
        name: 'skipped',
        title: 'Files left out',
        description: 'Files that are not indexed, each with the reason',
        mimeType: 'application/json',
      },
    ],
    templates: [
      { uriTemplate: FILE_TEMPLATE, name: 'file', title: 'File', description: 'A file of the project' },
      {
        uriTemplate: SYMBOL_TEMPLATE,
        name: 'symbol',
        title: 'Symbol',
        description: 'Source, callers, callees and tests of a symbol, by name or id',
        mimeType: 'application/json',
      },
    ],
    read: (uri, ctx) => (uri === ANSWER_VIEW ? readAnswerView(viewFile) : read(uri, ctx)),
    subscribe,
  };
}

async function read(uri: string, ctx: CallContext) {
  const folder = await project(undefined, ctx);
  if (uri === STATUS_URI) return [json(uri, await statusOf(ctx, folder))];
  if (uri === MAP_URI) return [{ uri, mimeType: 'text/markdown', text: await ctx.engine.map(folder) }];
  if (uri === MEMORY_URI) {
    const found = await ctx.engine.discoveries(folder);
    return [json(uri, { total: found.length, discoveries: found.slice(0, MAX_DISCOVERIES).map(presentDiscovery) })];
  }
  if (uri === SKIPPED_URI) {
    const files = await ctx.engine.skipped(folder);
    return [json(uri, { total: files.length, files: files.slice(0, MAX_SKIPPED) })];
  }
  const [, kind, rest] = /^sextant:\/\/(file|symbol)\/(.+)$/s.exec(uri) ?? [];
  if (kind === undefined) return null;
  const name = decoded(rest!);
  if (name === null) return null;
  if (kind === 'file') return readFile(uri, name, folder, ctx);
  const [best] = (await ctx.engine.locate(folder, { name, limit: 1 })).symbols;
  return best ? [json(uri, presentDetail(await ctx.engine.symbol(folder, best.symbolId)))] : null;
}

/** A file that may not be read is reported as missing. */
async function readFile(uri: string, path: string, folder: string, ctx: CallContext) {
  try {
    const file = await readShownFile(ctx.engine, folder, { path });
    return [{ uri, mimeType: mimeTypeOf(file.path), text: file.content }];
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'file_not_found' || error.code === 'path_forbidden'))
      return null;
    throw error;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function json(uri: string, value: unknown) {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}
