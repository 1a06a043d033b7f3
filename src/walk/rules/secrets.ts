/**
 * Recognises by their paths the files that may hold secrets; inspect-content.ts recognises others by their contents.
 * Such files are never read, indexed or shown. Names are compared as the least strict file system does: without case,
 * invisible characters, trailing dots and streams.
 */

import { nameOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';

const SECRET_FOLDERS = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.gcloud',
  '.password-store',
  '.vault',
  '.env',
  '.env.d',
  '.envs',
  '.secrets',
]);

const DATA = '(?:json|ya?ml|toml|ini|cfg|conf|properties|xml|txt|env|csv|plist|enc)';

const SECRET_NAMES: readonly { readonly name: RegExp; readonly what: string }[] = [
  { name: /^\.env(?:rc|[._~-].*)?$/, what: 'environment file' },
  { name: /^[\w.-]+\.env~?$|^\.dev\.vars$/, what: 'environment file' },
  // .flaskenv and its like, but not the folders and files of version managers and shells (.pyenv, .zshenv).
  { name: /^\.(?!(?:v|r|zsh|py|rb|nod|j|dir)env$)[a-z]{1,12}env$/, what: 'environment file' },
  { name: /^env\.(?:local|dev|development|prod|production|staging)$/, what: 'environment file' },
  { name: /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_\w+)?$/, what: 'private key' },
  {
    name: /\.(?:pem|key|p12|pfx|p8|jks|keystore|bks|ppk|kdbx?|pkcs12|gpg|asc\.key|ovpn|agekey)$/,
    what: 'key or certificate store',
  },
  {
    name: pattern()`
      ^(?:\.netrc|_netrc|\.pypirc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.htpasswd|\.boto|\.s3cfg
      |\.dockercfg|\.dockerconfigjson|\.vault-token|\.?vault[_-]pass(?:word)?(?:\.txt)?|rclone\.conf|\.terraformrc
      |terraform\.rc|\.pgpass\.conf|\.smbcredentials|\.msmtprc|\.fetchmailrc|wallet\.dat)$
    `,
    what: 'credentials',
  },
  {
    name: new RegExp(
      `^\\.?(?:[\\w-]+[._-])?(?:credentials?|secrets?|passwords?|passwd|api[_-]?keys?|client[_-]secrets?|` +
        `(?:oauth|access|refresh)[_-]tokens?)(?:[._-][\\w-]+)*\\.${DATA}$`,
    ),
    what: 'credentials',
  },
  { name: /^\.?(?:[\w-]+[_-])?(?:credentials|secrets)$/, what: 'credentials' },
  // .github_token, .api-key. Without the dot, such a name is more often that of a script that fetches a token.
  { name: /^\.(?:[\w-]+[_-])?(?:tokens?|pat|api[_-]?keys?|passwords?|passwd|secret|credential)$/, what: 'credentials' },
  {
    name: pattern()`
      ^(?:gha-creds-\w+\.json|[\w-]*firebase-adminsdk[\w-]*\.json|sftp-config\.json|\.ftpconfig|\.ftppass
      |\.remote-sync\.json)$
    `,
    what: 'credentials',
  },
  {
    name: /^(?:[\w.-]*[._-])?service[-_]?account(?:s?[-_.]?(?:key|credentials?|file))?[\w.-]*\.json$/,
    what: 'service account',
  },
  { name: /^application_default_credentials\.json$/, what: 'service account' },
  { name: /\.tfstate(?:\.backup|\.\d+)?$|\.tfvars(?:\.json)?$/, what: 'Terraform state or variables' },
  { name: /^kubeconfig(?:[._-].*)?$|\.kubeconfig$/, what: 'kubeconfig' },
  { name: /^\.(?:bash|zsh|python|node_repl|psql|mysql|sqlite|irb|rediscli)_?history$/, what: 'command history' },
];

/** Paths whose file name alone does not tell that they hold secrets. */
const SECRET_PATHS = pattern()`
  (?:^|\/)(?:\.docker\/config\.json|\.(?:composer|codex)\/auth\.json|\.cargo\/credentials(?:\.toml)?
  |\.gem\/credentials|\.config\/(?:gcloud|gh|hub|rclone)(?:\/|$)|\.m2\/settings(?:-security)?\.xml
  |\.gradle\/gradle\.properties)
`;

/** Data files in a folder `secrets`. Other files do not count: a folder of code about secrets has the same name. */
const SECRETS_FOLDER_DATA = /(?:^|\/)secrets\/[^/]+\.(?:ya?ml|json|toml|ini|properties|txt|env|enc)$/;

/** Templates of environment files hold no secrets, and people look for them. */
const TEMPLATE_NAME =
  /^\.?(?:[\w-]+\.)*env[._-](?:example|sample|template|dist|schema|defaults?)$|^(?:example|sample|template)\.env$/;

/** Names of code, scripts and workflow steps that handle secrets but hold none. */
const HANDLES_SECRETS_NAME = pattern()`
  ^(?:get|fetch|fix)[_-][\w-]+\.ya?ml$
  |^(?:get|fetch|fix|check|scan|find|detect|rotate|update|sync|set|setup|reset|create|make|generate|gen|add|remove
  |delete|list|show|print|load|export|import|verify|validate|encrypt|decrypt|seal|unseal|test|with|no|about|docker
  |git)[_-][\w-]+$|^kubeconfig[\w.-]*\.(?:go|py|rb|rs|kt|cs|sh|[cm]?[jt]sx?|java|php|swift|scala|md|rst)$
  |^passwords?[_-](?:reset|chang|forgot|policy|strength|valid|hash)
`;

/** Manuals in plain text or XML, change notes, and workflows of a forge, which keeps its secrets elsewhere. */
const DOCUMENT_PATHS = pattern()`
  (?:^|\/)(?:docs?\/(?:.*\/)?(?:passwords?|secrets?|credentials?)\.txt|man\/[^/]+\.xml
  |(?:changelogs?|\.github\/workflows)\/(?:.*\/)?[^/]+\.ya?ml)$
`;

/** Azure pipelines of a repository. Elsewhere `.azure` holds the credentials of Azure's tools. */
const AZURE_PIPELINES = /(?:^|\/)\.azure\/pipelines\//;

/** All name rules in one pattern, which rules out nearly every name with one test. */
const ANY_SECRET_NAME = new RegExp(SECRET_NAMES.map(({ name }) => name.source).join('|'));

/** The kind of secret that the file at the path may hold, or null. */
export function secretKind(path: string): string | null {
  const folded = foldPath(path);
  // All folders and paths of the next two rules begin with a dot.
  if (folded.startsWith('.') || folded.includes('/.')) {
    const withoutPipelines = folded.replace(AZURE_PIPELINES, '/');
    if (
      withoutPipelines
        .split('/')
        .slice(0, -1)
        .some((segment) => SECRET_FOLDERS.has(segment))
    )
      return 'folder of secrets';
    if (SECRET_PATHS.test(folded)) return 'credentials';
  }
  if (SECRETS_FOLDER_DATA.test(folded)) return 'folder of secrets';
  const name = nameOf(folded);
  const kind = kindByName(name, folded);
  // A listing also asks about a folder itself, before it looks inside.
  return kind ?? (SECRET_FOLDERS.has(name) ? 'folder of secrets' : null);
}

function kindByName(name: string, folded: string): string | null {
  if (
    !ANY_SECRET_NAME.test(name) ||
    TEMPLATE_NAME.test(name) ||
    HANDLES_SECRETS_NAME.test(name) ||
    DOCUMENT_PATHS.test(folded)
  )
    return null;
  return SECRET_NAMES.find((rule) => rule.name.test(name))?.what ?? null;
}

export function isSecretPath(path: string): boolean {
  return secretKind(path) !== null;
}

/** Folds a name as HFS+ (which drops invisible characters) and NTFS (trailing dots, spaces, ":stream") compare it. */
export function foldName(name: string): string {
  return name
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
}

function foldPath(path: string): string {
  return /^[\w/.-]*$/.test(path) && !/[.](?:\/|$)/.test(path)
    ? path.toLowerCase()
    : path.split('/').map(foldName).join('/');
}
