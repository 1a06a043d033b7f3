import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const elixirPaths: PathConventions = {
  // Elixir runs only `_test.exs` as tests: `lib/phoenix/test/conn_test.ex` is part of the product.
  names: [{ extensions: ['exs'], ...NAMED_TEST, flag: FileFlag.Test }],
  productInLib: ['.ex', '.exs', '.eex'],
};
