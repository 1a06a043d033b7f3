import { FileFlag } from '../../model/records/source-file.ts';
import { NAMED_TEST, NAMED_TESTS, type PathConventions } from '../path-conventions.ts';

const SOURCES = ['c', 'cc', 'cpp', 'cxx'];

export const cPaths: PathConventions = {
  names: [
    { extensions: SOURCES, ...NAMED_TEST, flag: FileFlag.Test },
    { extensions: ['cc', 'cpp'], ...NAMED_TESTS, flag: FileFlag.Test },
    { extensions: SOURCES, pattern: /.-test\.\w+$/, flag: FileFlag.Test, why: 'name ends with -test' },
    {
      extensions: ['c', 'cc', 'cpp'],
      pattern: /_unittest\.\w+$/,
      flag: FileFlag.Test,
      why: 'name ends with _unittest',
    },
    { extensions: ['c', 'cc', 'cpp'], pattern: /^test[-_]/, flag: FileFlag.Test, why: 'name begins with test' },
    {
      extensions: SOURCES,
      pattern: /^bench(?:mark)?[-_]|[-_]bench(?:mark)?s?\.\w+$/,
      flag: FileFlag.Test,
      why: 'benchmark name',
      notInProduct: true,
    },
    {
      extensions: [...SOURCES, 'h', 'hpp', 'hh'],
      // `ui_*.h` is missing on purpose: people use that name for user interface code. Files that Qt generates say so in
      // their first lines.
      pattern: /^(?:moc|qrc)_.+|\.tab\.\w+$|^lex\.yy\.\w+$/,
      flag: FileFlag.Generated,
      why: 'Qt, bison or flex output',
    },
  ],
};
