/** C and C++ include files by path. */
import { folderOf } from '../../model/text/path-text.ts';
import { ancestors, joinPath, type PathIndex, under } from '../runtime/imports/path-index.ts';
import {
  found,
  type ImportRules,
  OUTSIDE,
  type ResolveImport,
  type SourceTree,
} from '../runtime/imports/source-tree.ts';

export const includes: ImportRules = {
  over: (tree, paths) => ({ resolve: resolveIncludes(tree, paths) }),
};

/**
 * Headers of the C library, POSIX and platforms. A file of such a name on the include path is the project's own; a file
 * of that name elsewhere (`adapters/poll.h`, `compat/strings.h`) is a different one.
 */
const PLATFORM_HEADER = new RegExp(
  '^(?:(?:sys|arpa|net|netinet|linux|asm|mach|machine)/.*|(?:' +
    'aio|alloca|assert|complex|ctype|cpio|dirent|dlfcn|errno|execinfo|fcntl|features|fenv|float|fmtmsg|fnmatch|ftw|' +
    'getopt|glob|grp|iconv|ifaddrs|inttypes|io|iso646|langinfo|libgen|limits|locale|malloc|math|memory|mqueue|ndbm|' +
    'netdb|nl_types|paths|poll|process|pthread|pwd|regex|sched|search|semaphore|setjmp|signal|spawn|stdalign|stdarg|' +
    'stdatomic|stdbit|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|stropts|syslog|tar|termios|' +
    'tgmath|threads|time|trace|uchar|ucontext|ulimit|unistd|utime|utmpx|wchar|wctype|windows|winsock2?|wordexp|' +
    'ws2tcpip)\\.h)$',
);

/** Third-party code includes headers of third-party code, never the program's. */
const BROUGHT_ALONG = /^(?:deps|externals?|extern|vendor|third[-_]?party)\//;

/** An include names its file with the extension, so no other names are tried. */
function resolveIncludes(tree: SourceTree, paths: PathIndex): ResolveImport {
  return (file, { source, names }) => {
    // `using` names a scope, not a file.
    if (names.length > 0) return { files: [] };
    const beside = joinPath(folderOf(paths.pathOf(file)), source);
    const direct = beside === null ? -1 : paths.at(beside);
    if (direct >= 0) return found([direct]);
    const wanted = source.replace(/^(?:\.\.?\/)+/, '');
    const isBroughtAlong = BROUGHT_ALONG.test(paths.pathOf(file));
    const isMeant = (index: number) =>
      /^(?:c|cpp)$/.test(tree.files[index]!.language) && (!isBroughtAlong || BROUGHT_ALONG.test(paths.pathOf(index)));
    for (const folder of ancestors(paths.pathOf(file))) {
      const hit = paths.firstOf(['', 'include', 'inc', 'src', 'lib'].map((root) => under(under(folder, root), wanted)));
      if (hit >= 0 && isMeant(hit)) return found([hit]);
    }
    if (PLATFORM_HEADER.test(wanted)) return OUTSIDE;
    const files = paths.endingWith(wanted).filter(isMeant);
    return files.length === 1 || (files.length > 1 && wanted.includes('/'))
      ? found([paths.nearest(file, files)])
      : OUTSIDE;
  };
}
