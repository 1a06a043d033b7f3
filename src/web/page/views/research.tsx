/** The answer to a question about structure: what was found, in sentences, with the code that proves each. */
import type { ResearchAnswer, ResearchEvidence } from '../../../model/records/query.ts';
import { Snippet } from '../code/snippet.tsx';
import { fileAddress, to } from '../data/addresses.ts';
import { languageOf } from '../data/language-of.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Problem } from '../parts/frame/problem.tsx';
import { ResearchFigure } from '../parts/pictures/research-figure.tsx';

export interface ResearchProps {
  readonly query: string;
  readonly parameters: URLSearchParams;
}

const TITLES: Readonly<Record<ResearchAnswer['question'], string>> = {
  callers: 'What calls or uses it',
  callees: 'What it calls',
  implementations: 'What implements it',
  path: 'The way from one to the other',
  configuration: 'Where it is configured',
  dependants: 'What depends on it',
  architecture: 'How it is structured',
  open: 'Research',
};

export function ResearchAnswerView({ query, parameters }: ResearchProps) {
  const depth = parameters.get('depth') ?? '2';
  const { value, error, isLoading } = useAnswer('research', { q: query, depth });
  return (
    <div class="padded" aria-busy={isLoading}>
      <h1 class="hidden">{query}</h1>
      {error ? <Problem error={error} /> : null}
      {value && (
        <>
          <p class="soft summary" role="status">
            {TITLES[value.question]} ·{' '}
            <a href={to('search', { q: query, as: 'words' })}>search for the words instead</a>
          </p>
          {value.question !== 'path' && <ResearchFigure answer={value} />}
          <Sentences summary={value.summary} />
          <Evidence answer={value} />
          <NextQuestions questions={value.nextQuestions} />
        </>
      )}
    </div>
  );
}

/** Lines that begin with a dash are a list, indented as the steps of the walk. Places become links. */
function Sentences({ summary }: { readonly summary: string }) {
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

function Evidence({ answer }: { readonly answer: ResearchAnswer }) {
  if (answer.evidence.length === 0) return null;
  return (
    <>
      <h2>In the code</h2>
      <ol class="ribbon">
        {answer.evidence.map((each, i) => (
          <Step key={i} evidence={each} />
        ))}
      </ol>
      {answer.truncated && <p class="soft">There is more than is shown.</p>}
    </>
  );
}

function Step({ evidence }: { readonly evidence: ResearchEvidence }) {
  const { path, startLine, snippet, why } = evidence;
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

function NextQuestions({ questions }: { readonly questions: readonly string[] }) {
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
