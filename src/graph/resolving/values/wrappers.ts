/** Receivers that mean the supertype, and methods that return the value inside of a wrapper. */
import { type NameRules, wordSet } from '../../../languages/name-rules.ts';

/** The receiver means the supertype: `super`, `super()`, `super<Base>`, `Base.super`, `base`, `parent`. */
export function isSuperReceiver(receiver: string, { superWord }: NameRules): boolean {
  const word = /^(?:[\w.]+\.)?(\w+)(?:\([^()]*\)|<[^<>]*>|\[[^[\]]*\]|@\w+)?$/.exec(receiver)?.[1];
  return word !== undefined && word === superWord;
}

/** Methods that return the value inside of an option, result, lock or future. */
export const UNWRAPPING = wordSet(
  'unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked lock read write borrow borrow_mut ' +
    'get get_mut as_ref as_mut as_deref cloned copied ok value orElseThrow orElse load into_inner await result ' +
    'Result Value wait',
);
/** Methods that return an element of a list. */
export const ELEMENTS_BY_CALL = wordSet('first last pop shift next at peek poll remove min max find single');
/** Methods that return a value of the receiver's type where the type does not define them. */
export const RETURNS_RECEIVER = wordSet(
  'new init clone copy dup tap itself to_owned as_ref as_mut borrow borrow_mut self apply also',
);
