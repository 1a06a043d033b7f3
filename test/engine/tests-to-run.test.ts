/** Which tests are named and how they are run, in languages with rules of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../workspace.ts';

async function impactOf(files: Readonly<Record<string, string>>, target: string) {
  const space = workspace(files);
  try {
    await space.engine.index(space.root);
    const { tests, commands, suiteFiles } = await space.engine.impact(space.root, { target });
    return { tests: tests.map(({ path }) => path), commands: commands.map(({ line }) => line), suiteFiles };
  } finally {
    await space.close();
  }
}

const GLOB = `
pub fn parse(text: &str) -> usize {
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses() {
        assert_eq!(parse("a"), 1);
    }
}
`;

test('Rust: tests beside the code are tests to run, with the library or with its programs', async () => {
  const { tests, commands, suiteFiles } = await impactOf(
    {
      'Cargo.toml': '[workspace]\nmembers = ["glob", "tool"]\n',
      'glob/Cargo.toml': '[package]\nname = "glob"\n',
      'glob/src/lib.rs': GLOB,
      'glob/src/plain.rs': 'pub fn plain() {}\n',
      'glob/tests/whole.rs': '#[test]\nfn whole() {\n    assert_eq!(glob::parse("ab"), 2);\n}\n',
      'tool/Cargo.toml': '[package]\nname = "tool"\n',
      'tool/src/main.rs': `fn main() {}\n\nfn size(text: &str) -> usize {\n    glob::parse(text)\n}\n
#[cfg(test)]
mod tests {
    #[test]
    fn sizes() {
        assert_eq!(glob::parse("a"), super::size("a"));
    }
}
`,
    },
    'glob/src/lib.rs:3',
  );
  assert.deepEqual([...tests].sort(), ['glob/src/lib.rs', 'glob/tests/whole.rs', 'tool/src/main.rs']);
  assert.equal(tests[0], 'glob/src/lib.rs', 'the tests of the changed file come first');
  assert.deepEqual([...commands].sort(), ['cargo test -p glob --lib --test whole', 'cargo test -p tool --bins']);
  assert.equal(suiteFiles, 3);
});

test('C: a benchmark is no test to run', async () => {
  const { tests, suiteFiles } = await impactOf(
    {
      'src/dict.h': 'int dictAdd(int key);\n',
      'src/dict.c': '#include "dict.h"\n\nint dictAdd(int key) {\n    return key;\n}\n',
      'src/dict-benchmark.c': '#include "dict.h"\n\nint main(void) {\n    return dictAdd(1);\n}\n',
      'tests/dict_test.c': '#include "../src/dict.h"\n\nint main(void) {\n    return dictAdd(2);\n}\n',
    },
    'dictAdd',
  );
  assert.deepEqual([tests, suiteFiles], [['tests/dict_test.c'], 1]);
});
