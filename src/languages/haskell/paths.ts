import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

export const haskellPaths: PathConventions = {
  names: [
    {
      extensions: ['hs'],
      pattern: /.(?:Spec|Specs|Suite)\.\w+$/,
      flag: FileFlag.Test,
      why: 'spec or suite name',
      notInProduct: true,
    },
    { extensions: ['hs'], pattern: /.Tests?\.\w+$/, flag: FileFlag.Test, why: 'test module name', notInProduct: true },
  ],
};
