import { wordSet } from '../name-rules.ts';

/**
 * Methods of arrays as objects, iterators, dates, statements, messages and the like of the language. A call of one on a
 * value of unknown type hardly ever means a method of the project.
 */
export const BUILTIN_METHODS = wordSet(
  'add addAll all append apply attach bind bindParam bindValue build call clear close commit contains copy count',
  'create current debug delete detach diff dispatch each emit end error exec execute exists fail fetch fetchAll',
  'filter find first flush format get getAll getArguments getArrayCopy getAttribute getBody getCode getContent',
  'getContents getFile getHeader getId getIterator getLine getMessage getMethod getName getParameters getPath',
  'getPrevious getReturnType getTimestamp getTrace getType getUri getValue handle has hasMethod indexOf info init',
  'insert invoke isEmpty isFile isValid jsonSerialize key keys last load log make map match merge method modify',
  'name next notice offsetExists offsetGet offsetSet offsetUnset open parse pop prepare process push put query read',
  'register remove render replace reset resolve rewind rollBack run save search seek send set setAttribute setName',
  'setTime setTimezone setValue size sort start stop store toArray toString trigger unset update valid validate',
  'value values walk warning with withHeader write',
);
