/** Method names that many types have, above all built-in ones: a guess about them is most often wrong. */
export const COMMON_NAMES: ReadonlySet<string> = new Set([
  ...['get', 'set', 'add', 'push', 'pop', 'map', 'close', 'open', 'read', 'write'],
  ...['run', 'start', 'send', 'update', 'remove', 'find', 'format', 'parse', 'append', 'clear'],
]);
