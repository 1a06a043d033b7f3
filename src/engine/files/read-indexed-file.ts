/** Reads a file of the project, with its indexed structure if the content on disk is the indexed one. */
import type { ReadFileAnswer, ReadFileRequest } from '../../model/records/query.ts';
import { presentOutline } from '../../search/index.ts';
import { blobId } from '../../walk/index.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { linksOf } from '../questions/symbol-detail.ts';
import { readProjectFile } from './read-file.ts';

export async function readIndexedFile(
  projects: OpenProjects,
  opened: OpenedProject,
  request: ReadFileRequest,
  maxFileBytes: number,
): Promise<ReadFileAnswer> {
  const view = hasTree(opened) ? opened.view() : null;
  const modules = view ? await projects.modulesOf(opened, view) : null;
  const context = view ? await projects.graphContext(opened, view) : null;
  return readProjectFile({
    root: opened.resolved.root,
    request,
    maxFileBytes,
    moduleOf: modules?.moduleOf ?? (() => ''),
    structureOf: (file, bytes) => {
      const index = view?.indexOfPath(file) ?? -1;
      if (!view || index < 0 || view.files[index]!.blobId !== blobId(bytes)) return null;
      const detail = opened.readerOf(view).detail(view.contentOf[index]!);
      return {
        outline: presentOutline(detail, view.files[index]!.path),
        imports: detail.imports,
        problems: detail.problems,
      };
    },
    linksOf: (file) => (context ? linksOf(context, file) : null),
  });
}
