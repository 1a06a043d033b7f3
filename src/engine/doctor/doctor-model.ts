/**
 * Checks the built-in model against the checksums of the build. A damaged model still gives answers, only worse ones,
 * so nothing but a checksum shows the damage.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadStaticModel } from '../../embed/index.ts';
import { modelDamaged } from '../../model/records/engine-errors.ts';
import type { CheckResult } from '../engine.ts';

/** Throws model_damaged. */
export function checkModel(folder: string): CheckResult[] {
  const recorded = JSON.parse(read(folder, 'sha256.json').toString('utf8')) as Readonly<Record<string, string>>;
  for (const [name, sum] of Object.entries(recorded)) {
    const found = createHash('sha256').update(read(folder, name)).digest('hex');
    if (found !== sum) throw modelDamaged(`${name} is not what was built`);
  }
  const model = loadStaticModel(folder);
  const vector = new Float32Array(model.dims);
  model.embedTerms(['pars', 'file'], null, 'query', vector);
  if (!vector.some((value) => value !== 0)) throw modelDamaged('it knows no word');
  return [{ name: 'model', status: 'ok', detail: `${model.id}, ${model.dims} dimensions`, fix: null }];
}

function read(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw modelDamaged(`${join(folder, name)} cannot be read`, error);
  }
}
