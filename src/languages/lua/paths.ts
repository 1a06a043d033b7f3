import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const luaPaths: PathConventions = {
  names: [
    { extensions: ['lua'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['lua'], pattern: /_spec\.\w+$/, flag: FileFlag.Test, why: 'busted spec name' },
  ],
  testsInSpec: ['.lua'],
};
