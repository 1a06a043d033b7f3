import { wordSet } from '../name-rules.ts';

/**
 * Methods of arrays, hashes, strings, numbers, files, procs and every object of the language. A call of one on a value
 * of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'abs add all? any? append apply assoc at attributes backtrace between? bind blank? body build bytes call',
  'capitalize ceil center chars chomp class clear clone close closed? coerce collect compact compare concat content',
  'count cover? create cycle day default delete delete_at delete_if detect dig display divmod downcase drop dup',
  'each each_char each_line each_pair each_slice each_value each_with_index each_with_object empty? end_with?',
  'entries eof? eql? equal? error extend fetch fileno fill filter filter_map find find_all find_index first',
  'flat_map flatten floor flush format freeze frozen? get get_or_set gets group_by gsub gsub! has_key? hash id',
  'include? index info inject insert inspect instance_of? instance_variable_get intern invert is_a? itself join',
  'keep_if key key? keys kill kind_of? last length lines ljust log lstrip map map! match match? max max_by member?',
  'members merge merge! message method methods min min_by minmax month name new next nil? none? now object_id one?',
  'open pack parse partition path peek perform pluck pop post prepend present present? print printf product',
  'public_send push put puts query read readline readlines reduce register reject reload remove rename replace',
  'reset respond_to? result resume reverse reverse_each rewind rindex rjust rotate round row rstrip run sample save',
  'scan search seek select send set shift shuffle size skip sleep slice sort sort_by split squeeze squish start',
  'start_with? step stop store strftime strip sub sub! succ sum swapcase symbolize_keys synchronize take take_while',
  'tally tap test then times to_a to_ary to_date to_f to_h to_hash to_i to_json to_path to_proc to_r to_s to_str',
  'to_sym to_time tr transform_keys transform_values transpose truncate type union uniq unpack unshift upcase',
  'update uri value values values_at wait warn where with write yield_self zero? zip',
);
