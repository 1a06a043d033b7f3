/**
 * `tsx serve.ts [PORT]`: the fixtures over HTTP; `tsx serve.ts --stdio`: over standard input and output. Prints the
 * address to stderr.
 */
import type { Engine } from '../../src/engine/engine.ts';
import { serveHttp, serveStdio } from '../../src/transports/index.ts';
import { conformanceProfile } from './fixtures.ts';

// The fixtures have no use for an engine; a use of it is an error.
const engine = new Proxy({} as Engine, {
  get: (_target, name) => {
    if (name === 'then') return undefined;
    throw new Error(`The fixtures asked the engine for ${String(name)}.`);
  },
});
const options = {
  engine,
  workspace: null,
  version: '1.0.0',
  log: (level: string, message: string, fields?: Record<string, unknown>) => {
    if (level !== 'debug') console.error(level, message, fields ?? '');
  },
};
const [argument] = process.argv.slice(2);
if (argument === '--stdio') await serveStdio({ ...options, profile: conformanceProfile() });
else {
  const { url } = await serveHttp({
    ...options,
    profiles: [conformanceProfile()],
    host: '127.0.0.1',
    port: Number(argument ?? 0),
  });
  console.error(`${url}/mcp`);
}
