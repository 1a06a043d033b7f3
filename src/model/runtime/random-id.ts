/**
 * Hex digits that nobody else has: to tell things apart, not to keep secrets. The system's own source of chance takes a
 * command 10 ms to load.
 */
export function randomId(bytes: number): string {
  let id = '';
  while (id.length < bytes * 2)
    id += Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return id.slice(0, bytes * 2);
}
