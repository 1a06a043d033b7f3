import type { ScannedContent } from '../language.ts';
import { commentAbove, cutLines, lastFilled, ScanDraft } from '../runtime/scanning/scan-draft.ts';

/** Parser directives (`# syntax=`) are no comments. */
const COMMENT = /^\s*#+(?!\s*(?:syntax|escape|check)\s*=)\s?/;
const FROM = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i;

/**
 * Scans a Dockerfile: each FROM is a stage, build arguments and environment are constants, base images are imports,
 * COPY --from is a reference.
 */
export function scanDockerfile(all: readonly string[]): ScannedContent {
  const lines = cutLines(all);
  const draft = new ScanDraft();
  const stages = new Set<string>();
  let stage = -1;
  let stageStart = 0;
  let path: readonly string[] = [];
  const closeStage = (end: number) => {
    const last = lastFilled(lines, stageStart, end);
    if (stage >= 0) draft.end(stage, last + 1);
    if (end >= stageStart && lines[last]?.trim()) draft.section(path, stageStart + 1, last + 1);
  };
  let heredoc = '';
  let isContinued = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    // A heredoc may contain lines that look like instructions: `SELECT * \`, `FROM orders`.
    if (heredoc !== '') {
      if (line.trim() === heredoc) heredoc = '';
      continue;
    }
    heredoc = /^\s*(?:RUN|COPY|ADD)\s.*<<-?["']?(\w+)/i.exec(line)?.[1] ?? '';
    const begins = !isContinued;
    if (!COMMENT.test(line)) isContinued = /\\\s*$/.test(line);
    const from = begins ? FROM.exec(line) : null;
    if (from) {
      const { doc, first } = commentAbove(lines, i, COMMENT);
      closeStage(first - 1);
      const name = from[2] ?? from[1]!;
      const known = stages.has(from[1]!);
      stages.add(name);
      stage = draft.add({
        name,
        kind: 'module',
        signature: line,
        doc,
        fullStartLine: first + 1,
        startLine: i + 1,
        nameColumn: line.lastIndexOf(name) + 1,
      });
      if (known) draft.refer('inherit', from[1]!, '', i + 1, line.indexOf(from[1]!) + 1, stage);
      else draft.import(from[1]!, i + 1, from[2] ?? '');
      stageStart = first;
      path = [name];
      continue;
    }
    const constant = begins ? /^\s*(ARG|ENV)\s+([A-Za-z_]\w*)/i.exec(line) : null;
    if (constant) {
      const { doc, first } = commentAbove(lines, i, COMMENT);
      draft.add({
        name: constant[2]!,
        kind: 'constant',
        parent: stage,
        signature: line,
        doc,
        fullStartLine: first + 1,
        startLine: i + 1,
        nameColumn: constant[0].length - constant[2]!.length + 1,
      });
    }
    const copied = /--from=([\w.-]+)/.exec(line);
    if (copied) draft.refer('read', copied[1]!, '', i + 1, copied.index + 8, stage);
  }
  closeStage(lines.length - 1);
  return draft.finish();
}
