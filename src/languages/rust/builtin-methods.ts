import { wordSet } from '../name-rules.ts';

/**
 * Methods of vectors, maps, strings, options, results, iterators, locks, cells and the like of the standard library. A
 * call of one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'abs all and and_then any append as_bytes as_deref as_mut as_ref as_slice as_str borrow borrow_mut bytes ceil',
  'chain chars checked_add checked_sub chunks clear clone cloned cmp collect compare_exchange concat contains',
  'contains_key copied copy_from_slice count cycle default deref deref_mut display drain drop elapsed ends_with',
  'entry enumerate eq err exists expect expect_err extend extend_from_slice fetch_add fetch_sub fill filter',
  'filter_map find first flat_map flatten floor flush fmt fold for_each from from_str get get_mut',
  'get_or_insert_with hash index insert into into_inner into_iter is_empty is_err is_none is_ok is_some iter',
  'iter_mut join keys last len lines load lock map map_err max max_by max_by_key min min_by min_by_key ne next',
  'next_back nth ok ok_or ok_or_else open or or_else or_insert or_insert_with parse partition path peek peekable',
  'poll pop pop_front position product push push_back push_front push_str read read_exact read_to_end',
  'read_to_string recv remove repeat replace reserve resize retain rev reverse rfind round saturating_sub send set',
  'shrink_to_fit skip skip_while slice sort sort_by sort_by_key sort_unstable spawn split split_at split_off',
  'split_whitespace starts_with step_by store sum swap take take_while then to_ascii_lowercase to_lowercase',
  'to_owned to_path_buf to_string to_uppercase to_vec trim trim_end trim_start truncate try_from try_into try_lock',
  'try_recv unwrap unwrap_or unwrap_or_default unwrap_or_else unzip update values values_mut wait windows',
  'with_capacity wrapping_add write write_all write_fmt write_str zip',
);
