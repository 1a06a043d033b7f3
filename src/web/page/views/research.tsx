/** The view of a research answer: sentences, with the code that proves each. */
import type { ResearchAnswer } from '../../../model/records/query.ts';
import { to } from '../data/addresses.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Evidence, NextQuestions, Sentences } from '../parts/answers/research-text.tsx';
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
  unreferenced: 'No known references',
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
          <Evidence evidence={value.evidence} isCut={value.truncated} />
          <NextQuestions questions={value.nextQuestions} />
        </>
      )}
    </div>
  );
}
