import { render } from 'preact';
import { AnswerPage } from './answer-page.tsx';
import { connectHost, type Host, type ToolAnswer } from './connect-host.ts';
import type { Shown } from './follow.ts';
import type { Json } from './json-value.ts';

const root = document.getElementById('app')!;
let host: Host | undefined;
let args: Json = {};
let result: ToolAnswer | undefined;

function draw(): void {
  if (!host || !result) return;
  const { structuredContent: answer, isError, content } = result;
  if (isError || !answer) {
    const words = content?.find(({ type }) => type === 'text')?.text ?? 'The tool gave no answer.';
    render(<p class="answer-view">{words}</p>, root);
    return;
  }
  const first: Shown = { tool: host.tool || toolOf(answer), args, answer };
  render(<AnswerPage host={host} first={first} />, root);
}

/** Recognises the tool by the fields of its answer, if the client does not name it. */
function toolOf(answer: Json): string {
  if ('question' in answer) return 'code_research';
  return 'detail' in answer ? 'locate_symbol' : 'search_code';
}

const connecting = connectHost({
  input: (given) => {
    args = given;
    draw();
  },
  result: (given) => {
    result = given;
    draw();
  },
  cancelled: (reason) => render(<p class="answer-view soft">The call was cancelled. {reason}</p>, root),
  theme: (theme) => {
    document.documentElement.dataset.scheme = theme;
  },
});
void connecting.then((connected) => {
  host = connected;
  draw();
});
