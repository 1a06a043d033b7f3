// One browser, one project and one server for all tests of the page.
import { after, before } from 'node:test';
import { launchBrowser } from './browser.mjs';
import { writeProject } from './project.mjs';
import { makeFolders, openTab, run, serve } from './served.mjs';

export const shared = { browser: null, site: null, folders: null };
const opened = [];

before(async () => {
  shared.folders = makeFolders();
  const { project, environment } = shared.folders;
  writeProject(project);
  run(environment, ['index', '--path', project]);
  run(environment, ['index', '--path', project, '--ref', 'v1']);
  run(environment, ['remember', '--path', project, '--type', 'rule', 'Carts are never shared between visitors']);
  shared.site = await serve(environment, project);
  shared.browser = await launchBrowser();
});

after(async () => {
  for (const tab of opened) await tab.close();
  await shared.browser?.close();
  await shared.site?.close();
  shared.folders?.remove();
});

/** Closed with the test, which fails where the page had a fault. */
export async function withTab(options, use) {
  const tab = await openTab(shared.browser, shared.site, options);
  opened.push(tab);
  try {
    await use(tab.page, tab);
    if (tab.faults.length > 0) throw new Error(tab.faults.join('\n'));
  } finally {
    opened.splice(opened.indexOf(tab), 1);
    await tab.close();
  }
}
