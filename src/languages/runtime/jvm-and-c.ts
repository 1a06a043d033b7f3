import { C } from '../c-family/c.ts';
import { CPP } from '../c-family/cpp.ts';
import { CSHARP } from '../csharp/csharp.ts';
import { JAVA } from '../jvm/java.ts';
import { KOTLIN } from '../jvm/kotlin.ts';
import { SCALA } from '../jvm/scala.ts';
import type { LanguageDescriptor } from '../language.ts';
import { PHP } from '../php/php.ts';

export const JVM_AND_C: readonly LanguageDescriptor[] = [JAVA, C, CPP, CSHARP, KOTLIN, SCALA, PHP];
