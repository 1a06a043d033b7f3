/** Builds the command lines that run some tests, by the rules of their languages. */
import { languageById } from '../../languages/registry.ts';
import type { ProjectFiles, TestFile, TestRunner } from '../../languages/test-rules.ts';
import type { TestCommand, TestToRun } from '../../model/records/impact.ts';
import { folderOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';

export function testCommands(reader: StoreReader, view: TreeView, tests: readonly TestToRun[]): TestCommand[] {
  const project = projectFiles(reader, view);
  const byRunner = new Map<TestRunner, TestFile[]>();
  for (const { path, names } of tests) {
    const rules = languageById(view.files[view.indexOfPath(path)]!.language)?.tests;
    const runner = rules?.runners.find(({ runs }) => runs(path, project));
    if (!runner) continue;
    const files = byRunner.get(runner);
    if (files) files.push({ path, names });
    else byRunner.set(runner, [{ path, names }]);
  }
  return [...byRunner].flatMap(([{ name, commands }, files]) =>
    commands(files, project).map((line) => ({ runner: name, line })),
  );
}

function projectFiles(reader: StoreReader, view: TreeView): ProjectFiles {
  return {
    nearest(path, fileName) {
      for (let folder = folderOf(path); ; folder = folderOf(folder)) {
        if (view.indexOfPath(folder === '' ? fileName : `${folder}/${fileName}`) >= 0) return folder;
        if (folder === '') return null;
      }
    },
    text(path) {
      const file = view.indexOfPath(path);
      return file < 0 ? '' : reader.text(view.contentOf[file]!);
    },
  };
}
