// Runs in the browser: a client that shows a page of the server, by the code that clients use (AppBridge).
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** What the page told the client. */
window.told = { sizes: [], messages: [] };

/** `callTool`: of the test, which has the connection to the server. */
window.showView = async ({ html, tool, args, result, theme }) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'width: 760px; height: 900px; border: 0';
  const bridge = new AppBridge(
    null,
    { name: 'test-host', version: '1.0.0' },
    { serverTools: {}, message: { text: {} } },
    { hostContext: { theme, toolInfo: { tool }, displayMode: 'inline' } },
  );
  bridge.oncalltool = (params) => window.callTool(params.name, params.arguments ?? {});
  bridge.onmessage = async ({ content }) => {
    window.told.messages.push(content);
    return {};
  };
  bridge.addEventListener('sizechange', (size) => window.told.sizes.push(size));
  const initialized = new Promise((resolve) => bridge.addEventListener('initialized', resolve));
  document.body.append(frame);
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
  window.teardown = () => bridge.teardownResource({});
};
