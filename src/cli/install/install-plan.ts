/**
 * Plans, applies and undoes the changes of an installation, file by file. A change is planned on the current text and
 * shown before it is written; the previous state is saved in the data folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { isRecord } from '../../model/runtime/is-record.ts';
import { type EditedFile, readText, realFile, refuseReadOnly, writeText } from './config-text.ts';
import {
  type ConfigFormat,
  canonical,
  depthOf,
  type Json,
  removeSafely,
  setSafely,
  UnsafeEdit,
  valueAt,
} from './formats/config-format.ts';

/** One file to edit. */
export interface Target extends EditedFile {
  /** The agent whose file it is. */
  readonly title: string;
  readonly format: ConfigFormat;
  readonly path: readonly string[];
  readonly value: Json;
  /** Keys of the entry that are replaced; the user's other keys stay. Without it, the whole entry is replaced. */
  readonly owned?: ReadonlySet<string>;
  /** The form of a newer release; used if the file has the object that contains it. */
  readonly newer?: { readonly path: readonly string[]; readonly value: Json };
  readonly note?: string;
}

export interface Change {
  readonly target: Target;
  /** Null if there is no file. */
  readonly before: string | null;
  /** Null if the file is deleted. */
  readonly after: string | null;
  readonly action: 'add' | 'update' | 'remove' | 'restore' | 'none';
}

/** The record of an installation, which `uninstall` undoes. */
interface Receipt {
  readonly file: string;
  readonly before: string | null;
  readonly afterSum: string;
  /** Number of keys of the path that existed before. */
  readonly depth: number;
  /** Folders that were created for the file, outermost first. */
  readonly folders: readonly string[];
}

export function planInstall(wanted: Target): Change {
  const before = readText(wanted);
  const text = before ?? '';
  const form = inFormOfFile(wanted, text);
  const current = valueAt(parsed(form, text), form.path);
  const target = { ...form, value: withOwnSettings(form, current) };
  if (current !== undefined && canonical(current) === canonical(target.value) && isCurrent(target, text))
    return { target, before, after: before, action: 'none' };
  refuseReadOnly(target);
  const after = edited(target, () => setSafely(target.format, text, target.path, target.value));
  return { target, before, after, action: current === undefined ? 'add' : 'update' };
}

/** Keeps what the user has added to or changed in an existing entry: a timeout, approvals, its environment. */
function withOwnSettings({ value, owned }: Target, current: unknown): Json {
  if (!owned || !isRecord(value) || !isRecord(current)) return value;
  const userSettings = Object.entries(current).filter(([key]) => !owned.has(key));
  return { ...value, ...Object.fromEntries(userSettings) } as Json;
}

/** The target in the form of the existing file. An object with a `type` is a server that happens to have that name. */
function inFormOfFile(target: Target, text: string): Target {
  const { newer } = target;
  const holder = newer && valueAt(parsed(target, text), newer.path.slice(0, -1));
  return newer && isRecord(holder) && !('type' in holder) ? { ...target, ...newer } : target;
}

/** A block of instructions is text without a value to compare. */
function isCurrent({ format, path, value }: Target, text: string): boolean {
  return path.length > 1 || setSafely(format, text, path, value) === text;
}

export function planUninstall(wanted: Target, store: string): Change {
  const before = readText(wanted);
  if (before === null) return { target: wanted, before, after: null, action: 'none' };
  const target = inFormOfFile(wanted, before);
  refuseReadOnly(target);
  const receipt = readReceipt(store, target.file);
  if (receipt && receipt.afterSum === sumOf(before))
    return { target, before, after: receipt.before, action: 'restore' };
  if (valueAt(parsed(target, before), target.path) === undefined)
    return { target, before, after: before, action: 'none' };
  const keptDepth = receipt?.depth ?? target.path.length - 1;
  const after = edited(target, () => removeSafely(target.format, before, target.path, keptDepth));
  return { target, before, after, action: 'remove' };
}

/** Writes the planned text if the file has not changed since it was planned. */
export function applyChange({ target, before, after, action }: Change, store: string): void {
  const { file } = target;
  try {
    if (readText(target) !== before)
      throw new EngineError('invalid_input', {
        reason: `${file} has changed since it was read; run the command again.`,
      });
    if (action === 'add' || action === 'update') {
      keepReceipt(store, target, before, after!);
      writeText(target, after!);
      return;
    }
    const receipt = readReceipt(store, file);
    if (after === null) rmSync(realFile(target));
    else writeText(target, after);
    if (after === null) removeEmpty(receipt?.folders ?? []);
    rmSync(receiptFile(store, file), { force: true });
  } catch (thrown) {
    throw toEngineError(thrown);
  }
}

function parsed({ format, file, title }: Target, text: string): unknown {
  try {
    return format.parse(text.replace(/^\ufeff/, ''));
  } catch (thrown) {
    const reason = (thrown as Error).message.split('\n')[0]!.replace(/\.$/, '');
    throw new EngineError(
      'invalid_input',
      {
        reason:
          `${file} of ${title} is not valid (${reason}); the file was not changed. Correct it and run the ` +
          'command again.',
      },
      thrown,
    );
  }
}

function edited({ file, title }: Target, edit: () => string): string {
  try {
    return edit();
  } catch (thrown) {
    if (!(thrown instanceof UnsafeEdit)) throw thrown;
    const reason =
      `${file} of ${title} cannot be edited without changing the rest of it; the file was not changed. Add the ` +
      'entry by hand: `sextant install --print` shows it.';
    throw new EngineError('invalid_input', { reason }, thrown);
  }
}

function keepReceipt(store: string, target: Target, before: string | null, after: string): void {
  const { file, format, path } = target;
  const earlier = readReceipt(store, file);
  const isOurs = earlier !== null && before !== null && earlier.afterSum === sumOf(before);
  const folders = makeFolders(dirname(file));
  const depth = Math.min(depthOf(format.parse((before ?? '').replace(/^\ufeff/, '')), path), path.length - 1);
  const receipt: Receipt = {
    file,
    before: isOurs ? earlier.before : before,
    afterSum: sumOf(after),
    depth: earlier?.depth ?? depth,
    folders: isOurs ? earlier.folders : folders,
  };
  mkdirSync(store, { recursive: true, mode: 0o700 });
  writeFileSync(receiptFile(store, file), JSON.stringify(receipt), { mode: 0o600 });
}

function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path);
  mkdirSync(folder, { recursive: true });
  return missing;
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    if (!existsSync(folder) || readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
}

function receiptFile(store: string, file: string): string {
  return join(store, `${sumOf(file).slice(0, 16)}.json`);
}

function readReceipt(store: string, file: string): Receipt | null {
  const text = readText({ file: receiptFile(store, file) });
  try {
    return text === null ? null : (JSON.parse(text) as Receipt);
  } catch {
    return null;
  }
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
