/**
 * The features of the learned model: the words of a passage, pairs of neighbouring words, and pairs of kinds of words.
 * Kinds generalise to wordings that the labelled cases do not have.
 */

/** Words by kind. A word has at most one kind. */
const KINDS: Readonly<Record<string, string>> = {
  reader:
    'ai ais llm llms gpt chatgpt claude copilot gemini cursor codex agent agents assistant assistants bot ' +
    'bots chatbot chatbots robot robots machine machines model models crawler crawlers summariser ' +
    'summarizer',
  person:
    'user users human humans operator operators developer developers person people owner customer anyone ' +
    'anybody somebody someone everybody reader readers maintainer maintainers team',
  telling:
    'tell mention disclose inform reveal report notify warn say announce explain note narrate admit claim ' +
    'state list describe summarise summarize summary changelog',
  silence:
    'silently quietly secretly hide hidden conceal omit skip leave out withhold invisible unnoticed ' +
    'itself themselves notice bothered silence',
  secret:
    'secret secrets token tokens password passwords credential credentials key keys env ssh cookies ' +
    'shadow history private session config hostnames',
  sending:
    'send upload post forward transmit paste submit attach append transfer leak email mail publish share ' +
    'echo print dump output expose',
  lifting:
    'ignore disregard forget override overrule bypass suspended suspend void unlock lift lifted disable ' +
    'replace supersede abandon drop stop cease instead',
  orders:
    'instruction instructions prompt prompts guidelines directive directives orders rules policy task ' +
    'request objective plan',
  running:
    'run execute install fetch curl wget bash sh invoke call delete remove wipe rm push merge deploy open ' +
    'download write',
  verdict:
    'approve approved lgtm praise rate rank score flawless safe harmless positive verdict rating resolved ' +
    'issues findings vulnerable vulnerabilities severity problem problems wrong best fastest recommend',
  answering: 'reply respond answer answers response output repeat verbatim conclude',
  absolute:
    'only always never regardless irrespective whatever whichever exactly every everything immediately ' +
    'nothing elsewhere',
  pretending: 'pretend act identity persona role simulate assume mode treat though character',
  refusing: 'not no dont don doesnt without refrain avoid refuse cannot',
  you: 'you your yours yourself',
  duty: 'must shall should have has need needs may allowed encouraged expected please kindly',
};

const kindOf = new Map(Object.entries(KINDS).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind])));
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?|[:“]|<!--/gu;
const MAX_WORDS = 120;

/** The distinct features of a passage in lower case with blanked quotations. */
export function wordFeatures(unquoted: string): Set<string> {
  const words = Array.from(unquoted.matchAll(WORD), ([word]) => word).slice(0, MAX_WORDS);
  const bare = words.map((word) => kindOf.get(word.replace(/['’]/g, '')) ?? null);
  const kinds = bare.map((kind, i) => (kind !== null && isForbidden(words, i) ? `not-${kind}` : kind));
  const found = new Set<string>();
  words.forEach((word, i) => {
    const next = words[i + 1];
    found.add(word);
    const kind = kinds[i];
    if (kind) found.add(`#${kind}`);
    if (next === undefined) return;
    found.add(`${word} ${next}`);
    const [left, right] = [kind ? `#${kind}` : word, kinds[i + 1] ? `#${kinds[i + 1]}` : next];
    found.add(`${left} ${right}`);
  });
  const present = [...new Set(kinds.filter((kind) => kind !== null))].sort();
  for (const [i, one] of present.entries()) for (const other of present.slice(i + 1)) found.add(`#${one}+#${other}`);
  if (/^[^\p{L}]*(?:[\p{L}]+ ){0,3}[\p{L}]+ ?[:,(]/u.test(unquoted) && bare.slice(0, 5).includes('reader'))
    found.add('#addressed');
  return found;
}

const FORBIDDING: ReadonlySet<string> = new Set(
  'not never no dont don cannot without nothing refrain avoid'.split(' '),
);

/** Marks negated words: "do not upload" is a rule and "upload" an order, but "do not tell" is an order. */
function isForbidden(words: readonly string[], at: number): boolean {
  return words.slice(Math.max(0, at - 3), at).some((word) => FORBIDDING.has(word.replace(/['’]/g, '')));
}

/** Passages are judged in pieces of this many characters, since an order is a sentence or two. */
const PIECE = 320;

/** Splits a text into pieces of whole sentences, and cuts a sentence that is longer than a piece. */
export function piecesOf(unquoted: string): string[] {
  if (unquoted.length <= PIECE) return [unquoted];
  const pieces: string[] = [];
  let piece = '';
  for (const sentence of unquoted.split(/(?<=[.!?;。！？]) /))
    for (let at = 0; at < sentence.length; at += PIECE) {
      const part = sentence.slice(at, at + PIECE);
      if (piece !== '' && piece.length + part.length > PIECE) {
        pieces.push(piece);
        piece = '';
      }
      piece += `${piece === '' ? '' : ' '}${part}`;
    }
  return [...pieces, piece];
}
