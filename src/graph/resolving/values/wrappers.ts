/** Words that stand for what a type inherits, and calls that give what a value holds. */
import { type NameRules, wordSet } from '../../../languages/name-rules.ts';

/**
 * `super`, `super()`, `super<Base>`, `Base.super`, `base`, `parent`: what a method is called on that is not to be
 * looked up in the type around.
 */
export function isSuperReceiver(receiver: string, { superWord }: NameRules): boolean {
  const word = /^(?:[\w.]+\.)?(\w+)(?:\([^()]*\)|<[^<>]*>|\[[^[\]]*\]|@\w+)?$/.exec(receiver)?.[1];
  return word !== undefined && word === superWord;
}

/** Calls that give what an option, result, lock or future holds. */
export const UNWRAPPING = wordSet(
  'unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked lock read write borrow borrow_mut ' +
    'get get_mut as_ref as_mut as_deref cloned copied ok value orElseThrow orElse load into_inner await result ' +
    'Result Value wait',
);
/** Calls that give an element of a list. */
export const ELEMENTS_BY_CALL = wordSet('first last pop shift next at peek poll remove min max find single');
