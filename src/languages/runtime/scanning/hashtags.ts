const HASHTAG = /(?<=^|[\s([,;])#([\p{L}][\p{L}\p{N}_/-]{1,48})(?![\p{L}\p{N}_#(])/gu;
/** A colour is not a tag: `#a1b2c3`, `#fff`. */
const COLOUR = /^(?:(?=.*\d)[0-9a-f]{3,8}|([0-9a-f])\1{2,7})$/i;
/** Preprocessor directives in text are no tags either. */
const DIRECTIVE =
  /^(?:include|define|ifdef|ifndef|if|else|elif|endif|pragma|undef|error|region|endregion|import|L\d+|issue-?\d*)$/i;

/** Adds the `#hashtags` of a line of prose, lower-cased. */
export function addHashtags(tags: Set<string>, line: string): void {
  const prose = line.replace(/`[^`]*`/g, ' ').replace(/\]\([^)]*\)/g, '] ');
  for (const match of prose.matchAll(HASHTAG)) {
    const tag = match[1]!.replace(/[-/_]+$/, '');
    if (tag.length > 1 && !COLOUR.test(tag) && !DIRECTIVE.test(tag)) tags.add(tag.toLowerCase());
  }
}
