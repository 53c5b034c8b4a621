/** The cells worth a picture, with words for people who do not know the cells' names. */
export const headlines = [
  { key: "legacy.ping.w64", title: "ping", note: "64 in flight" },
  { key: "legacy.echo-100.w64", title: "tools/call, 100 B", note: "64 in flight" },
  { key: "legacy.echo-100.seq", title: "tools/call, 100 B", note: "one at a time" },
  { key: "legacy.fill6.w64", title: "tools/call, six fields", note: "64 in flight" },
  { key: "legacy.echo-10k.w64", title: "tools/call, 10 KB", note: "64 in flight" },
  { key: "legacy.list-20.w16", title: "tools/list, 20 tools", note: "16 in flight" },
  { key: "legacy.mixed.w64", title: "mixed traffic", note: "64 in flight" },
  { key: "modern.echo-100.w64", title: "tools/call, 100 B", note: "2026-07-28, 64 in flight" },
  { key: "http.legacy.echo-100.c32", title: "HTTP tools/call, 100 B", note: "sessions, 32 connections" },
  { key: "http.modern.echo-100.c32", title: "HTTP tools/call, 100 B", note: "2026-07-28, 32 connections" },
  { key: "http.legacy.list-20.c32", title: "HTTP tools/list, 20 tools", note: "sessions, 32 connections" },
];
