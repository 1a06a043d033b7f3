/** The text of a research answer: its sentences, the code that proves each, and follow-up questions. */
import type { ResearchEvidence } from '../../../../model/records/query.ts';
import { Snippet } from '../../code/snippet.tsx';
import { fileAddress, to } from '../../data/addresses.ts';
import { languageOf } from '../../data/language-of.ts';

/** Renders the summary: lines that begin with a dash are a list, indented by depth. Places become links. */
export function Sentences({ summary }: { readonly summary: string }) {
  return (
    <div class="sentences">
      {summary.split('\n').map((line, i) => {
        const [, indent = '', words = line] = /^(\s*)- (.*)$/.exec(line) ?? [];
        const isItem = words !== line;
        return (
          <p key={i} class={isItem ? `item depth-${Math.min(6, indent.length / 2)}` : ''}>
            <WithPlaces text={words} />
          </p>
        );
      })}
    </div>
  );
}

const PLACE = /([\w@.+-]+(?:\/[\w@.+-]+)*\.\w+):(\d+)/g;

function WithPlaces({ text }: { readonly text: string }) {
  const parts = text.split(PLACE);
  return (
    <>
      {parts.map((part, i) => {
        if (i % 3 === 0) return part;
        if (i % 3 === 2) return null;
        return (
          <a key={i} class="stop place" href={fileAddress(part, parts[i + 1])}>
            {part}:{parts[i + 1]}
          </a>
        );
      })}
    </>
  );
}

export interface EvidenceProps {
  readonly evidence: readonly ResearchEvidence[];
  /** True if the evidence was cut to the answer's size. */
  readonly isCut: boolean;
}

export function Evidence({ evidence, isCut }: EvidenceProps) {
  if (evidence.length === 0) return null;
  return (
    <>
      <h2>In the code</h2>
      <ol class="ribbon">
        {evidence.map((each, i) => (
          <Step key={i} evidence={each} />
        ))}
      </ol>
      {isCut && <p class="soft">There is more than is shown.</p>}
    </>
  );
}

function Step({ evidence }: { readonly evidence: ResearchEvidence }) {
  const { path, why } = evidence;
  // The lines around the place may begin with empty ones.
  const [empty] = /^(?:[ \t]*\n)*/.exec(evidence.snippet)!;
  const startLine = evidence.startLine + empty.split('\n').length - 1;
  const snippet = evidence.snippet.slice(empty.length);
  return (
    <li>
      <header>
        <strong>{why}</strong>
        <a class="stop place" href={fileAddress(path, String(startLine))}>
          {path}:{startLine}
        </a>
      </header>
      <Snippet path={path} language={languageOf(path)} startLine={startLine} content={snippet} maxLines={8} />
    </li>
  );
}

export function NextQuestions({ questions }: { readonly questions: readonly string[] }) {
  if (questions.length === 0) return null;
  return (
    <>
      <h2>Ask next</h2>
      <ul class="plain-list">
        {questions.map((question) => (
          <li key={question}>
            <a class="stop" href={to('search', { q: question })}>
              {question}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
