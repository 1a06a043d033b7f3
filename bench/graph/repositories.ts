/** Which repositories each judge is asked about. Labelled languages name theirs in labels/. */
export interface JudgedLanguage {
  readonly language: string;
  readonly title: string;
  readonly judge: string;
  /** `owner/name`, and the folders of it that count where it is not the whole. */
  readonly repositories: readonly string[];
  readonly endings: RegExp;
}

export const JUDGED: readonly JudgedLanguage[] = [
  {
    language: 'go',
    title: 'Go',
    judge: 'go',
    repositories: ['spf13/cobra', 'gin-gonic/gin', 'caddyserver/caddy'],
    endings: /\.go$/,
  },
  {
    language: 'typescript',
    title: 'TypeScript',
    judge: 'typescript',
    repositories: ['reduxjs/redux', 'vitest-dev/vitest'],
    endings: /\.[mc]?tsx?$/,
  },
  {
    language: 'javascript',
    title: 'JavaScript',
    judge: 'typescript',
    repositories: ['axios/axios'],
    endings: /\.[mc]?jsx?$/,
  },
  {
    language: 'python',
    title: 'Python',
    judge: 'python',
    repositories: ['encode/httpx', 'encode/starlette'],
    endings: /\.py$/,
  },
];
