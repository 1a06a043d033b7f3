/**
 * Random hex digits for identifiers, not for secrets. Loading node:crypto's random source would take a command 10 ms.
 */
export function randomId(bytes: number): string {
  let id = '';
  while (id.length < bytes * 2)
    id += Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return id.slice(0, bytes * 2);
}
