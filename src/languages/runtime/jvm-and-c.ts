import type { LanguageDescriptor } from '../language.ts';
import { C } from './c.ts';
import { CPP } from './cpp.ts';
import { CSHARP } from './csharp.ts';
import { JAVA } from './java.ts';
import { KOTLIN } from './kotlin.ts';
import { PHP } from './php.ts';
import { SCALA } from './scala.ts';

export const JVM_AND_C: readonly LanguageDescriptor[] = [JAVA, C, CPP, CSHARP, KOTLIN, SCALA, PHP];
