/** `[project.scripts]` of pyproject.toml, `console_scripts` of setup.cfg and setup.py: `name = "module:function"`. */
import type { DeclaredEntry, EntryManifests } from '../entry-manifests.ts';

const SECTION = /^\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\]/;
const SCRIPTS = /\b(?:console|gui)_scripts\b/;
const ENTRY = /=[ \t]?["']?([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)/g;

export const pythonEntries: EntryManifests = {
  names: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  read(text) {
    const entries: DeclaredEntry[] = [];
    let isInside = false;
    for (const line of text.split('\n')) {
      if (line.startsWith('[')) isInside = SECTION.test(line);
      if (SCRIPTS.test(line)) isInside = true;
      if (!isInside) continue;
      for (const [, module, name] of line.matchAll(ENTRY)) entries.push(entryOf(module!, name!));
      // The end of a list in setup.py.
      if (/^[^[]*\]/.test(line)) isInside = line.startsWith('[');
    }
    return entries;
  },
};

function entryOf(module: string, name: string): DeclaredEntry {
  const path = module.replaceAll('.', '/');
  return {
    paths: ['', 'src/'].flatMap((folder) => [`${folder}${path}.py`, `${folder}${path}/__init__.py`]),
    functionName: name.split('.').at(-1)!,
  };
}
