export { findEngineAddress } from './engine-address.ts';
export { serveShared } from './serve-shared.ts';
