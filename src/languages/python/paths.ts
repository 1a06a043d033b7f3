import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TESTS, type PathConventions } from '../path-conventions.ts';

export const pythonPaths: PathConventions = {
  names: [
    {
      extensions: ['py'],
      pattern: /^(?:test_.+|.+_test|conftest|tests)\.py$/,
      flag: FileFlag.Test,
      why: 'pytest or Django name',
    },
    { extensions: ['py'], ...NAMED_TESTS, flag: FileFlag.Test },
    { extensions: ['py'], pattern: /_unittest\.\w+$/, flag: FileFlag.Test, why: 'name ends with _unittest' },
    { names: ['__init__.py', '__init__.pyi'], flag: FileFlag.Barrel, why: 'entry file of a folder' },
  ],
  packagesNamedTest: ['.py', '.pyi'],
};
