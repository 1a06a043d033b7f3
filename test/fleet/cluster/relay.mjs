// One end of a link (network-link.ts): `relay.mjs OWN_SOCKET OTHER_SOCKET PORT…`. A connection to one of the ports goes
// on through the other end's socket, behind a line that names the port. "cut" on standard input ends all connections
// and refuses new ones until "join".
import { createConnection, createServer } from 'node:net';

const [own, other, ...ports] = process.argv.slice(2);
const open = new Set();
let isCut = false;

function keep(socket) {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  return socket;
}

function bind(one, two) {
  one.pipe(two);
  two.pipe(one);
  one.on('close', () => two.destroy());
  two.on('close', () => one.destroy());
}

for (const port of ports)
  createServer((socket) => {
    keep(socket);
    if (isCut) return socket.destroy();
    const onward = keep(createConnection(other));
    onward.write(`${port}\n`);
    bind(socket, onward);
  }).listen(Number(port), '127.0.0.1');

createServer((socket) => {
  keep(socket);
  if (isCut) return socket.destroy();
  socket.once('readable', () => {
    let line = '';
    for (let byte = socket.read(1); byte !== null && byte[0] !== 10; byte = socket.read(1)) line += byte;
    bind(socket, keep(createConnection(Number(line), '127.0.0.1')));
  });
}).listen(own, () => console.log('ready'));

process.stdin.on('data', (words) => {
  isCut = String(words).trim().endsWith('cut');
  if (isCut) for (const socket of open) socket.destroy();
});
process.stdin.on('end', () => process.exit());
