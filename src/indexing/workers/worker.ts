/** The entry of a worker process: derives batches until its parent disconnects. */
import { prepareParserRuntime } from '../../languages/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { createDeriver, type Deriver, type DeriverSetup } from '../deriving/deriver.ts';
import { leaveLexersUnoptimised } from './v8-flags.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

let deriver: Promise<Deriver> | null = null;
const send = (message: FromWorker) => process.send?.(message);
const sendBroken = (error: unknown) => {
  // The parent adds its own message to the reason.
  const reason = error instanceof EngineError && error.code === 'out_of_memory' ? String(error.data.reason) : null;
  send({ type: 'broken', reason: reason ?? (error instanceof Error ? error.message : String(error)) });
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
// Without a parent nobody reads the results.
process.on('disconnect', () => process.exit(0));

async function start(setup: DeriverSetup): Promise<Deriver> {
  await prepareParserRuntime(setup.grammarFolder);
  leaveLexersUnoptimised();
  return createDeriver(setup);
}

/** Loads grammars ahead. A failure is ignored here; it is reported when a file needs the grammar. */
async function prepare(paths: readonly string[]): Promise<void> {
  await deriver?.then((made) => made.expect(paths)).catch(() => undefined);
}

/**
 * Interval of progress messages in an ordinary batch: one message per file would be a large part of the parent's work.
 * A careful batch sends one per file.
 */
const PROGRESS_MS = 1_000;

async function runBatch(message: Extract<ToWorker, { type: 'batch' }>): Promise<void> {
  let lastReportMs = performance.now();
  const onFile = (path: string) => {
    if (!message.careful && performance.now() - lastReportMs < PROGRESS_MS) return;
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
