import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

const SCRIPTS = ['js', 'jsx', 'ts', 'tsx', 'mjs', 'cjs', 'mts', 'cts', 'vue', 'svelte'];

export const scriptPaths: PathConventions = {
  folders: [
    {
      name: /^__(?:tests?|specs?|mocks|fixtures|testfixtures|snapshots)__$/,
      flag: FileFlag.Test,
      why: 'JavaScript test folder',
    },
  ],
  names: [
    {
      extensions: SCRIPTS,
      pattern: /\.(?:test|spec|e2e|cy|test-d|e2e-spec)\.\w+$/,
      flag: FileFlag.Test,
      why: 'JavaScript test name',
    },
    { extensions: ['ts', 'js'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: SCRIPTS, pattern: /\.bench\.\w+$/, flag: FileFlag.Test, why: 'benchmark name' },
    {
      extensions: ['js', 'css', 'mjs', 'cjs'],
      // `measure-bundle.js` is a script about bundles, so `bundle` counts only after a dot.
      pattern: /[.-]min\.\w+$|\.(?:bundle|chunk)\.\w+$/,
      flag: FileFlag.Generated,
      why: 'bundler output',
    },
    { extensions: SCRIPTS, pattern: /\.(?:stories|story)\.\w+$/, flag: FileFlag.Example, why: 'component story' },
    {
      extensions: SCRIPTS,
      pattern: /\.(?:config|conf|workspace)\.\w+$|^[Gg](?:ulp|runt)file\./,
      flag: FileFlag.Config,
      why: 'tool configuration',
    },
    { extensions: SCRIPTS, pattern: /^index\.\w+$/, flag: FileFlag.Barrel, why: 'entry file of a folder' },
    { names: ['mod.ts'], flag: FileFlag.Barrel, why: 'entry file of a folder' },
  ],
};
