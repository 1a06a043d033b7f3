/** The tests to run for a change, best first, with their command lines. */
import type { ImpactAnswer } from '../../../../model/records/impact.ts';
import { fileAddress } from '../../data/addresses.ts';
import { count, plural } from '../../data/format-values.ts';
import { CopyButton } from '../frame/copy-button.tsx';
import { Strength } from './strength.tsx';

export function TestsToRun({ answer }: { readonly answer: ImpactAnswer }) {
  const { tests, moreTests, suiteFiles, commands } = answer;
  return (
    <section>
      <h2>
        Tests to run{' '}
        <span class="soft">
          {count(tests.length)} of {plural(suiteFiles, 'file')}
        </span>
      </h2>
      {tests.length === 0 && <p class="soft">No test is known to reach it.</p>}
      {commands.map(({ line }) => (
        <div key={line} class="command-line">
          <pre class="command" tabIndex={0}>
            <code>{line}</code>
          </pre>
          <CopyButton words="Copy" text={line} />
        </div>
      ))}
      <ul class="plain-list">
        {tests.map(({ path, reasons, score }) => (
          <li key={path}>
            <Strength score={score} />{' '}
            <a class="stop place" href={fileAddress(path)}>
              {path}
            </a>{' '}
            <span class="soft">{reasons.map(({ description }) => description).join('; ')}</span>
          </li>
        ))}
      </ul>
      {moreTests > 0 && <p class="soft">{count(moreTests)} more are less likely to tell anything.</p>}
    </section>
  );
}
