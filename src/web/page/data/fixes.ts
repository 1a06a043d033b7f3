/** Rewords fixes of the engine that name a call or tool, for a person at a browser. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  file_not_found: 'It may have been moved or removed.',
  file_too_large: 'Open it in an editor, or search inside it with `sextant grep`.',
  path_forbidden: 'The page shows text files inside the project that hold no secrets.',
  ref_not_found: 'It may have been deleted, or fetched into another clone.',
  not_indexed: 'Run `sextant index` in its folder.',
  project_not_found: 'Run `sextant index` in its folder.',
  not_served: 'Run `sextant index` in its folder, or choose another project.',
  reindex_required: 'Run `sextant index --force` in its folder.',
  store_corrupt: 'Run `sextant index --force` in its folder; the damaged file is set aside, not deleted.',
  path_not_found: 'The folder that is served is gone: put it back.',
};

export function fixForPeople({ code, fix }: { readonly code: string; readonly fix: string }): string {
  return FOR_PEOPLE[code] ?? fix;
}
