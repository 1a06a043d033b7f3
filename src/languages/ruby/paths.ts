import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

export const rubyPaths: PathConventions = {
  names: [
    { extensions: ['rb'], pattern: /_(?:test|spec)\.rb$/, flag: FileFlag.Test, why: 'minitest or RSpec name' },
    { extensions: ['rb'], pattern: /^test_/, flag: FileFlag.Test, why: 'minitest name', notInProduct: true },
  ],
  productInLib: ['.rb', '.rake', '.tt', '.erb'],
  testsInSpec: ['.rb'],
};
