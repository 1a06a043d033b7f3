/** Opens a place in the user's editor, by the URL scheme that the editor registers. */
export const EDITORS = {
  'VS Code': (path: string, line: number) => `vscode://file${path}:${line}`,
  Cursor: (path: string, line: number) => `cursor://file${path}:${line}`,
  Windsurf: (path: string, line: number) => `windsurf://file${path}:${line}`,
  Zed: (path: string, line: number) => `zed://file${path}:${line}`,
  IntelliJ: (path: string, line: number) => `idea://open?file=${path}&line=${line}`,
  'Sublime Text': (path: string, line: number) => `subl://open?url=file://${path}&line=${line}`,
} as const;
export type EditorName = keyof typeof EDITORS;

const KEY = 'sextant.editor';

export function chosenEditor(): EditorName {
  const stored = localStorage.getItem(KEY);
  return stored !== null && Object.hasOwn(EDITORS, stored) ? (stored as EditorName) : 'VS Code';
}

export function chooseEditor(name: string): void {
  localStorage.setItem(KEY, name);
}

export function editorAddress(root: string, path: string, line: number): string {
  const absolute = `${root.replaceAll('\\', '/')}/${path}`.split('/').map(encodeURIComponent).join('/');
  return EDITORS[chosenEditor()](absolute.startsWith('/') ? absolute : `/${absolute.replace('%3A', ':')}`, line);
}
