// What scripts/start-plugin.ts compiles into the start script.
declare module 'virtual:perennial/start' {
  export const start: import('./preloaded-requests.ts').StartTable;
}
