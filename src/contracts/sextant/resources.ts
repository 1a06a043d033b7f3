/** What can be read without calling a tool: status, map, files and symbols, under sextant:// addresses. */
import type { CallContext, Resources } from '../contract.ts';
import { mimeTypeOf } from '../file-links.ts';
import { presentDetail, presentStatus } from './present.ts';
import { project } from './tool-kit.ts';

export const STATUS_URI = 'sextant://status';
export const MAP_URI = 'sextant://map';
export const FILE_TEMPLATE = 'sextant://file/{+path}';
export const SYMBOL_TEMPLATE = 'sextant://symbol/{name}';

export function createResources(subscribe: (uri: string, changed: () => void) => () => void): Resources {
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
    read,
    subscribe,
  };
}

async function read(uri: string, ctx: CallContext) {
  const folder = await project(undefined, ctx);
  if (uri === STATUS_URI) return [json(uri, presentStatus(await ctx.engine.status(folder)))];
  if (uri === MAP_URI) return [{ uri, mimeType: 'text/markdown', text: await ctx.engine.map(folder) }];
  const [, kind, rest] = /^sextant:\/\/(file|symbol)\/(.+)$/s.exec(uri) ?? [];
  if (kind === undefined) return null;
  const name = decodeURIComponent(rest!);
  if (kind === 'file') {
    const file = await ctx.engine.readFile(folder, { path: name });
    return [{ uri, mimeType: mimeTypeOf(file.path), text: file.content }];
  }
  const [best] = (await ctx.engine.locate(folder, { name, limit: 1 })).symbols;
  return best ? [json(uri, presentDetail(await ctx.engine.symbol(folder, best.symbolId)))] : null;
}

function json(uri: string, value: unknown) {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}
