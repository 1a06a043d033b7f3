/** Saves a picture of the page as an SVG file, with its current colours. */

function svgText(picture: SVGSVGElement): string {
  const style = getComputedStyle(document.documentElement);
  const colours = new Map<string, string>();
  const colourOf = (name: string) => {
    let value = colours.get(name);
    if (value === undefined) {
      // A CSS variable may be light-dark(…), so its colour is read from an element that uses it.
      const probe = document.createElement('i');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      value = getComputedStyle(probe).color;
      probe.remove();
      colours.set(name, value);
    }
    return value;
  };
  const copy = picture.cloneNode(true) as SVGSVGElement;
  for (const node of copy.querySelectorAll('[tabindex]')) {
    node.removeAttribute('tabindex');
    node.removeAttribute('role');
    node.removeAttribute('aria-pressed');
  }
  copy.removeAttribute('class');
  copy.setAttribute('role', 'img');
  copy.removeAttribute('style');
  copy.style.background = style.backgroundColor;
  return new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name: string) => colourOf(name));
}

export function saveSvg(picture: SVGSVGElement, name: string): void {
  const address = URL.createObjectURL(new Blob([svgText(picture)], { type: 'image/svg+xml' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name.replace(/[^\w.-]+/g, '-')}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
