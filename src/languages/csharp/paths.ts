import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

export const csharpPaths: PathConventions = {
  names: [
    { extensions: ['cs'], pattern: /.Tests?\.\w+$/, flag: FileFlag.Test, why: 'test class name', notInProduct: true },
    {
      extensions: ['cs'],
      pattern: /\.(?:designer|g|g\.i|AssemblyInfo|AssemblyAttributes|GlobalUsings\.g)\.\w+$/i,
      flag: FileFlag.Generated,
      why: '.NET generator output',
    },
  ],
};
