// What is wrong with a page that looks right: axe-core, and what moved.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A line each; none where the page is accessible. */
export async function axeFindings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), RULES);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .slice(0, 3)
        .join(' | ')}`,
  );
}

/** Runs in the page, before all else. */
export function watchShifts() {
  window.shifts = { shift: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shifts.shift += entry.value;
      for (const { node } of entry.sources) window.shifts.moved.push(node?.outerHTML?.slice(0, 120) ?? String(node));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
