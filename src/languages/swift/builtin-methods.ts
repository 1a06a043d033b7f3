import { wordSet } from '../name-rules.ts';

/**
 * Methods of arrays, dictionaries, strings, sets, optionals, sequences, data, dates and the like of the standard
 * library. A call of one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'abs add addObserver advanced all allSatisfy append appending apply async await begin bind cancel capitalized',
  'ceil clear close compactMap compare components connect contains copy count data date decode deinitialize',
  'distance drop dropFirst dropLast elementsEqual encode end enumerated error fetch fill filter finish first',
  'firstIndex flatMap flush forEach format formIndex get hash hasPrefix hasSuffix index insert insertSpace',
  'intersection invalidate isEmpty isSubset iterator join joined keys last lastIndex lazy load lock log lowercased',
  'makeIterator map mapValues max merge merging min move next notify observe offset open partition perform pop',
  'popLast post prefix print publish push put randomElement read receive reduce register reload remove removeAll',
  'removeFirst removeLast removeObserver removeSubrange removeValue replace replaceSubrange replacingOccurrences',
  'reserveCapacity reset resume reverse reversed round run save seek send set setValue shuffle shuffled signal sink',
  'sort sorted split start starts stop store string sub subscribe subtract subtracting suffix suspend swapAt sync',
  'synchronize toggle trim trimmingCharacters union unlock update uppercased value values wait withUnsafeBytes',
  'write zip',
);
