import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, NAMED_TESTS, type PathConventions } from '../path-conventions.ts';

export const rustPaths: PathConventions = {
  names: [
    { extensions: ['rs'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['rs'], ...NAMED_TESTS, flag: FileFlag.Test },
    { names: ['tests.rs'], flag: FileFlag.Test, why: 'test module' },
    { names: ['mod.rs'], flag: FileFlag.Barrel, why: 'entry file of a folder' },
  ],
};
