import { wordSet } from '../name-rules.ts';

/**
 * Methods of lists, maps, allocators, readers, writers and the like of the standard library. A call of one on a value
 * of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'add addOne alloc allocator allocPrint append appendAssumeCapacity appendSlice clear clearAndFree',
  'clearRetainingCapacity clone close contains copy count create deinit destroy dupe dupeZ end endsWith',
  'ensureTotalCapacity eql fetchAdd fetchPut fetchRemove find first flush format free get getEntry getKey getOrPut',
  'getPtr index indexOf init insert items iterator join keyIterator keys kill last len load lock log map next open',
  'orderedRemove parse peek pop popOrNull print put putAssumeCapacity read readAll readByte readInt realloc remove',
  'replace reset resize reverse run save seek seekTo send set shrinkAndFree size slice sort spawn split start',
  'startsWith stop store swap swapRemove toOwnedSlice toString trim unlock update valueIterator values wait write',
  'writeAll writeByte writeInt',
);
