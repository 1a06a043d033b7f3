import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

export const swiftPaths: PathConventions = {
  productFolders: [{ name: /^Sources$/ }],
  names: [
    {
      extensions: ['swift'],
      pattern: /.Tests?\.\w+$/,
      flag: FileFlag.Test,
      why: 'test class name',
      notInProduct: true,
    },
  ],
};
