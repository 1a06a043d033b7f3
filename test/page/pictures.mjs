// Screenshots compared with the stored ones: scaled down to a quarter, so that they are small and edges of letters do
// not count.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'pictures');
const SCALE = 4;
/** Per channel, of 255: below it a pixel is the same. */
const NEAR = 26;
/** Share of all pixels that may differ: where the page alone decides, and where an answer's sentences do, too. */
const TOLERATED = { page: 0.02, answer: 0.12 };

/**
 * Null where the picture is like the stored one, else what differs. UPDATE_PICTURES=1 stores it anew. `decidedBy`:
 * whose words the picture shows; a reworded sentence of the engine moves everything below it.
 */
export function comparePicture(name, screenshot, decidedBy = 'page') {
  const shown = shrink(PNG.sync.read(screenshot));
  const file = join(folder, `${name}.png`);
  if (process.env.UPDATE_PICTURES === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, PNG.sync.write(shown, { colorType: 2, deflateLevel: 9 }));
    return null;
  }
  if (!existsSync(file)) return `${file} is missing: run with UPDATE_PICTURES=1`;
  const kept = PNG.sync.read(readFileSync(file));
  if (kept.width !== shown.width || kept.height !== shown.height)
    return `${name} is ${shown.width}×${shown.height}, stored is ${kept.width}×${kept.height}`;
  let different = 0;
  for (let i = 0; i < shown.data.length; i += 4)
    if ([0, 1, 2].some((channel) => Math.abs(shown.data[i + channel] - kept.data[i + channel]) > NEAR)) different++;
  const share = different / (shown.width * shown.height);
  if (share <= TOLERATED[decidedBy]) return null;
  const aside = join(folder, `${name}.new.png`);
  writeFileSync(aside, PNG.sync.write(shown));
  return `${(share * 100).toFixed(1)} % of ${name} differ; see ${aside}`;
}

function shrink(image) {
  const small = new PNG({ width: Math.floor(image.width / SCALE), height: Math.floor(image.height / SCALE) });
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let dy = 0; dy < SCALE; dy++)
          for (let dx = 0; dx < SCALE; dx++)
            sum += image.data[((y * SCALE + dy) * image.width + x * SCALE + dx) * 4 + channel];
        small.data[(y * small.width + x) * 4 + channel] = Math.round(sum / SCALE ** 2);
      }
  return small;
}
