import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, type PathConventions } from '../path-conventions.ts';

export const elixirPaths: PathConventions = {
  // Elixir runs `_test.exs` only: `lib/phoenix/test/conn_test.ex` is what a product gives to tests.
  names: [{ extensions: ['exs'], ...NAMED_TEST, flag: FileFlag.Test }],
  productInLib: ['.ex', '.exs', '.eex'],
};
