/** The chunk room: parsed file -> chunks, titles, tags, domain roles. Pure; knows neither paths nor storage. */
export { chunkFile } from './chunk-file.ts';
export { markDddRoles } from './ddd.ts';
