/** The extension with which clients show a server's views, and the media type of those views (MCP Apps, 2026-01-26). */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_TYPE = 'text/html;profile=mcp-app';
