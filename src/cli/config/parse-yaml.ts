/** For modules that load YAML only when there is some: of a bundled CommonJS package a dynamic import has no names of its own. */
export { parse } from 'yaml';
