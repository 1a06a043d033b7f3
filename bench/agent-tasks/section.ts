/**
 * The section of docs/quality.md that `npm run bench:tasks` writes, so that `npm run bench:quality` leaves it as it is.
 */
const START = '## Tokens of everyday tasks';
const END = '<!-- end of the tasks -->';

/** The section as the document has it; '' where it has none. */
export function taskSection(document: string): string {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  return start < 0 || end < start ? '' : document.slice(start, end + END.length);
}

export function withTaskSection(document: string, table: string): string {
  const section = `${START}

Made by \`npm run bench:tasks -- --repos DIR --write\`: 25 tasks of a coding agent ("find where X is handled", "what calls Y", "what breaks if Z changes", "which setting controls W", "explain how A reaches B") in eight large repositories. Each task is a recorded list of calls, executed until the output has every fact (a path and a name) of the reference answer ([bench/agent-tasks](../bench/agent-tasks/tasks.json)). Ripgrep prints at most 100 lines; reading prints the lines around a match. The tokens of calls and answers are counted with o200k_base (\`gpt-tokenizer\`).

${table}

${END}`;
  const known = taskSection(document);
  return known === '' ? `${document.trimEnd()}\n\n${section}\n` : document.replace(known, () => section);
}
