/** A project and a workspace, as answers describe them. */

export interface ProjectInfo {
  /** Numeric id, stable for this root on this machine. */
  readonly numericId: number;
  /** 16 hex digits. */
  readonly projectId: string;
  readonly root: string;
  readonly registered: boolean;
  /** From go.mod, package.json, Cargo.toml, pyproject.toml …; the folder's name otherwise. */
  readonly moduleName: string;
  /** "go 1.22", "node >=20", "rust 1.75": the ecosystem's version; '' where none is declared. */
  readonly languageVersion: string;
  readonly isGit: boolean;
  readonly storeFolder: string;
}

/** A repository of a workspace. Paths in answers about the workspace begin with its name. */
export interface WorkspaceMember {
  readonly name: string;
  readonly root: string;
}

/** Repositories that are queried as one. */
export interface WorkspaceInfo {
  readonly name: string;
  readonly members: readonly WorkspaceMember[];
}
