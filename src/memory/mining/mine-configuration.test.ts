import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mineConfiguration } from './mine-configuration.ts';

test('the settings of each tool are listed with their names', () => {
  const said = (path: string, text: string) => mineConfiguration(path, text)[0]?.content ?? '';
  assert.match(said('.eslintrc.json', '{ // strict\n "rules": {"no-console": "error"} }'), /rules\.no-console = error/);
  assert.equal(
    said('clippy.toml', 'disallowed-types = [\n  "A", # why\n  "B",\n]\nmsrv = "1.70" # old\n'),
    'Rust is linted with Clippy: disallowed-types = ["A", "B",], msrv = "1.70".',
  );
  assert.equal(
    said('.editorconfig', '[*.[chly]]\nindent_style = tab\n'),
    'Editor settings: *.[chly].indent_style = tab.',
  );
  assert.equal(
    said('.pre-commit-config.yaml', 'repos:\n  - repo: https://x.org/y\n    rev: v1\n    hooks:\n      - id: black\n'),
    'Checks run before each commit (pre-commit): repos.hooks.id = black.',
  );
  assert.equal(said('biome.json', '{"$schema": "x", "a": 1}'), 'Code is linted and formatted with Biome: a = 1.');
  assert.match(
    said('setup.cfg', '[metadata]\nname = x\n[flake8]\nmax-line-length = 88\n'),
    /so: flake8\.max-line-length = 88\.$/,
  );
  assert.equal(said('setup.cfg', '[metadata]\nname = x\n'), '');
  assert.match(said('eslint.config.js', "export default [{ rules: { 'no-var': 'error' } }];"), /no-var = error/);
  assert.match(
    said('pyproject.toml', '[tool.ruff]\nline-length = 100\n[project]\nname = "x"\n'),
    /tool\.ruff\.line-length = 100\.$/,
  );
  assert.equal(said('pyproject.toml', '[project]\nname = "x"\n'), '');
  assert.match(
    said('.rubocop.yml', 'Style/StringLiterals:\n  EnforcedStyle: double_quotes\n'),
    /EnforcedStyle = double_quotes/,
  );
  assert.match(
    said(
      '.golangci.yml',
      'linters:\n  enable:\n    - govet # why\n    - misspell\n  settings:\n    lll:\n      line-length: 140\n',
    ),
    /linters\.enable = govet misspell, linters\.settings\.lll\.line-length = 140\.$/,
  );
  assert.match(said('.golangci.yml', ':\n{{{ ]broken'), /golangci-lint/);
  assert.match(said('.pre-commit-config.yaml', 'repos:\n- repo: local\n  hooks:\n  - id: lint\n'), /hooks\.id = lint/);
});
