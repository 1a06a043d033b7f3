/** How PHP declares a variable. */
import { OPAQUE, opener, type ReadDeclared, typed, valued } from '../runtime/reading/declared.ts';

export const readPhp: ReadDeclared = (before, after) => {
  if (!before.endsWith('$')) return null;
  const lead = before.slice(0, -1);
  const value = /^\s*=(?![=>])(.*)$/s.exec(after)?.[1];
  if (value !== undefined && !/(?:->|::)$/.test(lead)) {
    const type = /(\??[\w\\|]+)\s+[&.]*$/.exec(lead)?.[1];
    return type && opener(lead) === '(' ? typed(type) : valued(value);
  }
  if (/\bas\s+(?:\$\w+\s*=>\s*)?&?$/.test(lead)) return OPAQUE;
  const type = /[(,]\s*((?:readonly\s+|private\s+|public\s+|protected\s+)*\??[\w\\|]+)\s+[&.]*$/.exec(lead)?.[1];
  return type && /^\s*[,)=]/.test(after) ? typed(type) : null;
};
