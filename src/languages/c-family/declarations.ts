/**
 * Masks macros in declarations, which a grammar would read as types or names: `class FOO_EXPORT Bar {`, `FOO_API int
 * f(void);`, `int x GUARDED_BY(mu);`, a macro call on a line of its own. Only heads of declarations are scanned; bodies
 * of functions and initialisers are skipped.
 */
import type { TokenRanges } from './conditionals.ts';
import { TokenKind, type Tokens } from './tokens.ts';
import { VisibleTokens } from './visible-tokens.ts';

const CAPITALS = /^_*[A-Z][A-Z0-9_]{2,}$/;
const SPECIFIERS = new Set(
  (
    'static extern inline const constexpr consteval constinit volatile register restrict typedef virtual explicit ' +
    'friend mutable thread_local typename __inline __inline__ __extension__ _Noreturn signed unsigned'
  ).split(' '),
);
const PRIMITIVES = new Set('void char short int long float double bool auto wchar_t size_t _Bool'.split(' '));
const SIZED = /^u?int\d+_t$/;
const AGGREGATES = new Set(['class', 'struct', 'union', 'enum']);
/** Words between a parameter list and a body: a macro among them is an attribute. */
const AFTER_PARAMETERS = new Set(['const', 'override', 'final', 'noexcept', 'volatile', 'throw', 'requires']);
const MAX_SPECIFIERS = 12;
const LEFT_ALONE = new Set([
  'using',
  'friend',
  'static_assert',
  '_Static_assert',
  'asm',
  '__asm__',
  'concept',
  'operator',
]);

export function maskDeclarations(tokens: Tokens, hidden: Uint8Array, dialect: 'c' | 'cpp'): TokenRanges {
  return new DeclarationScan(tokens, hidden, dialect).run();
}

class DeclarationScan extends VisibleTokens {
  private readonly masked: TokenRanges = [];
  /**
   * Names of classes seen so far: a function of such a name is a constructor. Empty for C, which has no constructors.
   */
  private readonly classNames = new Set<string>();
  private readonly hasConstructors: boolean;

  constructor(tokens: Tokens, hidden: Uint8Array, dialect: 'c' | 'cpp') {
    super(tokens, hidden);
    this.hasConstructors = dialect === 'cpp';
  }

  run(): TokenRanges {
    let i = 0;
    while (i < this.length) i = this.declaration(i);
    return this.masked;
  }

  /** Scans the declaration that begins at i; returns the start of the next one. */
  private declaration(begin: number): number {
    let i = this.skipPrefix(begin);
    const first = this.word(i);
    if (first === 'using') return this.alias(i);
    if (LEFT_ALONE.has(first)) return this.skipStatement(i);
    if (CAPITALS.test(first)) {
      const after = this.skipCall(i);
      // A macro used as an access specifier (`Q_SIGNALS:`), or a macro call whose arguments are types.
      if (after === i + 1 && this.mark(after) === ':' && this.mark(after + 1) !== ':') {
        this.hide(i, after);
        return after + 1;
      }
      if (this.mark(after) === ';' && this.hasTypes(i + 1, after)) {
        this.hide(i, after - 1);
        return after + 1;
      }
      if (this.wraps(i, after)) {
        this.hide(i, i + 1);
        this.hide(after - 1, after - 1);
        return this.declaration(i + 2);
      }
      if (this.standsAlone(i, after)) {
        this.hide(i, after - 1);
        return after;
      }
    }
    i = this.specifiers(i);
    return this.rest(begin, i);
  }

  /** Scans the rest of a declaration after its specifiers, past parameter lists and bodies. */
  private rest(begin: number, from: number): number {
    let called = false;
    let assigned = false;
    let listed = false;
    let i = from;
    while (i < this.length) {
      const mark = this.mark(i);
      if (mark === ';' || mark === '}') return i + 1;
      if (mark === '(') {
        called = true;
        i = this.parameters(i);
        continue;
      }
      if (mark === '=') assigned = true;
      if (mark === '{') {
        if (!assigned && !listed) {
          const head = called && this.isFunction(from, i) ? 'body' : this.headKind(begin, i);
          // The content of a scope is declarations; the closing brace counts as a declaration of its own.
          if (head === 'scope') return i + 1;
          if (head === 'list') {
            listed = true;
            i = this.enumerators(i);
            continue;
          }
        }
        i = this.skipGroup(i);
        if (assigned || this.mark(i) === ',' || this.mark(i) === ';') continue;
        return i;
      }
      const word = this.word(i);
      if (word !== '' && !assigned && !called && this.isBetween(i)) this.hide(i, i);
      else if (word !== '' && !assigned && CAPITALS.test(word)) {
        const after = this.skipCall(i);
        if (this.isTrailing(i, after)) {
          // `void f ARGS(a) {`: the macro expands to the parameter list.
          const makesList = !called && this.isBody(after) && after > i + 1;
          this.hide(i, makesList ? i : after - 1);
          i = makesList ? i + 1 : after;
          continue;
        }
      }
      i++;
    }
    return i;
  }

  /**
   * Scans the words before a declarator. A declaration has room for one type (several primitive words, or `struct x`)
   * and one name; further words are macros.
   */
  private specifiers(from: number): number {
    const counted: { at: number; end: number; word: string; primitive: boolean }[] = [];
    let isExplicit = false;
    let i = from;
    for (; i < this.length; i++) {
      const word = this.word(i);
      if (word === '' || word === 'operator') break;
      if (SPECIFIERS.has(word) || word === '__attribute__' || word === '__declspec' || word === 'alignas') {
        isExplicit ||= word === 'explicit';
        // Standard attributes are left to the grammar.
        if (this.mark(i + 1) === '(') i = this.skipGroup(i + 1) - 1;
        continue;
      }
      if (word === 'namespace') return i;
      if (AGGREGATES.has(word)) {
        const name = this.aggregateName(i);
        if (name < 0) return i + 1;
        if (this.hasConstructors) this.classNames.add(this.word(name));
        counted.push({ at: i, end: name, word: '', primitive: false });
        i = name;
        continue;
      }
      const primitive = PRIMITIVES.has(word);
      const last = counted[counted.length - 1];
      if (primitive && last?.primitive) continue;
      let end = i;
      if (CAPITALS.test(word) && this.mark(i + 1) === '(') {
        const after = this.skipGroup(i + 1);
        if (this.word(after) === '' || this.word(after) === 'operator') break;
        end = after - 1;
      }
      counted.push({ at: i, end, word, primitive });
      // That many words in a row are prose.
      if (counted.length > MAX_SPECIFIERS) return i;
      i = end;
    }
    const next = this.mark(i);
    const needed = this.roomFor(i, next, counted[counted.length - 1]?.word ?? '', isExplicit);
    let excess = counted.length - needed;
    const blank = (test: (index: number) => boolean): void => {
      for (let k = 0; k < counted.length && excess > 0; k++) {
        const entry = counted[k]!;
        if (entry.at < 0 || !test(k)) continue;
        this.hide(entry.at, entry.end);
        counted[k] = { ...entry, at: -1 };
        excess--;
      }
    };
    const last = counted.length - 1;
    blank((k) => CAPITALS.test(counted[k]!.word) && (k < last || needed !== 1));
    blank((k) => counted[k]!.word !== '' && counted.some((other, at) => at > k && other.primitive));
    if (next === '(') blank((k) => k < last && !counted[k]!.primitive && counted[k]!.word !== '');
    return i;
  }

  /** How many of the counted words can be a type and a name at this point. */
  private roomFor(at: number, next: string, last: string, isExplicit: boolean): number {
    // A conversion operator has no return type before it, any other operator has one.
    if (this.word(at) === 'operator') return this.word(at + 1) === '' ? 1 : 0;
    if (next === '(' && (isExplicit || this.classNames.has(last))) return 1;
    // A destructor has no type, and in `struct a {` there is no room for a further word.
    if (next === '~') return 0;
    if (next === '{' && last === '') return 1;
    return next === '*' || next === '&' || next === ':' || next === '<' ? 1 : 2;
  }

  /** The token of the name after class, struct, union or enum, with macros before it masked; -1 for none. */
  private aggregateName(keyword: number): number {
    let i = keyword + 1;
    if (this.word(keyword) === 'enum' && AGGREGATES.has(this.word(i))) i++;
    const macros: [number, number][] = [];
    for (;;) {
      const word = this.word(i);
      if (word === '') {
        if (this.mark(i) === '[' && this.mark(i + 1) === '[') {
          i = this.skipGroup(i);
          continue;
        }
        return -1;
      }
      const after = this.skipCall(i);
      if (/^(?:__attribute__|__declspec|alignas)$/.test(word)) {
        i = after;
        continue;
      }
      const next = this.word(after);
      if (next === 'final' || next === '') break;
      // `struct a b` may be a type and a variable: only before a body or a base class the last word is certainly the
      // name. `class A b` is too rare to matter.
      const beyond = this.mark(after + 1);
      const isBase = beyond === ':' && this.mark(after + 2) !== ':';
      const certain = isBase || beyond === '{' || beyond === '<' || this.word(after + 1) === 'final';
      if (!certain && !CAPITALS.test(word)) break;
      if (!certain && this.word(keyword) !== 'class' && this.word(after + 1) === '') break;
      macros.push([i, after - 1]);
      i = after;
    }
    for (const [a, b] of macros) this.hide(a, b);
    return i;
  }

  private hasTypes(from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const word = this.word(i);
      if (word !== '' && (SPECIFIERS.has(word) || PRIMITIVES.has(word) || SIZED.test(word))) return true;
    }
    return false;
  }

  /** `MACRO(static int f(void)) {`: the argument of the macro is a whole declaration. */
  private wraps(at: number, after: number): boolean {
    const follows = this.mark(after);
    if (after === at + 1 || (follows !== '{' && follows !== ';') || this.mark(after - 2) !== ')') return false;
    return this.word(at + 2) !== '' && (this.word(at + 3) !== '' || this.mark(at + 3) === '*');
  }

  /** A macro (call) between declarations: the next token starts a declaration on a later line. */
  private standsAlone(at: number, after: number): boolean {
    if (after >= this.length) return true;
    const { text, starts, ends } = this.tokens;
    if (!text.slice(ends[this.order[after - 1]!]!, starts[this.order[after]!]!).includes('\n')) return false;
    const mark = this.mark(after);
    if (mark === '}' || mark === '~' || (mark === '[' && this.mark(after + 1) === '[')) return true;
    const word = this.word(after);
    if (word === '') return false;
    if (after > at + 1) return true;
    const next = this.mark(after + 1);
    if (CAPITALS.test(word) && (next === '}' || next === '(' || after + 1 >= this.length)) return true;
    // A type on a line of its own, followed by the name of the function.
    return (
      SPECIFIERS.has(word) ||
      PRIMITIVES.has(word) ||
      AGGREGATES.has(word) ||
      this.word(after + 1) !== '' ||
      /^(?:namespace|using|template|extern)$/.test(word)
    );
  }

  /** `) MACRO {`, `) MACRO(x) const;`, `Type name MACRO(x) = 1;` */
  private isTrailing(at: number, after: number): boolean {
    const next = this.mark(after);
    const word = this.word(after);
    const ends = next !== '' && '{;=:,-)'.includes(next);
    if (!ends && !AFTER_PARAMETERS.has(word) && !CAPITALS.test(word)) return false;
    if (this.mark(at - 1) === ')' || AFTER_PARAMETERS.has(this.word(at - 1))) return true;
    const before = this.word(at - 1);
    if (this.mark(at - 1) === ']') return true;
    if (before === '' || SPECIFIERS.has(before) || PRIMITIVES.has(before)) return false;
    const beyond = this.word(at - 2);
    if (beyond !== '') return !SPECIFIERS.has(beyond) && !AGGREGATES.has(beyond);
    return /^[>*&]$/.test(this.mark(at - 2));
  }

  /** An opening brace of a body. A semicolon would follow the braces of an initialiser. */
  private isBody(at: number): boolean {
    return this.mark(at) === '{' && this.mark(this.skipGroup(at)) !== ';';
  }

  /** `char * MACRO name(`: after a pointer sign there is room for one name only. */
  private isBetween(at: number): boolean {
    const before = this.mark(at - 1);
    if (before !== '*' && before !== '&' && before !== '>') return false;
    if (before === '>' && this.mark(at - 2) === '-') return false;
    if (SPECIFIERS.has(this.word(at)) || LEFT_ALONE.has(this.word(at))) return false;
    const name = this.word(at + 1);
    if (name === '' || SPECIFIERS.has(name) || AFTER_PARAMETERS.has(name)) return false;
    if (CAPITALS.test(name) && !CAPITALS.test(this.word(at))) return false;
    const next = this.mark(at + 2);
    return next !== '' && '(;=[:,)'.includes(next);
  }

  /** Enumerators that macros generate: `#define XX(a) A_##a,` and `MAP(XX)` between the braces of an enum. */
  private enumerators(open: number): number {
    const end = this.skipGroup(open);
    for (let i = open + 1; i < end - 1; i++) {
      if (this.mark(i + 1) !== '(' || this.mark(i - 1) === '=' || this.word(i) === '') continue;
      const after = this.skipGroup(i + 1);
      if (this.word(after) !== '' || this.mark(after) === '}') this.hide(i, after - 1);
      i = after - 1;
    }
    const { kinds, text, starts } = this.tokens;
    for (let token = this.order[open]!; token < (this.order[end - 1] ?? 0); token++)
      if (
        kinds[token] === TokenKind.Directive &&
        /^#\s*(?:define|undef)/.test(text.slice(starts[token]!, starts[token]! + 16))
      )
        this.masked.push([token, token]);
    return end;
  }

  /** Masks macros before and after the name of a parameter; returns the end of the list. */
  private parameters(open: number): number {
    const end = this.skipGroup(open);
    for (let i = open + 1; i < end - 1; i++) {
      const word = this.word(i);
      if (word === '') continue;
      if (this.isBetween(i)) this.hide(i, i);
      else if (CAPITALS.test(word)) {
        const after = this.skipCall(i);
        if (this.isTrailing(i, after)) this.hide(i, after - 1);
      }
    }
    return end;
  }

  /** `using A MACRO = B* macro;` */
  private alias(at: number): number {
    const end = this.skipStatement(at);
    if (CAPITALS.test(this.word(at + 2)) && this.mark(at + 3) === '=') this.hide(at + 2, at + 2);
    const last = end - 2;
    const before = this.mark(last - 1);
    if (this.word(last) !== '' && !SPECIFIERS.has(this.word(last)) && (before === '*' || before === '&'))
      this.hide(last, last);
    return end;
  }

  /**
   * `struct a f(int) {` and `enum b g(void) {` are functions. In `class A : B<decltype(x)> {` the brackets come after a
   * colon.
   */
  private isFunction(from: number, brace: number): boolean {
    for (let i = from; i < brace; i++) {
      if (this.mark(i) === '(') return true;
      if (this.mark(i) === ':' && this.mark(i + 1) !== ':' && this.mark(i - 1) !== ':') return false;
    }
    return false;
  }

  private headKind(begin: number, brace: number): 'scope' | 'list' | 'body' {
    for (let i = begin; i < brace; i++) {
      const word = this.word(i);
      if (word === 'enum') return 'list';
      if (word === 'namespace' || word === 'class' || word === 'struct' || word === 'union') return 'scope';
      if (word === 'extern' && this.tokens.kinds[this.order[i + 1]!] === TokenKind.Literal) return 'scope';
      if (word === 'template' && this.mark(i + 1) === '<') i = this.skipAngles(i + 1) - 1;
    }
    return 'body';
  }

  private hide(first: number, last: number): void {
    this.masked.push([this.order[first]!, this.order[last]!]);
  }
}
