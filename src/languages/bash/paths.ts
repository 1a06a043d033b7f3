import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const bashPaths: PathConventions = {
  names: [
    { extensions: ['sh', 'bash'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['sh', 'bash'], pattern: /^test[-_]/, flag: FileFlag.Test, why: 'name begins with test' },
    { extensions: ['bats'], flag: FileFlag.Test, why: 'test file type' },
  ],
};
