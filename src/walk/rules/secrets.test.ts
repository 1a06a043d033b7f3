import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretPath } from './secrets.ts';

const SECRET = `
  .env  .env.local  .env.production  app/.envrc  prod.env  .ENV  .Env.Local  .env.  .env::$DATA  .e\u200bnv  \uff0eenv
  .env~  .envs/.production/.django  my.prod.env  .dev.vars  env.production  .secrets  .secrets.toml  secrets/db.yml
  .composer/auth.json  rclone.conf  vault_pass.txt  oauth_token.json
  id_rsa  deploy/id_ed25519  id_ecdsa_work  server.pem  tls/server.key  cert.p12  a.pfx  release.jks  upload.keystore
  key.ppk  AuthKey.p8  vault.kdbx
  .netrc  _netrc  .pypirc  .pgpass  .git-credentials  .htpasswd  .dockercfg  .docker/config.json  .aws/credentials
  .aws/config  .ssh/config  .kube/config
  credentials.json  config/credentials.yml.enc  secrets.yml  config/secrets.yaml  client_secret.json  prod-secrets.toml
  passwords.txt  api_keys.json
  service-account.json  my-service-account-key.json  gcp_service_account.json  application_default_credentials.json
  .azure/accessTokens.json  .azure/pipelines/.env  .azure/pipelines/.ssh/config
  .github/workflows/check/credentials.yml.enc
  terraform.tfstate  terraform.tfstate.backup  prod.tfvars  kubeconfig  kubeconfig.yaml  kubeconfig.eu  dev.kubeconfig
  .bash_history  .vault_pass.txt  config/master.key
  aws_credentials  deploy/gcp-credentials  .aws_credentials  prod_secrets  .flaskenv  .FlaskEnv  .djangoenv
  .env.d/postgres  app/.env.d/django.conf  .env/production
  .github_token  .gitlab-token  .npm_token  .token  .api_key  .apikey  .password  .slack_api_key  gha-creds-1a2b3c.json
  shop-firebase-adminsdk-x1y2z.json  sftp-config.json`;

const HARMLESS = `
  .env.example  .env.sample  .env.template  env.ts  src/env.js  environment.py  dotenv.rb  src/environments/prod.ts
  example.env  env.d.ts  env.test.ts  locales/en/auth.json  src/secrets/store.go  secrets/README.md  tokens.json
  id_rsa.pub  keyboard.ts  src/key.ts  keys.go  monkey.py  pem.rs  credentials.rb  lib/credentials/store.go  secrets.ts
  secrets_manager.py  password.tsx
  src/passwords/reset.ts  .npmrc  .gitignore  service-account.ts  service_account.py  main.tf  docs/secrets.md
  history.ts  kube.go  README.md
  .azure/pipelines/ci.yml  .azure/pipelines/jobs/build.yml  .github/workflows/actor-credentials.yml
  steps/get-federated-access-token.yml
  changelog/3.8.0/kong/fix-vault-secret-rotation.yml  man/systemd-ask-password.xml
  bin/rotate-secrets  scripts/check_credentials  get-credentials  docker-credentials  .venv  .renv  home/.zshenv  .pyenv
  src/token  lib/api_key  .tokenizer  .gitlab-ci.yml  environment.d/x.conf
  cmd/kubeconfig.go  kubeconfig_test.go  docs/topics/auth/passwords.txt  templates/password_reset_subject.txt`;

test('secret files are recognised by name in every case and spelling that a file system accepts', () => {
  assert.deepEqual(
    SECRET.trim()
      .split(/\s+/)
      .filter((path) => !isSecretPath(path)),
    [],
  );
});

test('code and templates about secrets are not secret files', () => {
  assert.deepEqual(HARMLESS.trim().split(/\s+/).filter(isSecretPath), []);
});
