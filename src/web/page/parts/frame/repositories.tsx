/** Links to the repositories of the shown workspace: to read a single one, or because a view shows one at a time. */
import { to } from '../../data/addresses.ts';
import { useAnswer } from '../../data/use-answer.ts';

export interface RepositoriesProps {
  /** The scope of the workspace. */
  readonly scope: string;
  /** The view that a link opens. */
  readonly view: string;
  /** A path in the workspace: only its repository is listed, and the link leads to the path. */
  readonly target?: string;
}

export function Repositories({ scope, view, target = '' }: RepositoriesProps) {
  const { value } = useAnswer('workspaces', {});
  const members = value?.find((workspace) => workspace.scope === scope)?.members ?? [];
  const inside = members.filter(({ name }) => target.startsWith(`${name}/`));
  return (
    <ul class="paths columns">
      {(inside.length > 0 ? inside : members).map(({ name, root }) => (
        <li key={root}>
          <a
            class="stop"
            href={to(view, {
              project: root,
              ...(target.startsWith(`${name}/`) && { target: target.slice(name.length + 1) }),
            })}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Whether the place is a workspace instead of a project's folder. */
export function isScope(root: string): boolean {
  return root.startsWith('workspace:');
}
