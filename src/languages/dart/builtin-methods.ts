import { wordSet } from '../name-rules.ts';

/**
 * Methods of lists, maps, strings, sets, futures, streams and the like of the core library. A call of one on a value of
 * unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'abs add addAll any asMap asStream build call cancel cast catchError ceil clear close compareTo complete',
  'completeError contains containsKey containsValue copyWith create delete dispose elementAt endsWith entries every',
  'expand fill fillRange firstWhere floor flush fold followedBy forEach format get getRange handle hasMatch indexOf',
  'indexWhere init insert insertAll join last lastIndexOf lastWhere listen load log map matchAsPrefix moveNext',
  'noSuchMethod open padLeft parse pause pop print push putIfAbsent read reduce remove removeAll removeAt',
  'removeLast removeListener removeWhere replaceAll replaceFirst reset resume retainWhere reversed round run save',
  'send set setAll shuffle singleWhere skip skipWhile sort split start startsWith stop sublist substring take',
  'takeWhile then timeout toInt toJson toList toLowerCase toMap toSet toString toUpperCase transform trim truncate',
  'update updateAll values wait whenComplete where whereType write writeln',
);
