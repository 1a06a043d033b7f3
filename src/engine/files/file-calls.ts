/** The calls about files and indexed chunks: read, grep, find by path, export. */

import { FileFlag } from '../../model/records/source-file.ts';
import { redactEach } from '../../model/secrets/redact-deep.ts';
import type { Engine } from '../engine.ts';
import { type EngineConfig, isRedacting } from '../engine-config.ts';
import type { IndexFreshness } from '../freshness/index-freshness.ts';
import type { Memories } from '../memory/memory-calls.ts';
import type { Models } from '../model-loader.ts';
import { type OpenProjects, viewOrNull } from '../projects/open-projects.ts';
import { checkHasFiles } from '../projects/project-registry.ts';
import { checkIsText, checkRef, checkRequest } from '../questions/check-request.ts';
import { exportTree } from '../runs/export-chunks.ts';
import { contentsOf } from '../runs/export-contents.ts';
import { findPaths } from './find-paths.ts';
import { readIndexedFile } from './read-indexed-file.ts';

interface FileParts {
  readonly config: EngineConfig;
  readonly projects: OpenProjects;
  readonly indexFreshness: IndexFreshness;
  readonly models: Models;
  readonly memories: () => Promise<Memories>;
}

export class FileCalls {
  readonly #parts: FileParts;
  readonly #exportingRoots: string[] = [];

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  async readFile(path: string, request: Parameters<Engine['readFile']>[1]) {
    const { config, projects, indexFreshness, memories } = this.#parts;
    checkRequest(request, 'path');
    const opened = await projects.around(path);
    checkHasFiles(opened.resolved);
    const read = () => readIndexedFile(projects, opened, request, config.index.maxFileBytes);
    let answer = await read();
    if (!answer.indexed && request.waitFreshMs) {
      await indexFreshness.wait(opened, request.waitFreshMs);
      answer = await read();
    }
    (await memories()).noteRead(opened, request, answer);
    return answer;
  }

  async grep(path: string, request: Parameters<Engine['grep']>[1]) {
    const { config } = this.#parts;
    checkRequest(request, 'pattern');
    const { grepFiles } = await import('../../search/grep/grep.ts');
    const resolved = await this.#parts.projects.resolve(path);
    checkHasFiles(resolved);
    const redact = isRedacting(config);
    const tokenFiles = redact ? await this.#tokenFiles(resolved.root) : [];
    return grepFiles(resolved.root, request, { inGit: resolved.git !== null, redact, tokenFiles });
  }

  /** Files in which indexing found access tokens; empty without an index, which grep does not need. */
  async #tokenFiles(root: string): Promise<string[]> {
    const opened = await this.#parts.projects.at(root);
    const files = viewOrNull(opened, undefined)?.files ?? [];
    return files.filter(({ flags }) => (flags & FileFlag.Redacted) !== 0).map(({ path }) => path);
  }

  async findPaths(path: string, part: string, limit = 50): Promise<readonly string[]> {
    checkIsText(part, 'part of a path');
    return findPaths((await this.#parts.projects.around(path)).view(), part, limit);
  }

  async exportChunks(path: string, ref?: string) {
    const { config, projects, models } = this.#parts;
    checkRef(ref);
    const opened = await projects.around(path);
    const view = await opened.find(ref);
    const presenter = await projects.presenter(opened, view);
    const exported = exportTree(presenter, opened.refName(view), models.embedder);
    const { root } = opened.resolved;
    // The export is lazy, so the redaction of whole answers does not see its chunks.
    const chunks = isRedacting(config) ? redactEach(exported.chunks) : exported.chunks;
    return { ...exported, chunks: this.#whileExporting(root, chunks) };
  }

  async exportContents(path: string, ref?: string) {
    checkRef(ref);
    const opened = await this.#parts.projects.around(path);
    const view = await opened.find(ref);
    const batches = this.#whileExporting(opened.resolved.root, contentsOf(opened.readerOf(view), view));
    return { extractor: String(view.info.options.extractor), portions: batches };
  }

  /** Whether a caller is still reading an export: the project stays open until its end. */
  isExporting(root: string): boolean {
    return this.#exportingRoots.includes(root);
  }

  *#whileExporting<T>(root: string, items: Iterable<T>): Generator<T> {
    this.#exportingRoots.push(root);
    try {
      yield* items;
    } finally {
      this.#exportingRoots.splice(this.#exportingRoots.indexOf(root), 1);
    }
  }
}
