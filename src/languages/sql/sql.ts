import { scanned } from '../runtime/scanning/scanned.ts';
import { scanSql } from './scan-sql.ts';

export const sql = scanned({
  id: 'sql',
  name: 'SQL',
  aliases: ['postgres', 'postgresql', 'mysql', 'plpgsql', 'tsql'],
  family: 'code',
  comments: 'dashes',
  extensions: ['.sql', '.ddl', '.pgsql', '.psql', '.plsql', '.pks', '.pkb'],
  lineComment: '--',
  blockComment: ['/*', '*/'],
  scan: scanSql,
});
