/**
 * Finds the HTTP routes that code serves and the addresses that it requests, line by line, where both are literals. It
 * knows the forms that frameworks use and no framework: a decorator or annotation above a function, a registration with
 * a handler, a call of an HTTP client.
 */

export interface Endpoint {
  readonly side: 'serves' | 'asks';
  /** In upper case; '' for any method, or if the line does not say. */
  readonly method: string;
  /** Path segments; `*` for a parameter. At least one is a literal. */
  readonly path: readonly string[];
  readonly line: number;
  readonly column: number;
  /** The name of the handler; '' if it is defined below the line or inline. */
  readonly handler: string;
  /** The route is a decorator or annotation above its handler. */
  readonly isAbove: boolean;
}

const MAX_LINE = 400;
/** For each file. A file that only lists routes has some hundreds. */
const MAX_ENDPOINTS = 1_000;
/** A quick test: most lines have no quoted text after a bracket or space. */
const MAYBE = /[([\s][\w$@]{0,20}["'`]/;
/** A wide gap is the layout of a table; patterns would try each of its spaces. */
const WIDE_GAP = /\S\s{40}/;
const VERBS = 'get|post|put|patch|delete|head|options';
/** A path, or an address with a host or an interpolated value before its path. */
const ADDRESS = '(?:https?:\\/\\/[^\\/"\'`\\s]+|\\$?\\{[^}"\'`]*\\})?\\/[^"\'`\\s]*';
const QUOTED = `[frbu$@]{0,2}(?<quote>["'\`])(?<address>${ADDRESS})\\k<quote>`;
const CLIENT =
  /(?:^|[.:>])(?:axios|\$?http|https|requests?|httpx|session|got|ky|superagent|\w*client|api|rest_?template)$/i;

/** `@app.get("/x")`, `@GetMapping("/x")`, `#[get("/x")]`, `[HttpGet("x")]`, `@Get('x')`. */
const ABOVE = new RegExp(
  `^\\s*(?:@|#?\\[)\\s*(?:[\\w.]{1,60}\\.)?(?:(${VERBS}|route)|(?:Http)?(${VERBS}|Request)(?:Mapping)?)` +
    `\\s*\\(\\s*(?:(?:value|path)\\s*=\\s*)?["']([^"'\\s]*)["'](.*)$`,
  'i',
);
/** `r.GET("/x", handler)`, `app.get('/x', (req) => …)`, `mux.HandleFunc("POST /x", f)`, `.route("/x", get(f))`. */
const REGISTERED = new RegExp(
  `([\\w$]{0,60})\\s*(?:\\.|::)\\s*(${VERBS}|any|all|handle|handlefunc|route)\\s*\\(\\s*` +
    `(["'\`])(?:(${VERBS})\\s+)?(\\/[^"'\`\\s]*)\\3\\s*,(.*)$`,
  'i',
);
/** Django's `path('x/', views.f)`; Rails' `get '/x', to: 'orders#show'`. */
const DJANGO = /\b(?:re_)?path\s*\(\s*r?(["'])([^"'\s]*)\1\s*,\s*([\w.]+)/;
const RAILS = new RegExp(`^\\s*(${VERBS})\\s+["']([^"'\\s]+)["']\\s*(?:,\\s*to:|=>)\\s*["'][\\w/]+#(\\w+)["']`);
/** `fetch('/x', { method: 'POST' })`, `axios('/x')`. */
const FETCHED = new RegExp(
  `(?:^|[^\\w.$])(fetch|axios|ky|got|useSWR)\\s*(?:<[^(]{0,80}>)?\\(\\s*${QUOTED}(?<rest>.*)$`,
);
/** `axios.post(`${base}/x`)`, `requests.get(BASE + "/x")`, `this.http.get<T>('/x')`, `http.Get("http://host/x")`. */
const REQUESTED = new RegExp(
  `([\\w$.]{1,60}?)\\s*(?:\\.|::)\\s*(${VERBS})\\w*\\s*(?:<[^(]{0,80}>)?\\(\\s*(?:[\\w.]{1,60}\\s*\\+\\s*)?${QUOTED}`,
  'i',
);
const REQUEST = new RegExp(`\\bNewRequest\\w*\\(.{0,120}?["'](${VERBS})["']\\s*,\\s*${QUOTED}`, 'i');

export function readEndpoints(lines: readonly string[]): Endpoint[] {
  const found: Endpoint[] = [];
  for (const [i, text] of lines.entries()) {
    if (found.length >= MAX_ENDPOINTS) break;
    if (text.length <= MAX_LINE && MAYBE.test(text) && !WIDE_GAP.test(text)) found.push(...readLine(text, i + 1));
  }
  return found;
}

function readLine(whole: string, line: number): Endpoint[] {
  const indent = Math.max(0, whole.search(/\S/));
  const text = whole.slice(indent);
  const found = readServed(text) ?? readRequest(text);
  const path = found && segmentsOf(found.address);
  if (!path) return [];
  const { side, method, handler = '', isAbove = false, column } = found;
  return [{ side, method: method.toUpperCase(), path, line, column: indent + column + 1, handler, isAbove }];
}

interface Found {
  readonly side: Endpoint['side'];
  readonly method: string;
  readonly address: string;
  readonly column: number;
  readonly handler?: string;
  readonly isAbove?: boolean;
}

function readServed(text: string): Found | null {
  const above = ABOVE.exec(text);
  if (above) {
    const [, plain = '', named = '', address = '', rest = ''] = above;
    const listed = /methods?\s*=\s*[[{(]?\s*(?:\w+\.)?["']?(\w+)/i.exec(rest)?.[1] ?? '';
    const verb = plain || named;
    const method = /^(?:route|request)$/i.test(verb) ? listed : verb;
    return { side: 'serves', method, address, column: text.search(/\S/), isAbove: true };
  }
  const rails = RAILS.exec(text);
  if (rails) return { side: 'serves', method: rails[1]!, address: rails[2]!, column: rails.index, handler: rails[3]! };
  const django = DJANGO.exec(text);
  if (django)
    return { side: 'serves', method: '', address: django[2]!, column: django.index, handler: lastName(django[3]!) };
  const registered = REGISTERED.exec(text);
  if (!registered) return null;
  const [, receiver = '', verb = '', , own = '', address = '', rest = ''] = registered;
  const isVerb = new RegExp(`^(?:${VERBS})$`, 'i').test(verb);
  if ((isVerb && CLIENT.test(receiver)) || /^\s*(?:\{|\[?["'`]|$)/.test(rest)) return null;
  const inner = new RegExp(`^\\s*(?:\\w+::)*(${VERBS})\\s*\\(`, 'i').exec(rest)?.[1] ?? '';
  const method = own || inner || (isVerb ? verb : '');
  return { side: 'serves', method, address, column: registered.index, handler: handlerIn(rest) };
}

/** The name of the last argument; '' for an inline function. */
function handlerIn(rest: string): string {
  const method = /::class\s*,\s*["'](\w+)["']/.exec(rest)?.[1];
  if (method) return method;
  if (/=>|\bfunc(?:tion)?\b|\{|\|/.test(rest)) return '';
  return lastName(rest.replace(/[\s);,]+$/, ''));
}

function lastName(text: string): string {
  return /(\w+)$/.exec(text)?.[1] ?? '';
}

function readRequest(text: string): Found | null {
  const fetched = FETCHED.exec(text);
  if (fetched) return requestOf(fetched, /\bmethod\s*:\s*["'`](\w+)/.exec(fetched.groups!.rest!)?.[1] ?? '');
  const request = REQUEST.exec(text);
  if (request) return requestOf(request, request[1]!);
  const requested = REQUESTED.exec(text);
  return requested && CLIENT.test(requested[1]!) ? requestOf(requested, requested[2]!) : null;
}

function requestOf({ groups, index }: RegExpExecArray, method: string): Found {
  return { side: 'asks', method, address: groups!.address!, column: index };
}

/** Null if no segment is a literal. */
function segmentsOf(address: string): string[] | null {
  const path = address
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/^\$?\{[^}]*\}/, '')
    .replace(/[?#].*$/, '')
    .replace(/^\^|\$$/g, '');
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/[:{<$%*([\\]/.test(part) ? '*' : part));
  return segments.some((part) => part !== '*') ? segments : null;
}

/** Both have the same path, and no different methods. */
export function isJoined(served: Endpoint, requested: Endpoint): boolean {
  if (served.path.length !== requested.path.length) return false;
  if (served.method !== '' && requested.method !== '' && served.method !== requested.method) return false;
  let isFixed = false;
  for (const [i, part] of served.path.entries()) {
    const other = requested.path[i]!;
    if (part !== '*' && other !== '*' && part !== other) return false;
    if (part === other && part !== '*') isFixed = true;
  }
  return isFixed;
}

export function endpointText({ method, path }: Endpoint): string {
  return `${method === '' ? '' : `${method} `}/${path.join('/')}`;
}
