import { wordSet } from '../name-rules.ts';

/**
 * Methods of arrays, maps, sets, strings, promises, dates, streams, emitters, elements and the like. A call of one on a
 * value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'abort add addEventListener addListener append appendChild apply at bind blur call cancel catch charAt charCodeAt',
  'clear click clone cloneNode close closest codePointAt compare concat connect contains copy createElement decode',
  'delete destroy dispatchEvent emit encode end endsWith entries equals every exec fill filter finally find',
  'findIndex findLast findLastIndex flat flatMap flush focus forEach format get getAll getAttribute getDate getDay',
  'getFullYear getHeader getHours getItem getMinutes getMonth getReader getSeconds getTime has hasAttribute',
  'hasOwnProperty includes indexOf insert insertBefore insertRule isEmpty item join json keys kill lastIndexOf link',
  'listen localeCompare log map match matchAll max min next normalize observe off on once open padEnd padStart',
  'parse pause pipe play pop postMessage prepend preventDefault print push query querySelector querySelectorAll',
  'read reduce reduceRight reject release remove removeAttribute removeChild removeEventListener removeItem',
  'removeListener render repeat replace replaceAll replaceWith reset resolve resume return reverse run save search',
  'seek send set setAttribute setDate setHeader setItem setTimeout shift size slice some sort splice split start',
  'startsWith stop stopPropagation subarray subscribe substr substring take tee terminate test text then throw',
  'toFixed toggle toISOString toJSON toLocaleLowerCase toLocaleString toLocaleUpperCase toLowerCase toString',
  'toUpperCase trim trimEnd trimStart unref unshift unsubscribe update valueOf values wait warn with write',
);
