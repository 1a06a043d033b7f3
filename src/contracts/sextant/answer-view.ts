/**
 * The view that shows answers inside a client (MCP Apps, extension io.modelcontextprotocol/ui): results as a list,
 * calls as a graph. The build makes it from the code of the web page.
 */
import { readFile } from 'node:fs/promises';
import type { ResourceContent } from '../kit/text-content.ts';
import { VIEW_TYPE } from '../kit/view-type.ts';

export const ANSWER_VIEW = 'ui://sextant/answers';

/** Returns null if this build has no such view. */
export async function readAnswerView(file: string | null): Promise<readonly ResourceContent[] | null> {
  if (file === null) return null;
  const text = await readFile(file, 'utf8');
  return [{ uri: ANSWER_VIEW, mimeType: VIEW_TYPE, text, _meta: { ui: { prefersBorder: true } } }];
}
