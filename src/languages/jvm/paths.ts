import { FileFlag } from '../../model/records/source-file.ts';
import type { PathConventions } from '../path-conventions.ts';

const isBelowSrc = (above: readonly string[]) => above.at(-1) === 'src';

/** One record for Java, Kotlin and Scala: a build mixes them, and its source sets are folders. */
export const jvmPaths: PathConventions = {
  folders: [
    {
      name: /^(?:androidTest|testFixtures|intTest|functionalTest|integrationTest|jmh)$/,
      flag: FileFlag.Test,
      why: 'Gradle test source set',
    },
    { name: /^[a-z]\w*Test$/, flag: FileFlag.Test, why: 'Gradle test source set', when: isBelowSrc },
    {
      name: /^(?:common|jvm|js|native|android|ios|linux|macos|apple|nonJvm|wasm\w*)Test$/,
      flag: FileFlag.Test,
      why: 'Kotlin test source set',
    },
    { name: /^(?:it|test)$/, flag: FileFlag.Test, why: 'sbt and Maven test sources', when: isBelowSrc },
  ],
  productFolders: [
    { name: /^main$/, below: 'src' },
    { name: /^(?:common|jvm|js|native|android|ios|linux|macos|wasm\w*)Main$/, below: 'src' },
  ],
  names: [
    {
      extensions: ['java', 'kt', 'kts', 'scala', 'groovy'],
      pattern: /.(?:Test|Tests|TestCase|IT)\.\w+$/,
      flag: FileFlag.Test,
      why: 'JUnit name',
      notInProduct: true,
    },
    {
      // Not for Kotlin, whose tests are in source sets of their own: `CipherSuite`, `ConnectionSpec` and `TypeSpec` are
      // product code.
      extensions: ['scala', 'groovy'],
      pattern: /.(?:Spec|Specs|Suite)\.\w+$/,
      flag: FileFlag.Test,
      why: 'spec or suite name',
      notInProduct: true,
    },
    { names: ['package-info.java'], flag: FileFlag.Barrel, why: 'entry file of a folder' },
  ],
};
