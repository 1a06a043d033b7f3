import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

export const phpPaths: PathConventions = {
  names: [
    { extensions: ['php'], pattern: /.Test\.php$/, flag: FileFlag.Test, why: 'PHPUnit name', notBelow: ['src', 'app'] },
    {
      names: ['_ide_helper.php', '_ide_helper_models.php', '.phpstorm.meta.php'],
      flag: FileFlag.Generated,
      why: 'IDE helper',
    },
  ],
};
