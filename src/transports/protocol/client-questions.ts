/**
 * Converts questions to the client into wire form, and answers back. Checks the shape of answers; handlers must not
 * trust their content.
 */

import type { ClientAnswer, ClientQuestion, QuestionKind } from '../../contracts/index.ts';
import { isRecord } from '../../model/runtime/is-record.ts';

export interface WireRequest {
  readonly method: 'sampling/createMessage' | 'elicitation/create' | 'roots/list';
  readonly params: Record<string, unknown>;
}

export function questionToWire(question: ClientQuestion): WireRequest {
  switch (question.kind) {
    case 'sampling':
      return {
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: question.prompt } }],
          ...(question.system !== undefined && { systemPrompt: question.system }),
          maxTokens: question.maxTokens,
        },
      };
    case 'elicitation':
      return {
        method: 'elicitation/create',
        params: { message: question.message, requestedSchema: question.schema },
      };
    case 'roots':
      return { method: 'roots/list', params: {} };
  }
}

/** Returns null if the answer has another shape. */
export function answerFromWire(kind: QuestionKind, answer: unknown): ClientAnswer | null {
  if (!isRecord(answer)) return null;
  switch (kind) {
    case 'sampling': {
      const blocks = Array.isArray(answer.content) ? answer.content : [answer.content];
      const texts = blocks.flatMap((block) => (isRecord(block) && typeof block.text === 'string' ? [block.text] : []));
      return texts.length > 0 ? { kind, text: texts.join('\n') } : null;
    }
    case 'elicitation': {
      const { action } = answer;
      if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return null;
      return { kind, action, content: isRecord(answer.content) ? answer.content : {} };
    }
    case 'roots': {
      if (!Array.isArray(answer.roots)) return null;
      const roots = answer.roots.flatMap((root: unknown) =>
        isRecord(root) && typeof root.uri === 'string'
          ? [{ uri: root.uri, ...(typeof root.name === 'string' && { name: root.name }) }]
          : [],
      );
      return { kind, roots };
    }
  }
}
