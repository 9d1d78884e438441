// A demo store's clock is moved by a call of its own; how far it has got, is asked like that of any run.
export const runs = { CLOCK: 'STARTED_ELSEWHERE' as const };
