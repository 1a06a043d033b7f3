export function checkPinned(what: string, bytes: Uint8Array, pinned: string | undefined): void;
