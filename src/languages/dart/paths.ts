import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const dartPaths: PathConventions = {
  names: [
    { extensions: ['dart'], ...NAMED_TEST, flag: FileFlag.Test },
    {
      extensions: ['dart'],
      pattern: /\.(?:g|freezed|gr|mocks|chopper)\.dart$/,
      flag: FileFlag.Generated,
      why: 'Dart generator output',
    },
  ],
};
