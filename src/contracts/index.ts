/**
 * The contracts room: six tool sets over the same engine. It owns tool names, schemas, answers and error forms; it must
 * not know how a message travels (transports) nor how an answer is found (engine). A profile is loaded when it is first
 * served.
 */
import type { CreateProfile, Profile, ProfileName, ProfileOptions } from './contract.ts';
import { ABOUT_QUOTATIONS } from './kit/untrusted-text.ts';

export * from './contract.ts';
export { AnswerAwaited, callTool, resultText } from './dispatch.ts';
export { Metrics } from './kit/metrics/call-metrics.ts';
export { MetricsFile } from './kit/metrics/metrics-file.ts';
export * from './kit/text-content.ts';

const LOADERS: Partial<Record<ProfileName, () => Promise<CreateProfile>>> = {
  sextant: async () => (await import('./sextant/index.ts')).createProfile,
  swiftindex: async () => (await import('./swiftindex/index.ts')).createProfile,
  gocontext: async () => (await import('./gocontext/index.ts')).createProfile,
  'context-tool': async () => (await import('./context-tool/index.ts')).createProfile,
  codecompass: async () => (await import('./codecompass/index.ts')).createProfile,
  cortex: async () => (await import('./cortex/index.ts')).createProfile,
};

/** Profiles that this build serves, the default first. */
export const SERVED_PROFILES = Object.keys(LOADERS) as readonly ProfileName[];

export async function loadProfile(name: ProfileName, options: ProfileOptions): Promise<Profile> {
  const load = LOADERS[name];
  if (!load) throw new Error(`The profile ${name} is not served.`);
  const profile = (await load())(options);
  return { ...profile, instructions: `${profile.instructions}\n${ABOUT_QUOTATIONS}` };
}
