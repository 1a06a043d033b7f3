import { wordSet } from '../name-rules.ts';

/**
 * Global objects, classes and namespaces of the language, of browsers and of Node. `globalThis` and `window` are
 * missing on purpose: their members may be the program's own.
 */
export const PLATFORM_OBJECTS = wordSet(
  'AbortController AbortSignal Array ArrayBuffer Atomics BigInt Blob Boolean BroadcastChannel Buffer Bun CSS',
  'CustomEvent DOMParser DataView Date Deno Element Error Event EventSource EventTarget File FileReader',
  'FinalizationRegistry FormData Function HTMLElement Headers Infinity Intl IntersectionObserver Iterator JSON Map',
  'Math MessageChannel MutationObserver Node Notification Number Object Performance Promise Proxy RangeError',
  'ReadableStream Reflect RegExp Request ResizeObserver Response Set SharedArrayBuffer String Symbol SyntaxError',
  'TextDecoder TextEncoder TransformStream TypeError URL URLPattern URLSearchParams WeakMap WeakRef WeakSet',
  'WebAssembly WebSocket Worker WritableStream XMLHttpRequest caches chrome console crypto customElements document',
  'history indexedDB localStorage location navigator performance process screen sessionStorage',
);
