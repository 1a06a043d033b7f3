export function makeManifests(about: Record<string, unknown>, platforms: readonly string[]): Record<string, unknown>;
