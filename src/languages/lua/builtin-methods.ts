import { wordSet } from '../name-rules.ts';

/**
 * Methods of strings, tables, files and objects of common runtimes: on an unknown value they are as good as never one
 * of ours.
 */
export const BUILTIN_METHODS = wordSet(
  'add append byte call clear close concat connect copy count create delete each emit error exec filter find first',
  'flush format get getn gmatch gsub has index init insert invoke iter join key keys kill last len length lines',
  'load log lower map match name new next off on once open pop print push put read remove rep replace reset resume',
  'reverse run save seek select send set setvbuf shift size sort split start stop sub tostring trim type unpack',
  'update upper value values wait write',
);
