/** Files that most others refer to, with their main symbols. */
import type { CentralFile } from '../../../../model/records/browse.ts';
import { fileAddress } from '../../data/addresses.ts';

export function CentralFiles({ files }: { readonly files: readonly CentralFile[] }) {
  if (files.length === 0) return null;
  return (
    <>
      <h3>Central files</h3>
      <ul class="central">
        {files.map((file) => (
          <Central key={file.path} file={file} most={files[0]!.rank} />
        ))}
      </ul>
    </>
  );
}

function Central({ file, most }: { readonly file: CentralFile; readonly most: number }) {
  return (
    <li>
      <a class="stop path" href={fileAddress(file.path)}>
        {file.path}
      </a>
      <svg class="meter" viewBox="0 0 60 4" aria-hidden="true">
        <rect class="track" width="60" height="4" rx="2" />
        <rect class="value" width={(file.rank / most) * 60} height="4" rx="2" />
      </svg>
      <p class="names">
        {file.symbols.map(({ name, line, signature }, i) => (
          <span key={line}>
            {i > 0 && ' · '}
            <a href={fileAddress(file.path, String(line))} title={signature}>
              {name}
            </a>
          </span>
        ))}
      </p>
    </li>
  );
}
