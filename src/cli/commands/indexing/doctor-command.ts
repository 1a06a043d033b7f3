import type { CheckResult, Engine } from '../../../engine/engine.ts';
import { toEngineError } from '../../../model/records/engine-errors.ts';
import { defaultSettings } from '../../config/load-config.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG } from '../../parsing/project-flags.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';
import type { Screen, Session } from '../../running/command-session.ts';

const REINSTALL =
  'Run `npm ci` (or reinstall the package) on this machine: a package is missing, or made for another system.';

export const doctor = defineCommand({
  name: 'doctor',
  group: 'setup',
  summary: 'Check everything that Sextant needs, and name the fix for each failure',
  operands: {},
  flags: { path: PATH_FLAG, format: FORMAT_FLAG },
  examples: [
    { line: 'sextant doctor', meaning: 'this machine and the project in this folder' },
    { line: 'sextant doctor --format json', meaning: 'for a report' },
  ],
  details: 'Exit code 1 when a check fails; warnings alone give 0.',
  json: [
    { field: 'ok', meaning: 'false when a check failed' },
    { field: 'checks[].name', meaning: 'what was checked' },
    { field: 'checks[].status', meaning: '`ok`, `warn` or `fail`' },
    { field: 'checks[].detail', meaning: 'what was found' },
    { field: 'checks[].fix', meaning: 'what to do, or null' },
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const configuration = await checkConfiguration(session, path);
    const checks = [configuration, ...(await checkEngine(session, path, configuration.status !== 'fail'))];
    const failed = checks.some((check) => check.status === 'fail');
    const data = {
      ok: !failed,
      checks: checks.map(({ name, status, detail, fix }) => ({ name, status, detail, fix })),
    };
    await printAnswer(session, flags.format, data, (screen) => render(checks, screen));
    return failed ? 1 : 0;
  },
});

/** A broken configuration or provider must not prevent the other checks. */
async function checkEngine(session: Session, path: string, configured: boolean): Promise<readonly CheckResult[]> {
  const failed: CheckResult[] = [];
  if (configured) {
    const engine = await opened(session.engine(path), failed);
    if (engine) return engine.doctor(path);
    if (failed.some(({ name }) => name === 'packages')) return failed;
  }
  const engine = await opened(session.outside.openEngine(defaultSettings(session.dataFolder), 'once'), failed);
  if (!engine) return failed;
  try {
    return [...failed, ...(await engine.doctor(path))];
  } finally {
    await engine.close();
  }
}

async function opened(opening: Promise<Engine>, failed: CheckResult[]): Promise<Engine | null> {
  try {
    return await opening;
  } catch (thrown) {
    const { code, message, fix, data } = toEngineError(thrown);
    const name = data.kind === 'embedding' ? 'embedding provider' : String(data.kind ?? 'providers');
    failed.push(
      code === 'unsupported'
        ? { name: 'packages', status: 'fail', detail: message, fix: REINSTALL }
        : { name, status: 'fail', detail: message, fix },
    );
    return null;
  }
}

async function checkConfiguration(session: Session, path: string): Promise<CheckResult> {
  try {
    const { files, warnings } = await session.settings(path);
    if (warnings.length > 0)
      return {
        name: 'configuration',
        status: 'warn',
        detail: warnings.join(' '),
        fix: 'Move the setting to your own configuration.',
      };
    return { name: 'configuration', status: 'ok', detail: files.length > 0 ? files.join(', ') : 'defaults', fix: null };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      name: 'configuration',
      status: 'fail',
      detail: message,
      fix: 'Correct the file, or pass another one with --config.',
    };
  }
}

function render(checks: readonly CheckResult[], screen: Screen): string[] {
  const { style } = screen;
  const marks = { ok: style.green('✓'), warn: style.yellow('!'), fail: style.red('✗') };
  const rows = alignRows(checks.map((c) => [`${marks[c.status]} ${c.name}`, printableLine(c.detail)]));
  const lines: string[] = [];
  checks.forEach((check, i) => {
    lines.push(rows[i]!);
    if (check.fix && check.status !== 'ok') lines.push(`  ${style.cyan('fix:')} ${printableLine(check.fix)}`);
  });
  const failed = checks.filter((c) => c.status === 'fail').length;
  const warned = checks.filter((c) => c.status === 'warn').length;
  lines.push('');
  if (failed > 0) lines.push(style.red(`${failed} of ${checks.length} checks failed.`));
  else if (warned > 0) lines.push(`No check failed; ${warned} of ${checks.length} have a warning.`);
  else lines.push(style.green(`All ${checks.length} checks passed.`));
  return lines;
}
