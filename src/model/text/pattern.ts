/**
 * Writes a long regular expression over several lines: pattern('i')`a|b` is /a|b/i. Line breaks, and the spaces before
 * and behind them, are not part of the expression.
 */
export function pattern(flags = ''): (template: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(raw.join('').replace(/ *\n */g, ''), flags);
}
