/** package.json: the commands in `bin`, and of the repository's own package the file that `import` loads. */
import type { EntryManifests } from '../entry-manifests.ts';

export const scriptEntries: EntryManifests = {
  names: ['package.json'],
  read(text, isRoot) {
    const json = parse(text);
    const loaded = [json.main, json.module, ...leaves(exported(json.exports))];
    const main = loaded.some((each) => typeof each === 'string') ? loaded : ['index.js'];
    return [...leaves(json.bin), ...(isRoot ? main : [])]
      .filter((path) => typeof path === 'string' && path !== '')
      .map((path) => ({ paths: candidates(path as string), functionName: '' }));
  },
};

type Json = Readonly<Record<string, unknown>>;

function parse(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What `.` stands for, where there are several exports. */
function exported(value: unknown): unknown {
  return isRecord(value) && '.' in value ? value['.'] : value;
}

/** The texts of a value that may be an object: conditions of an export, commands by name. */
function leaves(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value).flatMap((each) => (isRecord(each) ? leaves(each) : [each])) : [value];
}

function candidates(path: string): readonly string[] {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '');
  return [plain, `${plain}.js`, `${plain}/index.js`];
}
