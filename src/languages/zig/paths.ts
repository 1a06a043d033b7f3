import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, NAMED_TESTS, type PathConventions } from '../path-conventions.ts';

export const zigPaths: PathConventions = {
  names: [
    { extensions: ['zig'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['zig'], ...NAMED_TESTS, flag: FileFlag.Test },
    { names: ['test.zig', 'tests.zig'], flag: FileFlag.Test, why: 'test module' },
  ],
};
