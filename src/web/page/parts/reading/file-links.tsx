/** The imports and importers of a file. */
import type { ReadFileAnswer } from '../../../../model/records/query.ts';
import { fileAddress } from '../../data/addresses.ts';

const SHOWN = 12;

export function FileLinks({ file }: { readonly file: ReadFileAnswer }) {
  return (
    <>
      <PathList title="Imports" paths={file.dependencies.map(({ path }) => path)} />
      <PathList title="Imported by" paths={file.dependants} />
      {file.externalDependencies.length > 0 && (
        <details>
          <summary>From outside ({file.externalDependencies.length})</summary>
          <ul class="paths">
            {file.externalDependencies.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function PathList({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  const link = (path: string) => (
    <li key={path}>
      <a href={fileAddress(path)} title={path}>
        {path}
      </a>
    </li>
  );
  return (
    <>
      <h2>
        {title} <span class="soft">{paths.length}</span>
      </h2>
      <ul class="paths">{paths.slice(0, SHOWN).map(link)}</ul>
      {paths.length > SHOWN && (
        <details>
          <summary>{paths.length - SHOWN} more</summary>
          <ul class="paths">{paths.slice(SHOWN).map(link)}</ul>
        </details>
      )}
    </>
  );
}
