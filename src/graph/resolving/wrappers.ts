/** Words that stand for the type around them, and types that only pass on what they hold. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SELF = words('this self Self cls $this static __MODULE__');
/** In Rust `super` is the module above. */
const SUPER: Readonly<Record<string, string>> = { csharp: 'base', php: 'parent', rust: '' };

/** A word for the type around, or a value of it. */
export function isSelf(name: string, language: string): boolean {
  return (
    SELF.has(name) &&
    !(name === 'self' && (language === 'elixir' || language === 'zig')) &&
    !(name === 'static' && language !== 'php')
  );
}

/** The word for what the type around inherits. */
export function isSuper(name: string, language: string): boolean {
  return name === (SUPER[language] ?? 'super');
}

/** `super`, `super()`, `super<Base>`, `Base.super`, `base`, `parent`: what a method is called on that is not to be looked up in the type around. */
export function isSuperReceiver(receiver: string, language: string): boolean {
  const word = /^(?:[\w.]+\.)?(\w+)(?:\([^()]*\)|<[^<>]*>|\[[^[\]]*\]|@\w+)?$/.exec(receiver)?.[1];
  return word !== undefined && isSuper(word, language);
}

const TRANSPARENT: Readonly<Record<string, ReadonlySet<string>>> = {
  rust: words('Box Arc Rc Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin Cow'),
  cpp: words('unique_ptr shared_ptr scoped_refptr optional reference_wrapper not_null NotNull StatusOr'),
  python: words('Optional Annotated Final ClassVar Type type Required NotRequired ReadOnly'),
  typescript: words('Readonly Partial Required NonNullable Awaited'),
  tsx: words('Readonly Partial Required NonNullable Awaited'),
  swift: words('Optional'),
  csharp: words('Nullable'),
};

export function isTransparent(name: string, language: string): boolean {
  return TRANSPARENT[language]?.has(name) ?? false;
}

/** Calls that give what an option, result, lock or future holds. */
export const UNWRAPPING = words(
  'unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked lock read write borrow borrow_mut get get_mut as_ref as_mut as_deref cloned copied ok value orElseThrow orElse load into_inner await result Result Value wait',
);
/** Calls that give an element of a list. */
export const ELEMENTS_BY_CALL = words('first last pop shift next at peek poll remove min max find single');
