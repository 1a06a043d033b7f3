import { wordSet } from '../name-rules.ts';

/**
 * Methods of containers, strings, streams, pointers, iterators, locks and the like of the standard library. A call of
 * one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'add append assign at back begin c_str cbegin cend clear clone close compare connect contains copy count data',
  'detach emplace emplace_back emplace_front empty end equal erase error exchange exists fetch_add fill find',
  'find_first_of find_last_of first flush format front get get_allocator getline good has has_value hash imag index',
  'init insert invoke is_open join key key_eq last length load lock log lower_bound map match max max_size merge',
  'message min name next notify_all notify_one open owns_lock peek pop pop_back pop_front print push push_back',
  'push_front put rbegin read real release remove rend replace reserve reset resize rfind run save second seek',
  'seekg send set shrink_to_fit size sort splice start starts_with stop store str string substr swap tellg test',
  'to_string top try_emplace try_lock type unlock update upper_bound use_count valid value value_or values wait',
  'wait_for what write',
);
