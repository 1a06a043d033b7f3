/**
 * The endpoints of URLs with a project name: `/p/NAME/mcp` and `/p/NAME/mcp/PROFILE`, `/w/NAME/mcp` for a workspace.
 * Calls without a path mean that project. Endpoints are created at their first request.
 */
import type { ProfilesOptions, ServedProfiles } from './served-profiles.ts';
import { startProfiles } from './served-profiles.ts';

const ADDRESS = /^\/([pw])\/([^/]+)(\/mcp(?:\/[^/]+)?)\/?$/;

export type ProjectKind = 'p' | 'w';

type ProjectParts = Pick<ProfilesOptions, 'profiles' | 'engine'>;
type CommonOptions = Omit<ProfilesOptions, 'workspace' | keyof ProjectParts>;

/** A project that was found; `open` loads its profiles and engine. */
export interface FoundProject {
  readonly workspace: string;
  open(): Promise<ProjectParts>;
}

/** Null if no project has this name. */
export type FindProject = (kind: ProjectKind, name: string) => Promise<FoundProject | null>;

/** The profiles of a project, and the path of the endpoint among them. */
export interface FoundEndpoint {
  readonly served: ServedProfiles;
  readonly path: string;
}

export class ProjectEndpoints {
  readonly #options: CommonOptions;
  readonly #find: FindProject;
  readonly #shutdown: AbortSignal;
  readonly #served = new Map<string, Promise<ServedProfiles>>();

  constructor(options: CommonOptions, find: FindProject, shutdown: AbortSignal) {
    this.#options = options;
    this.#find = find;
    this.#shutdown = shutdown;
  }

  /** The project's name in a URL path, or null. */
  static nameIn(pathname: string): string | null {
    return ADDRESS.exec(pathname)?.[2] ?? null;
  }

  /** Returns null if the path names no project, or an unknown one. */
  async find(pathname: string): Promise<FoundEndpoint | null> {
    const parts = ADDRESS.exec(pathname);
    if (!parts) return null;
    const [, kind, name, path] = parts;
    // Looked up each time: a removed project must not be served.
    const project = await this.#find(kind as ProjectKind, name!);
    return project && { served: await this.#serve(project), path: path! };
  }

  #serve({ workspace, open }: FoundProject): Promise<ServedProfiles> {
    let served = this.#served.get(workspace);
    if (!served) {
      served = open().then((parts) => startProfiles({ ...this.#options, ...parts, workspace }, this.#shutdown));
      this.#served.set(workspace, served);
      // After a failure, the next request tries again.
      served.catch(() => this.#served.delete(workspace));
    }
    return served;
  }

  async sessionCount(): Promise<number> {
    return (await this.#all()).reduce((sum, { sessionCount }) => sum + sessionCount, 0);
  }

  async close(): Promise<void> {
    for (const served of await this.#all()) await served.close();
  }

  async #all(): Promise<ServedProfiles[]> {
    const settled = await Promise.allSettled(this.#served.values());
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }
}
