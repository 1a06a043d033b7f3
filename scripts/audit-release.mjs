/**
 * Run before a release: asks the registry for known vulnerabilities of the shipped packages. Exit code 0 only if the
 * registry answers and names none; 1 if it names some; 2 if no audit could be made, which is never a pass.
 */
import { spawnSync } from 'node:child_process';

const args = ['audit', '--omit=dev', '--json'];
// On Windows npm is a script, which needs a shell; the arguments are fixed.
const { stdout, stderr, error } = spawnSync('npm', args, {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
  shell: process.platform === 'win32',
});
const report = readReport(stdout);
const total = report?.metadata?.vulnerabilities?.total;
const packages = report?.metadata?.dependencies?.prod;

if (typeof total !== 'number' || !(packages > 0)) {
  const reason = error?.message ?? report?.message ?? report?.error?.summary ?? lastLine(stderr) ?? 'no report';
  console.error(
    `No audit was made, so this release is not audited: ${reason}\n` +
      'Run `npm run audit:release` again with a registry that answers audits (`npm config set registry …`).',
  );
  process.exit(2);
}
for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {}))
  console.error(`${name} ${range}: ${severity}`);
if (total > 0) {
  console.error(`${total} of ${packages} packages have known vulnerabilities: update them before the release.`);
  process.exit(1);
}
console.log(`No known vulnerability in ${packages} packages.`);

function readReport(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function lastLine(text) {
  return text?.trim().split('\n').at(-1) || null;
}
