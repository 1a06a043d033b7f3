/** The extension by which clients show pages of a server, and the form of those pages (MCP Apps, 2026-01-26). */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_TYPE = 'text/html;profile=mcp-app';
