/** Chooses the project or workspace, and the ref. */
import type { ProjectStatus } from '../../../../engine/engine.ts';
import { to } from '../../data/addresses.ts';
import { shortName } from '../../data/format-values.ts';
import { useAnswer } from '../../data/use-answer.ts';

export interface PlaceSwitcherProps {
  readonly status: ProjectStatus;
  readonly parameters: URLSearchParams;
}

export function PlaceSwitcher({ status, parameters }: PlaceSwitcherProps) {
  const { value: projects } = useAnswer('projects', {});
  const { value: workspaces } = useAnswer('workspaces', {});
  const requestedRef = parameters.get('ref') ?? '';
  const { root, moduleName } = status.project;
  const others = (projects ?? []).filter((project) => project.root !== root);
  const joined = (workspaces ?? []).filter(({ scope }) => scope !== root);
  // The work tree stands for its branch.
  const refs = status.refs
    .map(({ ref }) => ref)
    .filter((ref) => ref !== requestedRef && (requestedRef !== '' || ref !== status.ref));
  return (
    <span class="switcher">
      {others.length + joined.length === 0 ? (
        <a class="project" href={to('')} title={moduleName}>
          {shortName(moduleName)}
        </a>
      ) : (
        <select
          class="project"
          aria-label="Project or workspace"
          value={root}
          onChange={(event) => {
            location.hash = to('', { project: event.currentTarget.value, ref: '' });
          }}
        >
          <option value={root}>{shortName(moduleName)}</option>
          {others.map((project) => (
            <option key={project.root} value={project.root}>
              {shortName(project.name)}
            </option>
          ))}
          {joined.length > 0 && (
            <optgroup label="Workspaces">
              {joined.map(({ name, scope, members }) => (
                <option key={scope} value={scope}>
                  {name} ({members.length})
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
      {refs.length > 0 || requestedRef !== '' ? (
        <select
          class="ref"
          aria-label="Branch, tag or commit"
          value={requestedRef}
          onChange={(event) => {
            location.hash = to('', { ref: event.currentTarget.value });
          }}
        >
          <option value="">{requestedRef === '' ? status.ref : 'work tree'}</option>
          {requestedRef !== '' && <option value={requestedRef}>{requestedRef}</option>}
          {refs.map((ref) => (
            <option key={ref}>{ref}</option>
          ))}
        </select>
      ) : (
        <span class="ref">{status.ref}</span>
      )}
    </span>
  );
}
