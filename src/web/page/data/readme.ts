/** Matches the name of a README file. */
export const README = /^readme(?:\.(?:md|markdown|mdx|txt|rst))?$/i;
