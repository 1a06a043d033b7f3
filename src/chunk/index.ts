/** The chunk room: turns a parsed file into chunks with titles, tags and domain roles. Pure: no paths, no storage. */
export { chunkFile } from './chunk-file.ts';
export { markDddRoles } from './ddd.ts';
