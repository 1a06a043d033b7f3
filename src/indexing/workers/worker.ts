/** Entry of a worker process: derives batches until its parent asks it to stop or goes away. */
import { prepareParserRuntime } from '../../languages/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { createDeriver, type Deriver, type DeriverSetup } from '../deriving/deriver.ts';
import { leaveLexersUnoptimised } from './v8-flags.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

let deriver: Promise<Deriver> | null = null;
const send = (message: FromWorker) => process.send?.(message);
const sendBroken = (error: unknown) => {
  // The parent puts its own words around the reason.
  const short = error instanceof EngineError && error.code === 'out_of_memory' ? String(error.data.reason) : null;
  send({ type: 'broken', reason: short ?? (error instanceof Error ? error.message : String(error)) });
};

process.on('message', (message: ToWorker) => {
  if (message.type === 'setup') {
    deriver = start(message.setup);
    deriver.then(() => send({ type: 'ready' }), sendBroken);
    return;
  }
  if (message.type === 'expect') void prepare(message.paths);
  else void runBatch(message);
});
// The parent is gone and will not read any result.
process.on('disconnect', () => process.exit(0));

async function start(setup: DeriverSetup): Promise<Deriver> {
  await prepareParserRuntime(setup.grammarFolder);
  leaveLexersUnoptimised();
  return createDeriver(setup);
}

/** A failure to load is reported when a file needs the grammar. */
async function prepare(paths: readonly string[]): Promise<void> {
  await deriver?.then((made) => made.expect(paths)).catch(() => undefined);
}

/**
 * A message a file is a good part of what the parent has to do: where no file is suspected, one now and then shows that
 * there is life.
 */
const LIFE_SIGN_MS = 1_000;

async function runBatch(message: Extract<ToWorker, { type: 'batch' }>): Promise<void> {
  let lastReportMs = performance.now();
  const onFile = (path: string) => {
    if (!message.careful && performance.now() - lastReportMs < LIFE_SIGN_MS) return;
    send({ type: 'file', path });
    lastReportMs = performance.now();
  };
  try {
    const result = await (await deriver!).derive(message.jobs, onFile);
    send({ type: 'result', result });
  } catch (error) {
    sendBroken(error);
  }
}
