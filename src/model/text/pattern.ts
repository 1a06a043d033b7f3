/**
 * Makes a regular expression from a template of several lines: pattern('i')`a|b` is /a|b/i. Line breaks, and the spaces
 * around them, are not part of the expression.
 */
export function pattern(flags = ''): (template: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(raw.join('').replace(/ *\n */g, ''), flags);
}
