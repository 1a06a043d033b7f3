/** The file that introduces a folder. */
export const README = /^readme(?:\.(?:md|markdown|mdx|txt|rst))?$/i;
