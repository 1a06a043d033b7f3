/** A discovery as an agent records it. */
import type { NewDiscovery } from '../notebook/remember.ts';

export const statement = (content: string, rest: Partial<NewDiscovery> = {}): NewDiscovery => ({
  type: 'rule',
  content,
  module: '',
  session: '',
  origin: 'agent',
  evidence: [],
  ...rest,
});
