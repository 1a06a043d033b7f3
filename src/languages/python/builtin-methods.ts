import { wordSet } from '../name-rules.ts';

/**
 * Methods of dictionaries, lists, strings, sets, files, paths, matches, queues, threads, sockets, loggers and the like,
 * and those that the language itself calls. A call of one on a value of unknown type hardly ever means a method of the
 * project.
 */
export const BUILTIN_METHODS = wordSet(
  'absolute accept acquire add addHandler append appendleft as_posix bind cancel capitalize casefold center chmod',
  'clear close communicate connect copy count critical date debug decode detach difference difference_update',
  'discard done dup elements empty encode end endswith error exception exists expandtabs extend fileno filter find',
  'findall finditer flush format format_map fromkeys full fullmatch get get_nowait getvalue glob group groupdict',
  'groups handle hex index info insert intersection intersection_update is_absolute is_alive is_dir is_file is_set',
  'isalnum isalpha isascii isatty isdecimal isdigit isdisjoint isidentifier islower isnumeric isoformat isspace',
  'issubset issuperset istitle isupper items iterdir join joinpath keys kill listen ljust log lower lstrip',
  'maketrans match mkdir most_common move_to_end next now open partition poll pop popitem popleft put put_nowait',
  'qsize read read_bytes read_text readable readinto readline readlines recv relative_to release remove',
  'removeprefix removesuffix rename replace resolve result reverse rfind rglob rindex rjust rmdir rotate rpartition',
  'rsplit rstrip run search seek seekable send sendall set set_exception set_result setdefault setLevel shutdown',
  'sort span split splitlines start startswith stat stop strftime strip sub subn swapcase symmetric_difference',
  'task_done tell terminate throw time timestamp title to_bytes touch translate truncate union unlink update upper',
  '__aenter__ __aexit__ __call__ __class_getitem__ __contains__ __copy__ __deepcopy__ __delattr__ __delitem__ __dir__',
  '__enter__ __eq__ __exit__ __format__ __get__ __getattr__ __getattribute__ __getitem__ __getstate__ __hash__',
  '__init__ __init_subclass__ __iter__ __len__ __ne__ __new__ __next__ __reduce__ __reduce_ex__ __repr__ __set__',
  '__set_name__ __setattr__ __setitem__ __setstate__ __str__ __subclasshook__',
  'values wait warn warning weekday with_suffix writable write write_bytes write_text writelines zfill',
);
