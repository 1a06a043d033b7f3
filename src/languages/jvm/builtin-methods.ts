import { wordSet } from '../name-rules.ts';

/**
 * Methods of collections, maps, strings, streams, optionals, builders, threads and the like of the standard library. A
 * call of one on a value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'accept add addAll addFirst addLast all allMatch also and andThen any anyMatch append apply associateBy await',
  'call cancel ceil charAt chars clear clone close collect compare compareTo complete computeIfAbsent',
  'computeIfPresent concat connect contains containsAll containsKey containsValue copy copyOf count countDown',
  'create delete descendingIterator distinct drop element empty endsWith entries entrySet equals error exec execute',
  'exists exit fill filter filterNot find findAll findAny findFirst first firstOrNull flatMap flatten flush fold',
  'forEach format get getAll getAndSet getBytes getClass getFirst getId getKey getLast getLength getMessage getName',
  'getOrDefault getOrElse getOrNull getOrPut getSize getType getValue group groupBy groupingBy handle hashCode',
  'hasNext head headOption ifPresent ignoreCase incrementAndGet indexOf info init insert intern invoke invokeAll',
  'isBlank isDefined isDone isEmpty isInterrupted isNotEmpty isPresent iterator join joinToString keys keySet last',
  'lastIndexOf lastOrNull length let limit lines list listIterator load lock log map mapNotNull mapTo mapValues',
  'match matches max maxBy merge min minBy minus mkString negate next noneMatch notify notifyAll of offer open or',
  'orElse orElseGet orElseThrow parallelStream parse partition peek pick plus poll pop print printf println push',
  'put putAll putIfAbsent query read readLine receive reduce register remove removeAll removeFirst removeIf',
  'removeLast replace replaceAll reset resolve retainAll reverse reversed run save schedule scope search send set',
  'setValue shutdown size skip sleep slice sort sorted split start startsWith stop stream subList submit',
  'subSequence subString substring sum tail take takeIf takeWhile test thenApply toArray toByteArray toInt toList',
  'toLong toLowerCase toMap toMutableList toSeq toSet toString toUpperCase trim tryLock union unlock update use',
  'value valueOf values visit wait warn with write writeTo zip',
);
