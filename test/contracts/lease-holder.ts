/** `tsx lease-holder.ts STORE_FOLDER`: another process that is indexing, for as long as its input is open. */
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite/database.ts';
import { Lease } from '../../src/store/sqlite/lease.ts';

const [folder] = process.argv.slice(2);
const db = Database.open(join(folder!, 'index.sqlite'), 'write');
const lease = new Lease(db, 'another process', folder!);
console.log('held');
process.stdin.on('end', () => {
  lease.release();
  db.close();
});
process.stdin.resume();
