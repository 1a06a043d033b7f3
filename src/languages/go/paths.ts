import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const goPaths: PathConventions = {
  names: [
    { extensions: ['go'], ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['go'], pattern: /^example_(?:.*_)?test\.go$/, flag: FileFlag.Example, why: 'Go example' },
    {
      extensions: ['go'],
      pattern: /^(?:zz_generated.*|bindata|wire_gen)\.go$/,
      flag: FileFlag.Generated,
      why: 'Go generator output',
    },
  ],
  packagesNamedTest: ['.go'],
};
