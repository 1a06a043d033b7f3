/** The registered projects of a data folder, for a project chooser. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { KnownProject } from '../../model/records/browse.ts';
import { projectManifest } from '../../walk/index.ts';
import { projectName } from '../projects/project-names.ts';
import { registeredRoots } from '../projects/project-registry.ts';

/** Registered projects whose folder exists, sorted by name. */
export function knownProjects(home: string): readonly KnownProject[] {
  return registeredRoots(home)
    .filter((root) => existsSync(root))
    .map((root) => ({
      root,
      name: projectManifest(root).moduleName || basename(root),
      mcpPath: `/p/${projectName(home, root)}/mcp`,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.root < b.root ? -1 : 1));
}
