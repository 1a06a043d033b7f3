/** Converts growing offsets to rows without counting from the start each time. */
export function rows(text: string): (offset: number) => number {
  let row = 0;
  let at = 0;
  return (offset) => {
    if (offset < at) {
      row = 0;
      at = 0;
    }
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      row++;
      at = next + 1;
    }
    return row;
  };
}
